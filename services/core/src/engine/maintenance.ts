/** Background maintenance of the bitmap index and of the log that the response cache validates against. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import { mergeChanges } from './bitmap-index/merge-changes.ts'
import type { Queryable } from './database/database.ts'
import { trimChangeLog } from './response-cache/trim-change-log.ts'

export interface Maintenance {
  start(): void
  /** Resolves when the step that runs has ended. */
  close(): Promise<void>
}

/** Between two steps while there are changes: readers apply at most what comes in this time. */
const BUSY_MS = 250
const IDLE_MS = 1_000
/** Between two trims of the log, so the least time that a cached response stays usable. */
const TRIM_MS = 30_000

export const createMaintenance = (deps: {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Logger
}): Maintenance => {
  const { database, clock, log } = deps
  const closing = new AbortController()
  let trimmedAt = -Infinity
  let running: Promise<void> | undefined

  const step = async (): Promise<number> => {
    const merged = await mergeChanges(database)
    const now = clock.now().getTime()
    if (now - trimmedAt >= TRIM_MS) {
      trimmedAt = now
      await trimChangeLog(database)
    }
    return merged
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      let waitMs = IDLE_MS
      try {
        if ((await step()) > 0) waitMs = BUSY_MS
      } catch (error) {
        log.error({ err: error }, 'maintenance of the bitmap index failed; it will be retried')
      }
      await pause(waitMs, closing.signal)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}
