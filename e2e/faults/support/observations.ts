/** What users saw: every request of the load with its outcome, and what follows from all of them. */
import { SERVICES, type ServiceName } from './service-process.ts'

/** `none`: the connection broke, or nothing came within the client's patience. */
export type Outcome = number | 'none'

export interface Observation {
  readonly service: ServiceName
  /** Of performance.now(), when the answer was read. */
  readonly at: number
  readonly outcome: Outcome
}

export interface Sight {
  readonly requests: number
  readonly failed: number
  /** Failures of each interface by outcome: `{ core: { 503: 12 } }`. */
  readonly failures: Readonly<Record<ServiceName, Readonly<Record<string, number>>>>
  /** Longest time without a good answer, by interface, in milliseconds. */
  readonly longestGapMs: Readonly<Record<ServiceName, number>>
  /** From the repair to the last failure; 0 when nothing failed after it. */
  readonly recoveredMs: number
}

export const isGood = (outcome: Outcome): boolean => outcome !== 'none' && outcome < 400

const countOutcomes = (failures: readonly Observation[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { outcome } of failures) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const longestGap = (times: readonly number[], from: number, to: number): number => {
  const edges = [from, ...times, to]
  return Math.round(Math.max(...edges.slice(1).map((at, index) => at - (edges[index] ?? at))))
}

export interface Span {
  readonly from: number
  readonly repairedAt: number
  readonly to: number
}

/** Pure. `observations` are in the order of their times. */
export const summarize = (observations: readonly Observation[], { from, repairedAt, to }: Span): Sight => {
  const failures = observations.filter(({ outcome }) => !isGood(outcome))
  const byService = <T>(compute: (name: ServiceName) => T): Record<ServiceName, T> => ({
    auth: compute('auth'),
    core: compute('core'),
    metrics: compute('metrics'),
  })
  const good = (name: ServiceName): number[] =>
    observations.flatMap(({ service, outcome, at }) => (service === name && isGood(outcome) ? [at] : []))
  const lastFailureAt = failures.at(-1)?.at ?? repairedAt
  return {
    requests: observations.length,
    failed: failures.length,
    failures: byService((name) => countOutcomes(failures.filter(({ service }) => service === name))),
    longestGapMs: byService((name) => longestGap(good(name), from, to)),
    recoveredMs: Math.max(0, Math.round(lastFailureAt - repairedAt)),
  }
}

/** True when each interface has answered well for `ms`, and at least once since `since`. */
export const isQuiet = (
  observations: readonly Observation[],
  since: number,
  ms: number,
  now = performance.now(),
): boolean => {
  const recent = observations.filter(({ at }) => at >= Math.max(since, now - ms))
  return (
    now - since >= ms &&
    recent.every(({ outcome }) => isGood(outcome)) &&
    SERVICES.every((name) => recent.some(({ service }) => service === name))
  )
}
