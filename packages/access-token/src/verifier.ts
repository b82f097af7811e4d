/** Access token → Caller: signature, claims, expiry, revocation, present permissions. */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { JSONWebKeySet, ProtectedHeaderParameters } from 'jose'
import type { AccessState } from './access-state.ts'
import type { Caller } from './caller.ts'
import { fromClaims } from './claims.ts'
import { isCompactForm } from './compact-form.ts'
import type { AccessChange } from './held-access-state.ts'
import { createFixedKeys, createRemoteKeys, KeysUnavailable } from './key-source.ts'
import type { KeySource } from './key-source.ts'
import { createVerifiedTokens } from './verified-tokens.ts'
import type { VerifiedToken } from './verified-tokens.ts'

/** The part of the access state that verification asks. */
export type AccessLookup = Pick<AccessState, 'isLoaded' | 'isRevoked' | 'roleOf'> &
  Partial<Pick<AccessState, 'changeOf' | 'isKeyWithdrawn'>>

interface SharedOptions {
  /** The only `iss` accepted: `https://auth.<MERX_DOMAIN>`. */
  readonly issuer: string
  readonly clock: Clock
  /** Without it no token counts as revoked and custom roles permit nothing. */
  readonly accessState?: AccessLookup | undefined
  readonly log?: Logger | undefined
  /** Verified tokens in the cache. Default 10000. */
  readonly tokensMax?: number | undefined
}

/** Exactly one of `jwksUrl` (auth's `/.well-known/jwks.json`) and `keySet`. */
export type VerifierOptions = SharedOptions &
  (
    | { readonly jwksUrl: string; readonly keySet?: never }
    | { readonly keySet: JSONWebKeySet; readonly jwksUrl?: never }
  )

/** Decides whether a token is good now, and whose it is. */
export interface Verifier {
  /**
   * @throws AppError `invalid_token` for any token that is not valid now (the reason is in `cause`, for the log);
   * `service_unavailable` when auth's keys or revocations were never received, so validity is not known.
   */
  verify(token: string): Promise<Caller>
}

/** Longer than any token auth issues; decoding more would be work for nothing. */
export const TOKEN_BYTES_MAX = 8192
const ALGORITHM = 'RS512'
const KID = /^[0-9a-f]{64}$/

/** @example const caller = await createVerifier({ jwksUrl, issuer, clock: systemClock, accessState }).verify(token) */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const { issuer, clock, accessState, log, tokensMax = 10_000 } = options
  const keys: KeySource =
    options.jwksUrl === undefined
      ? createFixedKeys(options.keySet)
      : createRemoteKeys({ url: options.jwksUrl, clock, log })
  const verified = createVerifiedTokens(tokensMax)

  /** Throws a plain Error with the reason; verify() words it for the outside. */
  const check = async (token: string): Promise<Caller> => {
    if (Buffer.byteLength(token) > TOKEN_BYTES_MAX) throw new Error(`longer than ${TOKEN_BYTES_MAX} bytes`)
    const known = verified.find(token)
    const checked = known ?? (await checkSignature(token, keys, issuer, clock))
    const { caller } = checked
    const reason = reasonToRefuse(checked)
    if (reason !== undefined) {
      verified.forget(token)
      throw new Error(reason)
    }
    if (known === undefined) verified.remember(token, checked)
    return withPresentRole(caller, accessState)
  }

  /** What can change while a verified token is cached. */
  const reasonToRefuse = ({ caller, kid, issuedAt }: VerifiedToken): string | undefined => {
    if (clock.now() >= caller.expiresAt) return 'expired'
    if (!keys.isCurrent(kid) || accessState?.isKeyWithdrawn?.(kid) === true)
      return 'signed with a key that was withdrawn'
    if (accessState?.isRevoked(caller.tokenId) === true) return 'revoked'
    if (isCutOff(caller, issuedAt, accessState)) return 'issued before its credential or user was disabled'
    return undefined
  }

  const verify = async (token: string): Promise<Caller> => {
    if (accessState?.isLoaded === false) {
      throw new AppError('service_unavailable', {
        detail: 'revocations of access tokens are not known yet; try again',
      })
    }
    try {
      return await check(token)
    } catch (cause) {
      const detail = 'access tokens cannot be checked at the moment; try again'
      if (cause instanceof KeysUnavailable) throw new AppError('service_unavailable', { detail, cause })
      throw new AppError('invalid_token', { cause })
    }
  }
  return { verify }
}

const checkSignature = async (token: string, keys: KeySource, issuer: string, clock: Clock) => {
  if (!isCompactForm(token)) throw new Error('not a JWS in compact form')
  const { kid } = checkHeader(decodeProtectedHeader(token))
  const { payload } = await jwtVerify(token, (header) => keys.find(header), {
    algorithms: [ALGORITHM],
    typ: 'JWT',
    issuer,
    currentDate: clock.now(),
  })
  const caller = fromClaims(payload)
  return { caller, kid, issuedAt: new Date((payload.iat ?? 0) * 1000) }
}

/** Before any key is looked for: a made-up header must not cost a request to auth. */
const checkHeader = ({ alg, kid }: ProtectedHeaderParameters): { kid: string } => {
  if (alg !== ALGORITHM) throw new Error(`alg is not ${ALGORITHM}`)
  if (kid === undefined || !KID.test(kid)) throw new Error('kid is not 64 lower-case hex digits')
  return { kid }
}

const changesOf = ({ application, owner }: Caller, accessState: AccessLookup | undefined): AccessChange[] =>
  [
    accessState?.changeOf?.('application', application.id),
    owner?.type === 'User' ? accessState?.changeOf?.('user', owner.id) : undefined,
  ].filter((change) => change !== undefined)

const isCutOff = (caller: Caller, issuedAt: Date, accessState: AccessLookup | undefined): boolean =>
  changesOf(caller, accessState).some(
    ({ revokedBefore }) => revokedBefore !== undefined && issuedAt < revokedBefore,
  )

/** Permits nothing: for a credential with a role that was not received yet. */
const NO_PERMISSIONS = { kind: 'custom', permissions: [] } as const

/**
 * A role changes while its tokens live, and so does which role a credential or user has: what auth says now counts,
 * not what it was when the token was issued.
 */
const withPresentRole = (caller: Caller, accessState: AccessLookup | undefined): Caller => {
  const { role } = caller
  if (role === undefined) return caller
  const given = changesOf(caller, accessState).find(({ roleId }) => roleId !== undefined)?.roleId
  const present = accessState?.roleOf(given ?? role.id)
  if (given !== undefined && given !== role.id)
    return { ...caller, role: { id: given, ...(present ?? NO_PERMISSIONS) } }
  return present === undefined ? caller : { ...caller, role: { id: role.id, ...present } }
}
