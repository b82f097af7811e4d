/** The order feed as core serves it: pages, long polls, and refreshing documents that show renamed records. */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { OrderFeedPage } from '@merx/order-feed/order-document'
import type { Logger } from '@merx/telemetry/logger'
import type { Database } from '../engine/database/database.ts'
import { createChangeSignal } from './change-signal.ts'
import { readOrderFeed } from './read-order-feed.ts'
import { createRenameMaintenance, RENAMES } from './rename-maintenance.ts'

export interface FeedRequest {
  readonly after?: string | undefined
  /** At most this many entries, 1 to 500. */
  readonly limit: number
  /** How long to wait for the first entry, up to 25000. */
  readonly waitMs: number
  /** Ends the wait, for example because the caller has gone. */
  readonly signal?: AbortSignal
}

export interface OrderFeed {
  read(request: FeedRequest): Promise<OrderFeedPage>
  /** Begins to listen and to refresh; `read` works without, only slower. */
  start(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL's channel, see the migration order_feed. */
const CHANGES = 'order_changes'

/** How soon to look again at changes that wait for an older transaction to end: nothing tells when it does. */
const HELD_BACK_DELAY_MS = 20

export const createOrderFeed = ({
  database,
  ids,
  log,
}: {
  readonly database: Database
  readonly ids: PublicIds
  readonly log: Logger
}): OrderFeed => {
  const signal = createChangeSignal({
    url: database.url,
    channels: [CHANGES, RENAMES],
    log,
  })
  const maintenance = createRenameMaintenance({ database, signal, log })
  return {
    read: async ({ after, limit, waitMs, signal: abort }) => {
      const deadline = performance.now() + waitMs
      for (;;) {
        const mark = signal.mark(CHANGES)
        const { page, isHeldBack } = await readOrderFeed({ database, ids }, { after, limit })
        const leftMs = deadline - performance.now()
        const isOver = leftMs <= 0 || signal.isClosed || abort?.aborted === true
        if (page.entries.length > 0 || isOver) return page
        await signal.after(CHANGES, mark, isHeldBack ? Math.min(HELD_BACK_DELAY_MS, leftMs) : leftMs, abort)
      }
    },
    start: async () => {
      await signal.start()
      maintenance.start()
    },
    close: async () => {
      await signal.close()
      await maintenance.close()
    },
  }
}
