/** The `iss` of every token, which all services must agree on. */

export interface IssuerConfig {
  readonly merxDomain: string
  readonly merxIssuer?: string | undefined
}

/** @example issuerOf({ merxDomain: 'merx.localhost' }) // 'https://auth.merx.localhost' */
export const issuerOf = ({ merxDomain, merxIssuer }: IssuerConfig): string =>
  merxIssuer?.replace(/\/+$/, '') ?? `https://auth.${merxDomain}`
