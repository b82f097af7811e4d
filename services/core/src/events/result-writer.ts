/** Writes results in batches: while one is written the next ones gather. */
import { recordResults } from './record-results.ts'
import type { AttemptResult, FailingWebhook, NotCalled, RecordingDeps } from './record-results.ts'

export interface ResultWriter {
  /** Resolves when it is written; rejects when it was not, and the delivery is due again. */
  add(item: AttemptResult | NotCalled): Promise<void>
}

/** Results of one transaction. */
const RESULTS_MAX = 500

interface Waiting {
  readonly item: AttemptResult | NotCalled
  readonly done: PromiseWithResolvers<void>
}

/** @param onFailing told of each webhook that somebody should look at, before its result resolves */
export const createResultWriter = (
  deps: RecordingDeps,
  onFailing: (failing: FailingWebhook) => void,
): ResultWriter => {
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const items = batch.map(({ item }) => item)
    try {
      const called = items.filter((item) => 'result' in item)
      const notCalled = items.filter((item) => 'outcome' in item)
      for (const failing of await recordResults(called, notCalled, deps)) onFailing(failing)
      for (const { done } of batch) done.resolve()
    } catch (error) {
      // The rows are as they were, so they are due again: at least once.
      for (const { done } of batch) done.reject(error)
    }
  }
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, RESULTS_MAX)
      waiting = waiting.slice(RESULTS_MAX)
      await writeBatch(batch)
    }
    writing = undefined
  }
  return {
    add: (item) => {
      const done = Promise.withResolvers<void>()
      waiting.push({ item, done })
      writing ??= Promise.resolve().then(write)
      return done.promise
    },
  }
}
