/** For tests of what two do at once: one holds a lock, the other has come to wait for it. */
import { eventually } from '@merx/testing/eventually'
import type { TestSystem } from './auth-system.ts'
import { runSql } from './sql.ts'

/** Until a statement waits for a lock of somebody else. */
export const untilSomebodyWaits = async ({ databaseUrl }: Pick<TestSystem, 'databaseUrl'>): Promise<void> => {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await eventually(async () => (await runSql(databaseUrl, waiting)).length > 0)
}
