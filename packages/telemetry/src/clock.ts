/** Where the time comes from; tests pass a clock that stands still. */
export interface Clock {
  now(): Date
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() }
