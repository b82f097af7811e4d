/** Records results by second and operation. */
import { createLatencies, type Latencies } from './latencies.ts'

/** Counted in the second in which a request was due, whenever its answer came. */
export interface Second {
  /** From the beginning of the run. */
  readonly second: number
  readonly offered: number
  readonly answered: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly rssBytes?: number
  readonly lagP99Ms?: number
}

export interface OperationResult {
  readonly name: string
  readonly answered: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Timeline {
  readonly seconds: readonly Second[]
  readonly operations: readonly OperationResult[]
  /** The first failure, in words. */
  readonly failure?: string
}

/** What was seen of the target in one second. */
interface SeenMemory {
  readonly rssBytes: number
  readonly lagP99Ms?: number
}

interface Tally {
  offered: number
  failures: number
  readonly latencies: Latencies
  memory?: SeenMemory
}

const createTally = (): Tally => ({ offered: 0, failures: 0, latencies: createLatencies() })

const figuresOf = ({ failures, latencies }: Tally) => ({
  answered: latencies.count,
  failures,
  p50Ms: latencies.percentile(50),
  p99Ms: latencies.percentile(99),
})

/** Collects answers and failures; `take` gives what came together. */
export const createRecorder = () => {
  const bySecond = new Map<number, Tally>()
  const byOperation = new Map<string, Tally>()
  let failure: string | undefined

  const of = <Key>(tallies: Map<Key, Tally>, key: Key): Tally => {
    const tally = tallies.get(key) ?? createTally()
    tallies.set(key, tally)
    return tally
  }
  const both = (second: number, operation: string): readonly Tally[] => [
    of(bySecond, second),
    of(byOperation, operation),
  ]

  return {
    offer: (second: number, operation: string): void => {
      for (const tally of both(second, operation)) tally.offered += 1
    },
    answer: (second: number, operation: string, ms: number): void => {
      for (const { latencies } of both(second, operation)) latencies.add(ms)
    },
    fail: (second: number, operation: string, reason: string): void => {
      failure ??= `${operation}: ${reason}`
      for (const tally of both(second, operation)) tally.failures += 1
    },
    memory: (second: number, memory: SeenMemory): void => {
      of(bySecond, second).memory = memory
    },
    take: (): Timeline => ({
      seconds: [...bySecond]
        .sort(([one], [other]) => one - other)
        .map(([second, tally]) => ({
          second,
          offered: tally.offered,
          ...figuresOf(tally),
          ...tally.memory,
        })),
      operations: [...byOperation].map(([name, tally]) => ({ name, ...figuresOf(tally) })),
      ...(failure === undefined ? {} : { failure }),
    }),
  }
}

/** Sums over some seconds of a run. The percentile is the median of theirs. */
export const summarize = (seconds: readonly Second[]) => {
  const sum = (pick: (second: Second) => number): number =>
    seconds.reduce((total, second) => total + pick(second), 0)
  const middle = (values: readonly number[]): number =>
    values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
  const offered = sum((second) => second.offered)
  return {
    offered,
    answered: sum((second) => second.answered),
    failures: sum((second) => second.failures),
    perSecond: offered / Math.max(1, seconds.length),
    p50Ms: middle(seconds.map((second) => second.p50Ms)),
    p99Ms: middle(seconds.map((second) => second.p99Ms)),
  }
}
