import type { Pass } from './index.ts'

/** Instants the engine's DateTime64(3) holds and that no order lies outside of. */
export const EARLIEST_MS = Date.UTC(1970, 0, 1)
export const LATEST_MS = Date.UTC(2200, 0, 1)

const clamp = (instant: Date): Date => new Date(Math.min(Math.max(instant.getTime(), EARLIEST_MS), LATEST_MS))

/** Brings the date range within what the engine can compare. */
export const clampRange: Pass = (plan) => {
  const { range } = plan.reach
  if (range === undefined) return plan
  return {
    ...plan,
    reach: { ...plan.reach, range: { ...range, from: clamp(range.from), to: clamp(range.to) } },
  }
}
