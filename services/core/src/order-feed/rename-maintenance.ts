/**
 * Renaming a market, a customer group, a method or a location changes the documents of all its orders, and so does what
 * else they show of it. The database notes it (migrations order_feed, part 4, and shown_columns_noted); this works it off
 * in steps, so that no transaction gets long.
 */
import type { Logger } from '@merx/telemetry/logger'
import type { Database } from '../engine/database/database.ts'
import type { ChangeSignal } from './change-signal.ts'

export interface RenameMaintenance {
  start(): void
  /** Resolves when the step that runs has ended. */
  close(): Promise<void>
}

/** PostgreSQL's channel, see the migration order_feed. */
export const RENAMES = 'order_refreshes'

const ORDERS_PER_STEP = 500
/** Between looks when nothing was notified, and after a failure. */
const IDLE_MS = 5_000

/** Refreshes until no rename is left; gives how many orders were looked at. */
export const refreshRenamedOrders = async (database: Database): Promise<number> => {
  let total = 0
  for (;;) {
    const [row] = await database.query<{ count: number }>('SELECT refresh_orders($1) AS count', [
      ORDERS_PER_STEP,
    ])
    if (row === undefined || row.count === 0) return total
    total += row.count
  }
}

export const createRenameMaintenance = ({
  database,
  signal,
  log,
}: {
  readonly database: Database
  readonly signal: ChangeSignal
  readonly log: Logger
}): RenameMaintenance => {
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    while (!signal.isClosed) {
      const mark = signal.mark(RENAMES)
      try {
        const count = await refreshRenamedOrders(database)
        if (count > 0) log.info({ orders: count }, 'orders with renamed records were refreshed')
      } catch (error) {
        log.error({ err: error }, 'refreshing orders with renamed records failed; it is tried again')
      }
      await signal.after(RENAMES, mark, IDLE_MS)
    }
  }
  return {
    start: () => {
      running ??= run()
    },
    close: async () => {
      await running
    },
  }
}
