/** Body of POST /oauth/revoke → typed parameters. Unknown keys, such as token_type_hint, are left alone. */
import { parseNamed, requireNamed } from '../grants/token-parameters.ts'

const LENGTH_MAX = {
  client_id: 128,
  client_secret: 256,
  // Access tokens grow with the custom claim and the number of markets.
  token: 32_768,
} as const

export interface RevocationParameters {
  readonly client_id?: string
  readonly client_secret?: string
  readonly token: string
}

/** @throws AppErrors of invalid_request, one for each faulty parameter. */
export const parseRevocation = (body: unknown): RevocationParameters => {
  const parameters = parseNamed(body, LENGTH_MAX)
  return { ...parameters, token: requireNamed(parameters, 'token') }
}
