/** The name under which identical requests find each other's token. */
import { hash } from 'node:crypto'
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { TokenIdentity } from './claims.ts'

/** JSON with sorted keys: equal values give equal text whatever the order they were built in. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/**
 * A digest of everything the token would say (credential, secret used or not, owner, role, scope and what it resolves
 * to) and of its lifetime: as soon as any of them changes, the old token is not handed out again.
 */
export const reuseKey = (identity: TokenIdentity, lifetimeSeconds: number): string => {
  const subject = { identity, lifetimeSeconds }
  return `reuse:${hash('sha256', canonical(subject), 'base64url')}`
}

/** The same name, found from the token itself, as revocation needs it. */
export const reuseKeyOfClaims = (claims: AccessTokenClaims): string => {
  const {
    exp,
    test: _test,
    rand: _rand,
    iat,
    iss: _iss,
    jti: _jti,
    auth_time: _signedIn,
    ...identity
  } = claims
  return reuseKey(identity, exp - iat)
}
