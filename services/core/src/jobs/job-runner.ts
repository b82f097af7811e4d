/**
 * The workers of this process: each does one step after the other while there are any, then waits to be woken. What
 * there is to do, and who does it, is decided by locks in the database, so any number of processes share the work.
 */
import { AppError } from '@merx/errors/app-error'
import type { Logger } from '@merx/telemetry/logger'

/** Does one bounded piece of work in its own transaction; false when there is none. */
export type Step = () => Promise<boolean>

export interface JobRunnerOptions {
  readonly steps: readonly Step[]
  /** Steps that this process does at once. */
  readonly concurrency: number
  /** How long a worker without work waits before it looks for some that another process was given. */
  readonly pollMs: number
  readonly log: Logger
}

export interface JobRunner {
  start(): void
  /** There is work now. */
  wake(): void
  /** Does what there is to do and returns; for tests and scripts. */
  runUntilIdle(): Promise<void>
  /** Ends after the steps under way. */
  close(): Promise<void>
}

const AFTER_FAILURE_MS = 1_000

export const createJobRunner = ({ steps, concurrency, pollMs, log }: JobRunnerOptions): JobRunner => {
  const waiting = new Set<() => void>()
  const workers: Promise<void>[] = []
  let isClosed = false
  let wakes = 0

  const pause = (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const end = (): void => resolve(undefined)
    waiting.add(end)
    const timer = setTimeout(end, ms)
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(end)
    })
  }
  const wake = (): void => {
    wakes += 1
    for (const end of waiting) end()
  }
  const round = async (): Promise<boolean> => {
    let isBusy = false
    for (const step of steps) isBusy = (!isClosed && (await step())) || isBusy
    return isBusy
  }
  const work = async (): Promise<void> => {
    while (!isClosed) {
      try {
        // Work that came while this round looked for some is not missed.
        const before = wakes
        if (!(await round()) && wakes === before && !isClosed) await pause(pollMs)
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'service_unavailable'
        if (isAway) log.warn({ err: error }, 'a job waits for the database')
        else log.error({ err: error }, 'a job failed')
        if (!isClosed) await pause(AFTER_FAILURE_MS)
      }
    }
  }
  return {
    start: () => {
      for (let index = workers.length; index < concurrency; index += 1) workers.push(work())
    },
    wake,
    runUntilIdle: async () => {
      while (await round());
    },
    close: async () => {
      isClosed = true
      wake()
      await Promise.all(workers)
    },
  }
}
