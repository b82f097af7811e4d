/** An engine that runs a bounded number of reads at once, so that a burst of queries cannot starve the ingest. */
import { AppError } from '@merx/errors/app-error'
import type { Engine } from './engine.ts'

export interface ConcurrencyOptions {
  /** Reads running at once. */
  readonly runningMax: number
  /** Reads waiting for their turn; one more is refused with 503. */
  readonly waitingMax: number
}

/** Reads wait in order of arrival; one whose signal aborts leaves the queue. Writes are not counted. */
export const limitConcurrency = (engine: Engine, options: ConcurrencyOptions): Engine => {
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
    run: (statement, budget, signal) => inTurn(signal, () => engine.run(statement, budget, signal)),
    runCounted: (statement, budget, signal) =>
      inTurn(signal, () => engine.runCounted(statement, budget, signal)),
  }
}
