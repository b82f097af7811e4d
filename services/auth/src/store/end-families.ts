/** Ends refresh families of a user, and the access tokens that families gave. */
import type { DatabaseTransaction } from './prisma-client.ts'

/** Locked in one order, so that two who end the same families wait for each other. @returns those that were alive */
export const endFamiliesOfUser = async (
  transaction: DatabaseTransaction,
  userId: string,
  at: Date,
): Promise<readonly bigint[]> => {
  const rows = await transaction.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM refresh_families WHERE owner_type = 'User' AND owner_id = ${userId} AND revoked_at IS NULL
    ORDER BY id FOR UPDATE`
  const ids = rows.map(({ id }) => id)
  await transaction.refreshFamily.updateMany({ where: { id: { in: ids } }, data: { revokedAt: at } })
  return ids
}

/**
 * By name, besides any cut-off by time: clocks of replicas differ, and a token may have been made while the transaction
 * waited. Call it with the families locked. `stateVersion` is one the transaction took.
 */
export const revokeAccessTokensOf = async (
  transaction: DatabaseTransaction,
  familyIds: readonly bigint[],
  { at, stateVersion }: { at: Date; stateVersion: bigint },
): Promise<void> => {
  await transaction.$executeRaw`
    INSERT INTO revocations (token_id, expires_at, state_version, created_at)
    SELECT access_token_id, max(access_expires_at), ${stateVersion}, ${at}
    FROM refresh_tokens WHERE family_id = ANY(${familyIds}) AND access_expires_at > ${at}
    GROUP BY access_token_id
    ON CONFLICT (token_id) DO NOTHING`
}
