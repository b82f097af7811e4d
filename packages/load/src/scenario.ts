/** A service alone under a realistic mix of requests. */
import type { BenchContext, Check } from './bench.ts'
import type { CallerOf } from './closed-loop.ts'

/** One thing clients do. Operations are chosen at random by weight. */
export interface LoadOperation {
  readonly name: string
  readonly weight: number
  readonly callerOf: CallerOf
}

/** What load has to know of what it measures; a Target is one. */
export interface LoadTarget {
  readonly url: string
  /** @param collectGarbage first, so that memory is what is held. What is unknown is absent. */
  readonly sample: (collectGarbage?: boolean) => Promise<LoadTargetSample>
  /** Starts a new count of the event-loop lag. */
  readonly resetLag: () => void
}

export interface LoadTargetSample {
  readonly rssBytes: number
  readonly heapUsedBytes?: number
  readonly lagP99Ms?: number
}

/** What runs and what is asked of it. */
export interface LoadSystem {
  readonly target: LoadTarget
  readonly operations: readonly LoadOperation[]
  /** What must hold once a long profile is over: waits for what is under way, and looks. */
  readonly settle?: () => Promise<readonly Check[]>
}

/** What a file `services/<name>/load/<name>.load.ts` exports as `scenario`. */
export interface LoadScenario {
  /** What the mix stands for, in one sentence. */
  readonly summary: string
  /** Starts the service with its neighbours replaced by recorded contracts. */
  readonly open: (context: BenchContext) => Promise<LoadSystem>
}
