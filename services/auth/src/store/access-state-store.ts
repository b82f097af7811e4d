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

const toChange = (row: Omit<ChangeRow, 'stateVersion'>): AccessChange => ({
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

/** Instants in ISO 8601, row numbers as text: JSON has neither. */
interface NewsRow {
  readonly version: bigint
  readonly revocations: readonly { id: string; at: string }[]
  readonly withdrawnKeys: readonly { id: string; at: string }[]
  readonly changes: readonly {
    subject: ChangeRow['subjectType']
    id: string
    revokedBefore: string | null
    roleId: string | null
    at: string
  }[]
}

const fromNews = ({ subject, id, revokedBefore, roleId, at }: NewsRow['changes'][number]): AccessChange =>
  toChange({
    subjectType: subject,
    subjectId: BigInt(id),
    expiresAt: new Date(at),
    revokedBefore: revokedBefore === null ? null : new Date(revokedBefore),
    roleId: roleId === null ? null : BigInt(roleId),
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

  // One statement, so one moment: every replica reads this after each revocation.
  listRevocationsAfter: async (after, at) => {
    const [news] = await database.$queryRaw<NewsRow[]>`
      SELECT state.version,
        (SELECT coalesce(json_agg(json_build_object('id', token_id, 'at', expires_at)), '[]') FROM revocations
          WHERE state_version > ${after} AND expires_at > ${at}) AS revocations,
        (SELECT coalesce(json_agg(json_build_object('subject', subject_type, 'id', subject_id::text,
            'revokedBefore', revoked_before, 'roleId', role_id::text, 'at', expires_at)
            ORDER BY state_version), '[]') FROM access_changes
          WHERE state_version > ${after} AND expires_at > ${at}) AS changes,
        (SELECT coalesce(json_agg(json_build_object('id', kid, 'at', expires_at)), '[]') FROM withdrawn_keys
          WHERE state_version > ${after} AND expires_at > ${at}) AS "withdrawnKeys"
      FROM access_state AS state WHERE state.id = ${ACCESS_STATE_ROW}`
    if (news === undefined) throw new Error('the row of the access state is missing: run the migrations')
    return {
      version: Number(news.version),
      revocations: news.revocations.map(({ id, at: expiresAt }) => ({
        tokenId: id,
        expiresAt: new Date(expiresAt),
      })),
      changes: news.changes.map(fromNews),
      withdrawnKeys: news.withdrawnKeys.map(({ id, at: expiresAt }) => ({
        kid: id,
        expiresAt: new Date(expiresAt),
      })),
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
