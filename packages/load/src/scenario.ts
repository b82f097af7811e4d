/** A service alone under a realistic mix of requests. */
import type { BenchContext } from './bench.ts'
import type { CallerOf } from './closed-loop.ts'
import type { Target } from './target.ts'

/** One thing clients do. Operations are chosen at random by weight. */
export interface LoadOperation {
  readonly name: string
  readonly weight: number
  readonly callerOf: CallerOf
}

/** What runs and what is asked of it. */
export interface LoadSystem {
  readonly target: Target
  readonly operations: readonly LoadOperation[]
}

/** What a file `services/<name>/load/<name>.load.ts` exports as `scenario`. */
export interface LoadScenario {
  /** What the mix stands for, in one sentence. */
  readonly summary: string
  /** Starts the service with its neighbours replaced by recorded contracts. */
  readonly open: (context: BenchContext) => Promise<LoadSystem>
}
