/** A clock that moves only when a test moves it. */
import type { Clock } from '@merx/telemetry/clock'

/** A clock that stands still until `advance` moves it. */
export interface FakeClock extends Clock {
  /** Moves forward; fractions of a second are allowed, going back is not. */
  advance(seconds: number): void
  /** Jumps to an instant at or after the present one. */
  set(instant: Date | string): void
}

/**
 * @param start ISO 8601 or Date; default 2026-01-15T12:00:00Z
 * @example const clock = createFakeClock('2026-03-01T00:00:00Z'); clock.advance(61)
 */
export const createFakeClock = (start: Date | string = '2026-01-15T12:00:00.000Z'): FakeClock => {
  let millis = toMillis(start)
  const moveTo = (next: number): void => {
    if (next < millis) throw new RangeError('a fake clock never goes back')
    millis = next
  }
  return {
    now: () => new Date(millis),
    advance: (seconds) => moveTo(millis + Math.round(seconds * 1000)),
    set: (instant) => moveTo(toMillis(instant)),
  }
}

const toMillis = (instant: Date | string): number => {
  const millis = new Date(instant).getTime()
  if (Number.isNaN(millis)) throw new RangeError(`${String(instant)} is not an instant`)
  return millis
}
