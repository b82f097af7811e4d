/**
 * The revoked, unexpired access tokens, in memory and in step with the store: what a replica consults before it hands
 * out a token again.
 */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { Clock } from '@merx/telemetry/clock'
import type { WithdrawnKey } from '../keys/signing-key.ts'
import type { AccessChange, Revocation } from '../roles/access-state.ts'

export interface RevocationReader {
  /** Revocations after a version, and the version they lead to. */
  listRevocationsAfter(
    version: number,
    at: Date,
  ): Promise<{
    version: number
    revocations: readonly Revocation[]
    changes: readonly AccessChange[]
    withdrawnKeys: readonly WithdrawnKey[]
  }>
}

export interface RevocationList {
  isRevoked(tokenId: string): boolean
  /** Whether the key that signed a token was withdrawn. */
  isKeyWithdrawn(kid: string): boolean
  /** Whether its credential or its user was disabled or deleted since it was issued. */
  isCutOff(claims: Pick<AccessTokenClaims, 'application' | 'owner'>, issuedAtSeconds: number): boolean
  /**
   * Unix seconds: services refuse tokens of this credential or user with an earlier `iat`; 0 when it never changed. Up
   * to a second ahead after it was enabled, for `iat` has whole seconds; far ahead while it is disabled.
   */
  earliestIssueSeconds(claims: Pick<AccessTokenClaims, 'application' | 'owner'>): number
  /** Reads what is new. Readings are one at a time; who asks while one is under way shares the next. */
  refresh(): Promise<void>
  /** Milliseconds since the last reading that succeeded began; what was revoked before it is known. */
  ageMs(): number
}

/** Called when the store has something new. */
export interface RevocationListeners {
  /** A credential or a user changed: what is cached of them can be dropped. */
  readonly onChange?: () => void
  /** A key was withdrawn: the keys are to be read again. */
  readonly onKeyWithdrawn?: () => void
}

export const createRevocationList = (
  reader: RevocationReader,
  clock: Clock,
  { onChange, onKeyWithdrawn }: RevocationListeners = {},
): RevocationList => {
  const expiryById = new Map<string, number>()
  const changeBySubject = new Map<string, AccessChange>()
  const expiryByKid = new Map<string, number>()
  let version = 0
  let currentAsOfMs = -Infinity
  let queue: Promise<void> = Promise.resolve()
  /** The next reading, until it begins. */
  let awaited: Promise<void> | undefined

  const dropExpired = (): void => {
    const now = clock.now().getTime()
    for (const [tokenId, expiry] of expiryById) if (expiry <= now) expiryById.delete(tokenId)
    for (const [kid, expiry] of expiryByKid) if (expiry <= now) expiryByKid.delete(kid)
    for (const [key, { expiresAt }] of changeBySubject)
      if (expiresAt.getTime() <= now) changeBySubject.delete(key)
  }

  const cutOffSeconds = (subject: AccessChange['subject'], id: string): number => {
    const revokedBefore = changeBySubject.get(`${subject}:${id}`)?.revokedBefore
    return revokedBefore === undefined ? 0 : Math.ceil(revokedBefore.getTime() / 1_000)
  }

  const earliestIssueSeconds: RevocationList['earliestIssueSeconds'] = ({ application, owner }) =>
    Math.max(
      cutOffSeconds('application', application.id),
      owner?.type === 'User' ? cutOffSeconds('user', owner.id) : 0,
    )

  /** Versions go back when the database is put back, or its standby takes over without the last of them: then all is new. */
  const listNews = async () => {
    const news = await reader.listRevocationsAfter(version, clock.now())
    return news.version < version ? reader.listRevocationsAfter(0, clock.now()) : news
  }

  const readNews = async (): Promise<void> => {
    const beganAtMs = performance.now()
    const news = await listNews()
    for (const { tokenId, expiresAt } of news.revocations) expiryById.set(tokenId, expiresAt.getTime())
    for (const { kid, expiresAt } of news.withdrawnKeys) expiryByKid.set(kid, expiresAt.getTime())
    for (const change of news.changes) changeBySubject.set(`${change.subject}:${change.id}`, change)
    if (news.changes.length > 0) onChange?.()
    if (news.withdrawnKeys.length > 0) onKeyWithdrawn?.()
    version = news.version
    currentAsOfMs = beganAtMs
    dropExpired()
  }

  return {
    isRevoked: (tokenId) => expiryById.has(tokenId),
    isKeyWithdrawn: (kid) => expiryByKid.has(kid),
    earliestIssueSeconds,
    ageMs: () => performance.now() - currentAsOfMs,
    isCutOff: (claims, issuedAtSeconds) => issuedAtSeconds < earliestIssueSeconds(claims),
    refresh: () => {
      if (awaited !== undefined) return awaited // it begins later than now, so it reads what the caller means
      const next = queue.then(() => {
        awaited = undefined
        return readNews()
      })
      awaited = next
      queue = next.catch(() => undefined) // the callers of this refresh hear of it; the next one starts clean
      return next
    },
  }
}
