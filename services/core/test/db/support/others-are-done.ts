import { pause } from '@merx/telemetry/pause'
import type { Database } from '../../../src/engine/database/database.ts'

const WAIT_MS = 20

/**
 * Transactions that run now in other databases of the cluster, or in the server itself, hold the feed back as those of
 * this database do. Suites that run side by side share a cluster, so a reader waits for the ones begun before it.
 */
export const othersAreDone = async (database: Database): Promise<void> => {
  const [begun] = await database.query<{ next: number }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next',
  )
  for (;;) {
    const running = await database.query(
      `SELECT pid FROM pg_stat_activity
       WHERE backend_xid::text::bigint < $1
         AND (datname IS DISTINCT FROM current_database() OR backend_type <> 'client backend')`,
      [begun?.next],
    )
    if (running.length === 0) return
    await pause(WAIT_MS, AbortSignal.timeout(WAIT_MS * 2))
  }
}
