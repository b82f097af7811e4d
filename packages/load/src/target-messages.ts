/** Messages between a target's process and the process that measures. */

/** Taken inside the target; `lag` is how late its event loop was since the last reset. */
export interface TargetSample {
  readonly rssBytes: number
  readonly heapUsedBytes: number
  /** Processor time of all its threads since it started. */
  readonly cpuMs: number
  readonly lagP50Ms: number
  readonly lagP99Ms: number
  readonly lagMaxMs: number
}

export type TargetRequest =
  | { readonly kind: 'start'; readonly input: unknown }
  | { readonly kind: 'sample'; readonly id: number; readonly collectGarbage: boolean }
  | { readonly kind: 'reset_lag' }
  | { readonly kind: 'stop' }

export type TargetReply =
  | { readonly kind: 'ready'; readonly url: string; readonly facts: unknown }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'sample'; readonly id: number; readonly sample: TargetSample }
