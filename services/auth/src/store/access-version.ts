/** The version of the access state: what running services must learn of takes the next one. */
import type { DatabaseTransaction } from './prisma-client.ts'

/** Replicas and their long polls are woken through this channel. */
export const ACCESS_STATE_CHANNEL = 'merx_access_state'

/** The id of the one row. */
export const ACCESS_STATE_ROW = 1

/**
 * Takes the next version inside a transaction and announces it. The row stays locked until the commit, so versions
 * become visible in order, and who has read up to one has missed none below. PostgreSQL delivers the notification
 * after the commit, and only then.
 */
export const takeNextVersion = async (transaction: DatabaseTransaction): Promise<bigint> => {
  const { version } = await transaction.accessState.update({
    where: { id: ACCESS_STATE_ROW },
    data: { version: { increment: 1 } },
  })
  await transaction.$executeRaw`SELECT pg_notify(${ACCESS_STATE_CHANNEL}, ${String(version)})`
  return version
}
