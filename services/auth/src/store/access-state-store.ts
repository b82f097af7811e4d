import type { Permission, PermittedAction } from '@merx/access-token/caller'
import type { AccessChange, AccessStateReader, RolePermissions } from '../roles/access-state.ts'
import type { RevocationReader } from '../tokens/revocation-list.ts'
import type { RevocationStore } from '../tokens/revoke-token.ts'
import { ACCESS_STATE_ROW, takeNextVersion } from './access-version.ts'
import { appendAudit } from './audit-store.ts'
import type { AccessChange as ChangeRow, Prisma } from './generated/client.ts'
import type { Database, DatabaseTransaction } from './prisma-client.ts'
import { toPublicId } from './public-ids.ts'

export type AccessStateStore = AccessStateReader & RevocationReader & RevocationStore

type RoleRow = Prisma.RoleGetPayload<{ include: { permissions: true } }>
type PermissionRow = RoleRow['permissions'][number]

const actionsOf = (row: PermissionRow): readonly PermittedAction[] => [
  ...(row.canCreate ? (['create'] as const) : []),
  ...(row.canRead ? (['read'] as const) : []),
  ...(row.canUpdate ? (['update'] as const) : []),
  ...(row.canDestroy ? (['destroy'] as const) : []),
]

export const toPermission = (row: PermissionRow): Permission => ({
  subject: row.subject,
  actions: actionsOf(row),
  restrictions: row.restrictions as Record<string, unknown>,
})

const toRole = (row: RoleRow): RolePermissions => ({
  id: toPublicId('roles', row.id),
  kind: row.kind,
  permissions: row.permissions.map(toPermission),
})

const versionOf = async (database: DatabaseTransaction): Promise<number> => {
  const { version } = await database.accessState.findUniqueOrThrow({ where: { id: ACCESS_STATE_ROW } })
  return Number(version)
}

const revocationsBetween = async (database: DatabaseTransaction, after: number, upTo: number, at: Date) => {
  const stateVersion = { gt: BigInt(after), lte: BigInt(upTo) }
  return database.revocation.findMany({
    where: { stateVersion, expiresAt: { gt: at } },
    orderBy: { stateVersion: 'asc' },
    select: { tokenId: true, expiresAt: true },
  })
}

const toChange = (row: ChangeRow): AccessChange => ({
  subject: row.subjectType,
  id: toPublicId(row.subjectType === 'user' ? 'users' : 'applications', row.subjectId),
  expiresAt: row.expiresAt,
  ...(row.revokedBefore === null ? {} : { revokedBefore: row.revokedBefore }),
  ...(row.roleId === null ? {} : { roleId: toPublicId('roles', row.roleId) }),
})

const changesBetween = async (database: DatabaseTransaction, after: number, upTo: number, at: Date) => {
  const stateVersion = { gt: BigInt(after), lte: BigInt(upTo) }
  const rows = await database.accessChange.findMany({
    where: { stateVersion, expiresAt: { gt: at } },
    orderBy: { stateVersion: 'asc' },
  })
  return rows.map(toChange)
}

const withdrawalsBetween = (database: DatabaseTransaction, after: number, upTo: number, at: Date) =>
  database.withdrawnKey.findMany({
    where: { stateVersion: { gt: BigInt(after), lte: BigInt(upTo) }, expiresAt: { gt: at } },
    orderBy: { stateVersion: 'asc' },
    select: { kid: true, expiresAt: true },
  })

export const createAccessStateStore = (database: Database): AccessStateStore => ({
  currentVersion: () => versionOf(database),

  readAfter: async (after, at) => {
    // The version comes first: rows up to it are committed, and what commits later has a higher one.
    const version = await versionOf(database)
    const revocations = await revocationsBetween(database, after, version, at)
    const changes = await changesBetween(database, after, version, at)
    const withdrawnKeys = await withdrawalsBetween(database, after, version, at)
    const roles = await database.role.findMany({
      where: { stateVersion: { gt: BigInt(after), lte: BigInt(version) } },
      include: { permissions: { orderBy: { subject: 'asc' } } },
      orderBy: { id: 'asc' },
    })
    return { version, revocations, changes, withdrawnKeys, roles: roles.map(toRole) }
  },

  listRevocationsAfter: async (after, at) => {
    const version = await versionOf(database)
    return {
      version,
      revocations: await revocationsBetween(database, after, version, at),
      changes: await changesBetween(database, after, version, at),
      withdrawnKeys: await withdrawalsBetween(database, after, version, at),
    }
  },

  revoke: async ({ tokenId, expiresAt }, at, event) => {
    await database.$transaction(async (transaction) => {
      const stateVersion = await takeNextVersion(transaction)
      // Revoking twice keeps the first: the token is out already.
      const { count } = await transaction.revocation.createMany({
        data: [{ tokenId, expiresAt, createdAt: at, stateVersion }],
        skipDuplicates: true,
      })
      if (count > 0) await appendAudit(transaction, event, at)
    })
  },
})
