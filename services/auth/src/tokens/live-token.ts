/** Text → the claims of an access token that is valid now, as this service itself judges it. */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { TOKEN_BYTES_MAX } from '@merx/access-token/verifier'
import type { Clock } from '@merx/telemetry/clock'
import type { KeyRing } from '../keys/key-ring.ts'
import { readOwnToken } from './read-own-token.ts'
import type { RevocationList } from './revocation-list.ts'

export interface LiveTokenDeps {
  readonly keys: Pick<KeyRing, 'keySet'>
  readonly revocations: Pick<RevocationList, 'isRevoked' | 'isCutOff'>
  readonly clock: Clock
  readonly issuer: string
}

/** Undefined when it is no token of ours, expired, revoked, or its client or user was disabled since. */
export const readLiveToken = async (
  token: string,
  { keys, revocations, clock, issuer }: LiveTokenDeps,
): Promise<AccessTokenClaims | undefined> => {
  if (token.length > TOKEN_BYTES_MAX) return undefined
  const claims = await readOwnToken(token, keys)
  if (claims === undefined || claims.iss !== issuer) return undefined
  if (revocations.isRevoked(claims.jti) || revocations.isCutOff(claims, claims.iat)) return undefined
  return clock.now().getTime() < claims.exp * 1000 ? claims : undefined
}
