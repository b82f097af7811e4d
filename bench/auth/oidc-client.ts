/** The one client of serve-oidc-provider.ts. */
export const OIDC_CLIENT = { client_id: 'bench', client_secret: 'a-secret-of-the-bench' }
