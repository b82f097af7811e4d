/**
 * The revoked, unexpired access tokens, in memory and in step with the store: what a replica consults before it hands
 * out a token again.
 */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { Clock } from '@merx/telemetry/clock'
import type { AccessChange } from '../roles/access-state.ts'

export interface Revocation {
  readonly tokenId: string
  readonly expiresAt: Date
}

export interface RevocationReader {
  /** Revocations after a version, and the version they lead to. */
  listRevocationsAfter(
    version: number,
    at: Date,
  ): Promise<{
    version: number
    revocations: readonly Revocation[]
    changes: readonly AccessChange[]
  }>
}

export interface RevocationList {
  isRevoked(tokenId: string): boolean
  /** Whether its credential or its user was disabled or deleted since it was issued. */
  isCutOff(claims: Pick<AccessTokenClaims, 'application' | 'owner'>, issuedAtSeconds: number): boolean
  /** Reads what is new. Two calls at once read twice, in order. */
  refresh(): Promise<void>
}

/** @param onChange told when a credential or a user changed, so that what is remembered of them can be dropped. */
export const createRevocationList = (
  reader: RevocationReader,
  clock: Clock,
  onChange: () => void = () => undefined,
): RevocationList => {
  const expiryById = new Map<string, number>()
  const changeBySubject = new Map<string, AccessChange>()
  let version = 0
  let queue: Promise<void> = Promise.resolve()

  const dropExpired = (): void => {
    const now = clock.now().getTime()
    for (const [tokenId, expiry] of expiryById) if (expiry <= now) expiryById.delete(tokenId)
    for (const [key, { expiresAt }] of changeBySubject)
      if (expiresAt.getTime() <= now) changeBySubject.delete(key)
  }

  const isBeforeChange = (subject: AccessChange['subject'], id: string, issuedAtSeconds: number): boolean => {
    const revokedBefore = changeBySubject.get(`${subject}:${id}`)?.revokedBefore
    return revokedBefore !== undefined && issuedAtSeconds * 1000 < revokedBefore.getTime()
  }

  const readNews = async (): Promise<void> => {
    const news = await reader.listRevocationsAfter(version, clock.now())
    for (const { tokenId, expiresAt } of news.revocations) expiryById.set(tokenId, expiresAt.getTime())
    for (const change of news.changes) changeBySubject.set(`${change.subject}:${change.id}`, change)
    if (news.changes.length > 0) onChange()
    version = news.version
    dropExpired()
  }

  return {
    isRevoked: (tokenId) => expiryById.has(tokenId),
    isCutOff: ({ application, owner }, issuedAtSeconds) =>
      isBeforeChange('application', application.id, issuedAtSeconds) ||
      (owner?.type === 'User' && isBeforeChange('user', owner.id, issuedAtSeconds)),
    refresh: () => {
      const next = queue.then(readNews)
      queue = next.catch(() => undefined) // the caller of this refresh hears of it; the next one starts clean
      return next
    },
  }
}
