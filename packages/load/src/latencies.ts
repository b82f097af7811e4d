/** Durations in a histogram of microseconds with three significant digits. */
import { createHistogram } from 'node:perf_hooks'

export interface Latencies {
  add(ms: number): void
  readonly count: number
  /** Milliseconds; 0 while there is none. */
  percentile(percent: number): number
  readonly maxMs: number
}

const US_PER_MS = 1000

export const createLatencies = (): Latencies => {
  const histogram = createHistogram({ figures: 3 })
  return {
    add: (ms) => histogram.record(Math.max(1, Math.round(ms * US_PER_MS))),
    get count() {
      return histogram.count
    },
    percentile: (percent) => (histogram.count === 0 ? 0 : histogram.percentile(percent) / US_PER_MS),
    get maxMs() {
      return histogram.count === 0 ? 0 : histogram.max / US_PER_MS
    },
  }
}
