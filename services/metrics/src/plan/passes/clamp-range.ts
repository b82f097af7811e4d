/** The pass that brings the date range within what the engine can compare. */
import type { Pass } from './pass.ts'

/** Instants that the engine's DateTime64(3) holds. Of those that a request can name only the year 0 lies outside. */
export const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z')
export const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

const clamp = (instant: Date): Date => new Date(Math.min(Math.max(instant.getTime(), EARLIEST_MS), LATEST_MS))

export const clampRange: Pass = (plan) => {
  const { range } = plan.reach
  if (range === undefined) return plan
  return {
    ...plan,
    reach: { ...plan.reach, range: { ...range, from: clamp(range.from), to: clamp(range.to) } },
  }
}
