/** An engine that runs a bounded number of reads at once, so that a burst of queries cannot starve the ingest. */
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@merx/errors/app-error'
import type { Engine } from './engine.ts'

export interface ConcurrencyOptions {
  /** Reads running at once. */
  readonly runningMax: number
  /** Reads waiting for their turn; one more is refused with 503. */
  readonly waitingMax: number
  /** Milliseconds after which what waits for quiet begins nevertheless: 500 unless told otherwise. */
  readonly quietWaitMaxMs?: number
}

export interface LimitedEngine extends Engine {
  /**
   * Resolves when no read runs, or has waited long enough for that. For reads that nobody waits for: beside a query they
   * take a processor from it (docs/adr/0033-queries-at-once-on-the-embedded-engine.md).
   */
  quiet(): Promise<void>
}

const QUIET_WAIT_MAX_MS = 500
const QUIET_LOOK_MS = 10

/** Reads wait in order of arrival; one whose signal aborts leaves the queue. Writes are not counted. */
export const limitConcurrency = (engine: Engine, options: ConcurrencyOptions): LimitedEngine => {
  let running = 0
  const waiting: (() => void)[] = []

  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    if (running < options.runningMax) {
      running += 1
      return
    }
    if (waiting.length >= options.waitingMax) throw new AppError('metrics_engine_unavailable')
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const proceed = () => {
      resolve(undefined)
    }
    const leave = () => {
      const at = waiting.indexOf(proceed)
      if (at === -1) return
      waiting.splice(at, 1)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    waiting.push(proceed)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Hands the place over to the next in the queue, or frees it. */
  const exit = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  const inTurn = async <T>(signal: AbortSignal | undefined, read: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    await enter(signal)
    try {
      return await read()
    } finally {
      exit()
    }
  }

  return {
    ...engine,
    quiet: async () => {
      const untilMs = performance.now() + (options.quietWaitMaxMs ?? QUIET_WAIT_MAX_MS)
      // whoever asks now is about to read something else, so the first look is not at once
      do await wait(QUIET_LOOK_MS)
      while (running > 0 && performance.now() < untilMs)
    },
    run: (statement, budget, signal) => inTurn(signal, () => engine.run(statement, budget, signal)),
    runCounted: (statement, budget, signal) =>
      inTurn(signal, () => engine.runCounted(statement, budget, signal)),
  }
}
