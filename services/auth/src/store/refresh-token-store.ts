import { passwordMarkOf } from '@merx/passwords/password-mark'
import { isGrantName } from '../grants/grant-names.ts'
import type { Owner } from '../tokens/owner.ts'
import {
  isReplay,
  type BeginOutcome,
  type NewRefreshToken,
  type RefreshFamily,
  type RefreshTokenStore,
  type RotationOutcome,
  type StoredRefreshToken,
} from '../tokens/refresh-tokens.ts'
import { takeNextVersion } from './access-version.ts'
import { appendAudit } from './audit-store.ts'
import { isReferenceBroken } from './database-errors.ts'
import { revokeAccessTokensOf } from './end-families.ts'
import { Prisma } from './generated/client.ts'
import type { Database, DatabaseTransaction } from './prisma-client.ts'
import { requireRowId, toPublicId } from './public-ids.ts'

/** Whether another token of the same sign-in went on, of the refresh token `token`. */
const OTHER_USES = Prisma.sql`
  EXISTS (SELECT FROM refresh_tokens successor
          WHERE successor.parent_id = token.id AND successor.used_at IS NOT NULL) AS is_successor_used,
  EXISTS (SELECT FROM refresh_tokens sibling
          WHERE sibling.parent_id = token.parent_id AND sibling.id <> token.id
            AND sibling.used_at IS NOT NULL) AS is_sibling_used`

interface UseRow {
  readonly used_at: Date | null
  readonly is_successor_used: boolean
  readonly is_sibling_used: boolean
}

interface TokenRow extends UseRow {
  readonly id: bigint
  readonly family_id: bigint
  readonly expires_at: Date
  readonly credential_id: bigint
  readonly owner_type: Owner['type'] | null
  readonly owner_id: string | null
  readonly scope: string
  readonly grant_name: string
  readonly custom_claim: string | null
  readonly password_mark: string | null
  readonly revoked_at: Date | null
  readonly signed_in_at: Date
}

const ownerOf = ({ owner_type: type, owner_id: id }: TokenRow): Owner | undefined =>
  type === null || id === null ? undefined : { type, id }

const toFamily = (row: TokenRow): RefreshFamily => {
  if (!isGrantName(row.grant_name))
    throw new Error(`refresh family ${row.family_id} has the unknown grant '${row.grant_name}'`)
  const owner = ownerOf(row)
  return {
    credentialId: toPublicId('applications', row.credential_id),
    scope: row.scope,
    grant: row.grant_name,
    ...(owner === undefined ? {} : { owner }),
    ...(row.custom_claim === null
      ? {}
      : { customClaim: JSON.parse(row.custom_claim) as Record<string, unknown> }),
    ...(row.password_mark === null ? {} : { passwordMark: row.password_mark }),
  }
}

const toUses = (row: UseRow) => ({
  isSuccessorUsed: row.is_successor_used,
  isSiblingUsed: row.is_sibling_used,
  ...(row.used_at === null ? {} : { usedAt: row.used_at }),
})

const fromRow = (row: TokenRow): StoredRefreshToken => ({
  id: row.id,
  familyId: row.family_id,
  family: toFamily(row),
  signedInAt: row.signed_in_at,
  isFamilyRevoked: row.revoked_at !== null,
  expiresAt: row.expires_at,
  ...toUses(row),
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

/** With the family locked, so that what it reads is what is so: a statement of its own, for it sees what was before it began. */
const isReplayed = async (
  transaction: DatabaseTransaction,
  { id }: StoredRefreshToken,
  at: Date,
  graceSeconds: number,
): Promise<boolean> => {
  const [row] = await transaction.$queryRaw<UseRow[]>`
    SELECT token.used_at, ${OTHER_USES} FROM refresh_tokens token WHERE token.id = ${id}`
  if (row === undefined) throw new Error(`refresh token ${id} was removed while its family was locked`)
  return isReplay(toUses(row), at, graceSeconds)
}

/** The first use alone is noted as the one. */
const exchange = async (
  transaction: DatabaseTransaction,
  { id, familyId }: StoredRefreshToken,
  successor: NewRefreshToken,
  at: Date,
): Promise<void> => {
  await transaction.$executeRaw`
    WITH used AS (UPDATE refresh_tokens SET used_at = ${at} WHERE id = ${id} AND used_at IS NULL)
    INSERT INTO refresh_tokens
      (family_id, parent_id, token_hash, access_token_id, access_expires_at, created_at, expires_at)
    VALUES (${familyId}, ${id}, ${successor.tokenHash}, ${successor.accessTokenId}::uuid,
            ${successor.accessExpiresAt}, ${successor.createdAt}, ${successor.expiresAt})`
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

const beginFamily = async (
  database: Database,
  family: RefreshFamily,
  token: NewRefreshToken,
): Promise<BeginOutcome> => {
  const { owner, passwordMark } = family
  if (owner?.type !== 'User') {
    await createFamily(database, family, token)
    return 'begun'
  }
  return database.$transaction(async (transaction) => {
    if (!(await isUserUnchanged(transaction, owner.id, passwordMark))) return 'user_changed'
    await createFamily(transaction, family, token)
    return 'begun'
  })
}

export const createRefreshTokenStore = (database: Database): RefreshTokenStore => ({
  begin: async (family, token) => {
    try {
      return await beginFamily(database, family, token)
    } catch (error) {
      if (isReferenceBroken(error)) return 'client_gone'
      throw error
    }
  },

  findByHash: async (tokenHash) => {
    const [row] = await database.$queryRaw<TokenRow[]>`
      SELECT token.id, token.family_id, token.expires_at, token.used_at, ${OTHER_USES},
             family.credential_id, family.owner_type::text, family.owner_id, family.scope, family.grant_name,
             family.custom_claim, family.password_mark, family.revoked_at,
             family.created_at AS signed_in_at
      FROM refresh_tokens token JOIN refresh_families family ON family.id = token.family_id
      WHERE token.token_hash = ${tokenHash}`
    return row === undefined ? undefined : fromRow(row)
  },

  rotate: (used, successor, at, graceSeconds) =>
    database.$transaction<RotationOutcome>(async (transaction) => {
      if (!(await lockFamily(transaction, used.familyId))) return 'revoked'
      if (await isReplayed(transaction, used, at, graceSeconds)) return 'replayed'
      await exchange(transaction, used, successor, at)
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
