/** The five grants (contract, Grant types per credential kind). */
export const GRANT_NAMES = [
  'client_credentials',
  'password',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
] as const

export type GrantName = (typeof GRANT_NAMES)[number]

export const isGrantName = (name: string): name is GrantName =>
  (GRANT_NAMES as readonly string[]).includes(name)
