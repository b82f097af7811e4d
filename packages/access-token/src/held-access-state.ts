/** Revocations, roles and changes in memory, from the documents of auth; expired entries are removed. */
import type { Clock } from '@merx/telemetry/clock'
import type { AccessChangeDocument, AccessStateDocument } from './access-state-document.ts'
import type { Permission, RoleKind } from './caller.ts'

/** What changed about a credential or a user since it got tokens. */
export interface AccessChange {
  readonly revokedBefore?: Date
  readonly roleId?: string
}

/** A role as it is now. */
export interface Role {
  readonly kind: RoleKind
  readonly permissions: readonly Permission[]
}

const PRUNE_EVERY_MS = 60_000

/** What createHeldAccessState gives. */
export type HeldAccessState = ReturnType<typeof createHeldAccessState>

/** Empty until the first document is taken. */
export const createHeldAccessState = (clock: Clock) => {
  /** jti → when the entry may be forgotten, Unix milliseconds. */
  let revocations = new Map<string, number>()
  let roles = new Map<string, Role>()
  let changes = createHeldChanges()
  /** kid → when the entry may be forgotten, Unix milliseconds. */
  let withdrawnKeys = new Map<string, number>()
  let version: string | number | undefined
  let receivedAt: Date | undefined
  let prunedAtMs = clock.now().getTime()

  const prune = (): void => {
    const now = clock.now().getTime()
    if (now - prunedAtMs < PRUNE_EVERY_MS) return
    prunedAtMs = now
    for (const [jti, endsAtMs] of revocations) if (endsAtMs <= now) revocations.delete(jti)
    for (const [kid, endsAtMs] of withdrawnKeys) if (endsAtMs <= now) withdrawnKeys.delete(kid)
    changes.prune(now)
  }

  return {
    isRevoked: (tokenId: string) => revocations.has(tokenId.toLowerCase()),
    isKeyWithdrawn: (kid: string) => withdrawnKeys.has(kid),
    roleOf: (roleId: string) => roles.get(roleId),
    changeOf: (subject: 'application' | 'user', id: string) => changes.find(subject, id),
    version: () => version,
    receivedAt: () => receivedAt,
    isLoaded: () => receivedAt !== undefined,
    /** The next document is the whole state; until it is here the present one stays. */
    restart: () => {
      version = undefined
    },
    take: (document: AccessStateDocument, isWhole: boolean) => {
      if (isWhole) {
        revocations = new Map()
        roles = new Map()
        changes = createHeldChanges()
        withdrawnKeys = new Map()
      }
      for (const { jti, expires_at } of document.revocations)
        revocations.set(jti.toLowerCase(), Date.parse(expires_at))
      for (const { id, kind, permissions } of document.roles) roles.set(id, { kind, permissions })
      changes.take('application', document.applications)
      changes.take('user', document.users)
      for (const { kid, expires_at } of document.withdrawn_keys ?? [])
        withdrawnKeys.set(kid, Date.parse(expires_at))
      version = document.version
      receivedAt = clock.now()
      prune()
    },
  }
}

const createHeldChanges = () => {
  const changes = new Map<string, AccessChange & { readonly expiresAtMs: number }>()
  return {
    find: (subject: 'application' | 'user', id: string): AccessChange | undefined =>
      changes.get(`${subject}:${id}`),
    take: (subject: 'application' | 'user', news: readonly AccessChangeDocument[] = []): void => {
      for (const { id, revoked_before: revokedBefore, role_id: roleId, expires_at: expiresAt } of news)
        changes.set(`${subject}:${id}`, {
          expiresAtMs: Date.parse(expiresAt),
          ...(typeof revokedBefore === 'string' ? { revokedBefore: new Date(revokedBefore) } : {}),
          ...(typeof roleId === 'string' ? { roleId } : {}),
        })
    },
    prune: (now: number): void => {
      for (const [key, { expiresAtMs }] of changes) if (expiresAtMs <= now) changes.delete(key)
    },
  }
}
