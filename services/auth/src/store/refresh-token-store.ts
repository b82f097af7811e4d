import { passwordMarkOf } from '@merx/passwords/password-mark'
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
import { revokeAccessTokensOf } from './end-families.ts'
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
    ...(row.passwordMark === null ? {} : { passwordMark: row.passwordMark }),
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

/**
 * Locks the user against changes until the family is there, so that whoever ends the tokens of the user either finds
 * this family or is found here.
 */
const isUserUnchanged = async (
  transaction: DatabaseTransaction,
  userId: string,
  passwordMark: string | undefined,
): Promise<boolean> => {
  const [row] = await transaction.$queryRaw<{ password_hash: string; disabled_at: Date | null }[]>`
    SELECT password_hash, disabled_at FROM users WHERE id = ${requireRowId('users', userId)} FOR SHARE`
  return row !== undefined && row.disabled_at === null && passwordMarkOf(row.password_hash) === passwordMark
}

const createFamily = async (
  database: DatabaseTransaction,
  family: RefreshFamily,
  token: NewRefreshToken,
): Promise<void> => {
  await database.refreshFamily.create({
    data: {
      credentialId: requireRowId('applications', family.credentialId),
      ownerType: family.owner?.type ?? null,
      ownerId: family.owner?.id ?? null,
      scope: family.scope,
      grantName: family.grant,
      customClaim: family.customClaim === undefined ? null : JSON.stringify(family.customClaim),
      passwordMark: family.passwordMark ?? null,
      createdAt: token.createdAt,
      tokens: { create: toRow(token) },
    },
  })
}

export const createRefreshTokenStore = (database: Database): RefreshTokenStore => ({
  begin: async (family, token) => {
    const { owner, passwordMark } = family
    if (owner?.type !== 'User') {
      await createFamily(database, family, token)
      return true
    }
    return database.$transaction(async (transaction) => {
      if (!(await isUserUnchanged(transaction, owner.id, passwordMark))) return false
      await createFamily(transaction, family, token)
      return true
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
      await revokeAccessTokensOf(transaction, [familyId], { at, stateVersion })
    })
  },
})
