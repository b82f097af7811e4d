/**
 * The one reader of the events in a process, for all streams: it looks while somebody listens, keeps what is recent in memory, and
 * wakes those whose shop has news. Who is behind what is kept reads pages of its own.
 */
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import pLimit from 'p-limit'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { isStoreUnavailable } from '../../engine/database/store-errors.ts'
import { isBefore, placeOf, presentPlace, readEventPage } from '../follow-events.ts'
import type { EventPage, EventPlace, FollowedEvent } from '../follow-events.ts'

export interface EventFeed {
  /** Looks from now on. @returns ends it for this listener */
  join(): () => void
  /** The place after everything that is decided now. */
  present(): Promise<EventPlace>
  /** Events of an environment after the place; those that are recent cost no statement. */
  after(place: EventPlace, environmentId: number): Promise<EventPage>
  /** Resolves with true when there may be events after the place, with false after `ms` or when the signal aborts. */
  waitForMore(place: EventPlace, environmentId: number, ms: number, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** Between two looks. */
const LOOK_MS = 100
const AFTER_FAILURE_MS = 1_000
/** Kept in memory, of all environments together. */
const RECENT_MAX = 5_000
/** Listeners that are behind share few connections, so that all of them coming back at once leave some for requests. */
const READS_AT_ONCE = 4

/** Everything after `from` up to `through`. */
interface Recent {
  readonly events: readonly FollowedEvent[]
  readonly from: EventPlace
  readonly through: EventPlace
}

/** @example const feed = createEventFeed({ run, log }) */
export const createEventFeed = ({
  run,
  log,
}: {
  readonly run: RunStatement
  readonly log: Logger
}): EventFeed => {
  const closing = new AbortController()
  const limitReads = pLimit(READS_AT_ONCE)
  const waiting = createWaiting()
  let recent: Recent | undefined
  let listeners = 0
  let looking: Promise<void> | undefined

  const look = async (): Promise<boolean> => {
    if (recent === undefined) {
      const place = await presentPlace(run)
      recent = { events: [], from: place, through: place }
      // Who waits already has read up to an earlier place.
      waiting.wakeAll()
    }
    const { events, through, hasMore } = await readEventPage(recent.through, run)
    recent = keep(recent, events, through)
    waiting.wake(new Set(events.map(({ environment_id }) => environment_id)))
    return hasMore
  }

  const loop = async (): Promise<void> => {
    while (listeners > 0 && !closing.signal.aborted) {
      let waitMs = AFTER_FAILURE_MS
      try {
        waitMs = (await look()) ? 0 : LOOK_MS
      } catch (error) {
        if (isStoreUnavailable(error)) log.warn({ err: error }, 'event streams wait for the database')
        else log.error({ err: error }, 'reading events for streams failed; it will be retried')
      }
      await pause(waitMs, closing.signal)
    }
    recent = undefined
    looking = undefined
  }

  return {
    join: () => {
      listeners += 1
      looking ??= loop()
      return () => {
        listeners -= 1
      }
    },
    present: () => presentPlace(run),
    after: async (place, environmentId) => {
      if (recent === undefined || isBefore(place, recent.from))
        return limitReads(() => readEventPage(place, run, environmentId))
      const { events, through } = recent
      const first = events.findLastIndex((event) => !isBefore(place, placeOf(event))) + 1
      const found = events.slice(first).filter(({ environment_id }) => environment_id === environmentId)
      return { events: found, through: isBefore(place, through) ? through : place, hasMore: false }
    },
    waitForMore: async (place, environmentId, ms, signal) => {
      if (recent !== undefined && isBefore(place, recent.through)) return true
      return waiting.wait(environmentId, ms, signal)
    },
    close: async () => {
      closing.abort()
      await looking
    },
  }
}

const keep = (
  { events: kept, from }: Recent,
  news: readonly FollowedEvent[],
  through: EventPlace,
): Recent => {
  if (news.length === 0) return { events: kept, from, through }
  const all = [...kept, ...news]
  const events = all.slice(-RECENT_MAX)
  const dropped = all.at(-RECENT_MAX - 1)
  return { events, from: dropped === undefined ? from : placeOf(dropped), through }
}

/** Who waits for events of an environment. */
const createWaiting = () => {
  const waiting = new Map<number, Set<() => void>>()
  return {
    wake: (environmentIds: ReadonlySet<number>): void => {
      for (const id of environmentIds) for (const wake of waiting.get(id) ?? []) wake()
    },
    wakeAll: (): void => {
      for (const wakes of waiting.values()) for (const wake of wakes) wake()
    },
    /** @returns whether it was woken, before `ms` were over and the signal aborted */
    wait: async (environmentId: number, ms: number, signal: AbortSignal): Promise<boolean> => {
      if (signal.aborted) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const wake = (): void => resolve(true)
      const giveUp = (): void => resolve(false)
      const timer = setTimeout(giveUp, ms)
      signal.addEventListener('abort', giveUp)
      const others = waiting.get(environmentId) ?? new Set()
      waiting.set(environmentId, others.add(wake))
      const isWoken = await promise
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      others.delete(wake)
      if (others.size === 0 && waiting.get(environmentId) === others) waiting.delete(environmentId)
      return isWoken
    },
  }
}
