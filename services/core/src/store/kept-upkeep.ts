/**
 * The upkeep of kept sets (migrations kept_sets and kept_code_starts): moves noted changes into the bitmaps, so that
 * readers have few to apply, and keeps the starts of codes that are asked for. Answers are exact with or without it.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import type { Queryable } from '../engine/database/database.ts'

/** Hears which starts of codes are asked for. */
export interface CodeStarts {
  note(environmentId: number, start: string): void
}

export interface KeptUpkeep extends CodeStarts {
  start(): void
  /** Resolves when the step that runs has ended. */
  close(): Promise<void>
}

const CHANGES_PER_STEP = 5_000
/** Between looks while there are changes: what a reader has to apply is at most what comes in this time. */
const BUSY_MS = 250
const IDLE_MS = 1_000
/** Between foldings of the log of codes. */
const CODES_MS = 5_000
/** Between two forgettings of catalogue changes, so the least time that an answer can be given again. */
const CATALOGUE_MS = 30_000
/** A start that fewer codes have is read from the index as fast. */
const CODES_MIN = 500
/** Of one environment; 128 KB each at a million SKUs. */
const STARTS_MAX = 64
/** How long a start that was asked for is not looked at again. */
const ASKED_MS = 60_000
/** Of all environments; the ones beyond are noted when they are asked for again. */
const NOTED_MAX = 1_000

export const createKeptUpkeep = (deps: {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Logger
}): KeptUpkeep => {
  const { database, clock, log } = deps
  const closing = new AbortController()
  const starts = createNotedStarts(clock)
  const codes = createInterval(clock, CODES_MS)
  const catalogue = createInterval(clock, CATALOGUE_MS)
  let running: Promise<void> | undefined

  const step = async (): Promise<number> => {
    const folded = await foldChanges(database)
    for (const { environmentId, start } of starts.take()) await keepCodeStart(database, environmentId, start)
    if (codes.isDue()) await database.query('SELECT kept.fold_codes()')
    if (catalogue.isDue()) await database.query('SELECT kept.forget_catalogue_changes()')
    return folded
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      let waitMs = IDLE_MS
      try {
        if ((await step()) > 0) waitMs = BUSY_MS
      } catch (error) {
        log.error({ err: error }, 'the upkeep of kept sets failed; it is tried again')
      }
      await pause(waitMs, closing.signal)
    }
  }

  return {
    note: starts.note,
    start: () => {
      running ??= run()
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/** Moves noted changes into the sets until none is left; gives how many. Another process may be at it: then none. */
export const foldChanges = async (database: Queryable): Promise<number> => {
  let total = 0
  for (;;) {
    const [row] = await database.query<{ count: number | null }>('SELECT kept.fold($1) AS count', [
      CHANGES_PER_STEP,
    ])
    const count = row?.count ?? 0
    total += count
    if (count < CHANGES_PER_STEP) return total
  }
}

/** Keeps the SKUs whose codes begin with `start`, whatever its case, if there are enough of them. */
export const keepCodeStart = async (
  database: Queryable,
  environmentId: number,
  start: string,
): Promise<void> => {
  await database.query('SELECT kept.keep_code_start($1, lower($2), $3, $4)', [
    environmentId,
    start,
    CODES_MIN,
    STARTS_MAX,
  ])
}

/** Due at first, then when that much time has gone since it was. */
const createInterval = (clock: Clock, ms: number) => {
  let lastAt = -Infinity
  return {
    isDue: (): boolean => {
      const now = clock.now().getTime()
      const isDue = now - lastAt >= ms
      if (isDue) lastAt = now
      return isDue
    },
  }
}

interface NotedStart {
  readonly environmentId: number
  readonly start: string
}

/** Each start once in a while, however often it is asked for. */
const createNotedStarts = (clock: Clock) => {
  const known = new Map<string, number>()
  let waiting: NotedStart[] = []
  return {
    note: (environmentId: number, start: string): void => {
      const key = `${environmentId}/${start}`
      const now = clock.now().getTime()
      if (now - (known.get(key) ?? -Infinity) < ASKED_MS) return
      if (known.size >= NOTED_MAX) known.clear()
      if (waiting.length >= NOTED_MAX) return
      known.set(key, now)
      waiting.push({ environmentId, start })
    },
    take: (): readonly NotedStart[] => {
      const taken = waiting
      waiting = []
      return taken
    },
  }
}
