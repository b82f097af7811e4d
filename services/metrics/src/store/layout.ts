/** The layout of the tables: on one server or in this process, or spread over a cluster. */
export type Layout = { readonly kind: 'single' } | { readonly kind: 'cluster'; readonly cluster: string }

export const layoutOf = (cluster: string | undefined): Layout =>
  cluster === undefined ? { kind: 'single' } : { kind: 'cluster', cluster }
