/**
 * One statement says which queues have a job that is due, and their workers are woken. Two workers of 24 queues that each look for
 * themselves would be two dozen statements a second while nothing happens.
 */
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import pLimit from 'p-limit'
import type { Database } from '../engine/database/database.ts'
import { JOBS_SCHEMA, logQueueError } from './open-boss.ts'

/** Also how late a repetition begins, or a job that another process enqueued. */
const LOOK_MS = 2_000

export interface DueLooker {
  /** Looks now, once more when it is looking already. */
  look(): void
  /** Looks every two seconds until it is closed. */
  follow(): Promise<void>
  /** Waits for the look that is under way; none begins any more. */
  close(): Promise<void>
}

export interface DueLookerOptions {
  readonly database: Pick<Database, 'pool'>
  readonly log: Logger
  /** @param queue its name */
  readonly wake: (queue: string) => void
}

const DUE = `SELECT name FROM ${JOBS_SCHEMA}.queue AS queue WHERE EXISTS (
  SELECT FROM ${JOBS_SCHEMA}.job WHERE job.name = queue.name AND job.state < 'active' AND job.start_after <= now()
)`

/** Nothing is thrown: a database that is unavailable is logged. */
export const createDueLooker = ({ database, log, wake }: DueLookerOptions): DueLooker => {
  const oneAtATime = pLimit(1)
  const closing = new AbortController()
  const look = async (): Promise<void> => {
    if (closing.signal.aborted) return
    try {
      const { rows } = await database.pool.query<{ readonly name: string }>(DUE)
      for (const { name } of rows) wake(name)
    } catch (error) {
      logQueueError(log, error)
    }
  }
  return {
    look: () => {
      if (oneAtATime.pendingCount === 0) void oneAtATime(look)
    },
    follow: async () => {
      while (!closing.signal.aborted) {
        await oneAtATime(look)
        await pause(LOOK_MS, closing.signal)
      }
    },
    close: () => {
      closing.abort()
      return oneAtATime(look) // behind those that were begun, and does nothing itself
    },
  }
}
