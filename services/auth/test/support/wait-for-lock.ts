/** For tests of what two do at once: one holds a lock, the other has come to wait for it. */
import type { TestSystem } from './auth-system.ts'
import { runSql } from './sql.ts'

const PATIENCE_MS = 5_000

/** Until a statement waits for a lock of somebody else. */
export const untilSomebodyWaits = async ({ databaseUrl }: Pick<TestSystem, 'databaseUrl'>): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  while ((await runSql(databaseUrl, waiting)).length === 0) {
    if (performance.now() > deadline) throw new Error('nobody came to wait')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
