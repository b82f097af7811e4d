import { isGrantName } from '../grants/grant-names.ts'
import type { Owner } from '../tokens/owner.ts'
import {
  isReplay,
  type NewRefreshToken,
  type RefreshFamily,
  type RefreshTokenStore,
  type RotationOutcome,
  type StoredRefreshToken,
} from '../tokens/refresh-tokens.ts'
import { takeNextVersion } from './access-version.ts'
import { appendAudit } from './audit-store.ts'
import type { Prisma } from './generated/client.ts'
import type { Database, DatabaseTransaction } from './prisma-client.ts'
import { requireRowId, toPublicId } from './public-ids.ts'

const include = {
  family: true,
  successors: { where: { usedAt: { not: null } }, select: { id: true }, take: 1 },
  // Itself and one more at most.
  parent: { select: { successors: { where: { usedAt: { not: null } }, select: { id: true }, take: 2 } } },
} satisfies Prisma.RefreshTokenInclude

type TokenRow = Prisma.RefreshTokenGetPayload<{ include: typeof include }>

const ownerOf = ({ ownerType, ownerId }: TokenRow['family']): Owner | undefined =>
  ownerType === null || ownerId === null ? undefined : { type: ownerType, id: ownerId }

const toFamily = (row: TokenRow['family']): RefreshFamily => {
  if (!isGrantName(row.grantName))
    throw new Error(`refresh family ${row.id} has the unknown grant '${row.grantName}'`)
  const owner = ownerOf(row)
  return {
    credentialId: toPublicId('applications', row.credentialId),
    scope: row.scope,
    grant: row.grantName,
    ...(owner === undefined ? {} : { owner }),
    ...(row.customClaim === null
      ? {}
      : { customClaim: JSON.parse(row.customClaim) as Record<string, unknown> }),
  }
}

const fromRow = (row: TokenRow): StoredRefreshToken => ({
  id: row.id,
  familyId: row.familyId,
  family: toFamily(row.family),
  isFamilyRevoked: row.family.revokedAt !== null,
  expiresAt: row.expiresAt,
  isSuccessorUsed: row.successors.length > 0,
  isSiblingUsed: row.parent?.successors.some(({ id }) => id !== row.id) ?? false,
  ...(row.usedAt === null ? {} : { usedAt: row.usedAt }),
})

const toRow = (token: NewRefreshToken) => ({
  tokenHash: token.tokenHash,
  accessTokenId: token.accessTokenId,
  accessExpiresAt: token.accessExpiresAt,
  createdAt: token.createdAt,
  expiresAt: token.expiresAt,
})

/** Rotations and revocation of one family take turns. @returns whether the family is still alive. */
const lockFamily = async (transaction: DatabaseTransaction, familyId: bigint): Promise<boolean> => {
  const rows = await transaction.$queryRaw<{ revoked_at: Date | null }[]>`
    SELECT revoked_at FROM refresh_families WHERE id = ${familyId} FOR UPDATE`
  return rows[0]?.revoked_at === null
}

/** With the family locked, so that what it reads is what is so. @returns false for a replay */
const useOnce = async (
  transaction: DatabaseTransaction,
  { id }: StoredRefreshToken,
  at: Date,
  graceSeconds: number,
): Promise<boolean> => {
  const row = await transaction.refreshToken.findUniqueOrThrow({ where: { id }, include })
  if (isReplay(fromRow(row), at, graceSeconds)) return false
  await transaction.refreshToken.updateMany({ where: { id, usedAt: null }, data: { usedAt: at } })
  return true
}

export const createRefreshTokenStore = (database: Database): RefreshTokenStore => ({
  begin: async (family, token) => {
    await database.refreshFamily.create({
      data: {
        credentialId: requireRowId('applications', family.credentialId),
        ownerType: family.owner?.type ?? null,
        ownerId: family.owner?.id ?? null,
        scope: family.scope,
        grantName: family.grant,
        customClaim: family.customClaim === undefined ? null : JSON.stringify(family.customClaim),
        createdAt: token.createdAt,
        tokens: { create: toRow(token) },
      },
    })
  },

  findByHash: async (tokenHash) => {
    const row = await database.refreshToken.findUnique({ where: { tokenHash }, include })
    return row === null ? undefined : fromRow(row)
  },

  rotate: (used, successor, at, graceSeconds) =>
    database.$transaction<RotationOutcome>(async (transaction) => {
      if (!(await lockFamily(transaction, used.familyId))) return 'revoked'
      if (!(await useOnce(transaction, used, at, graceSeconds))) return 'replayed'
      await transaction.refreshToken.create({
        data: { ...toRow(successor), familyId: used.familyId, parentId: used.id },
      })
      return 'rotated'
    }),

  revokeFamily: async (familyId, at, event) => {
    await database.$transaction(async (transaction) => {
      if (!(await lockFamily(transaction, familyId))) return
      await transaction.refreshFamily.update({ where: { id: familyId }, data: { revokedAt: at } })
      await appendAudit(transaction, event, at)
      const stateVersion = await takeNextVersion(transaction)
      await transaction.$executeRaw`
        INSERT INTO revocations (token_id, expires_at, state_version, created_at)
        SELECT access_token_id, max(access_expires_at), ${stateVersion}, ${at}
        FROM refresh_tokens WHERE family_id = ${familyId} AND access_expires_at > ${at}
        GROUP BY access_token_id
        ON CONFLICT (token_id) DO NOTHING`
    })
  },
})
