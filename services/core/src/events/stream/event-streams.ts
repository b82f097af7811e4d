/** The event streams of a process: where one begins, and everything they share. */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import type { ReadScope } from '../../markets/scope/read-scope.ts'
import type { EventPlace } from '../follow-events.ts'
import { createEventFeed } from './event-feed.ts'
import { createOpenStreams } from './open-streams.ts'
import { sendEvents, STREAM_TIMES } from './send-events.ts'
import type { Listener, StreamTimes } from './send-events.ts'
import { countEnded, observeStreams } from './stream-metrics.ts'
import { createFindVisible } from './visible-events.ts'

export interface Beginning {
  readonly lastEventId: string | undefined
  readonly isFromStart: boolean
}

export interface EventStreams {
  /** Throws AppError `last_event_id_not_valid`. */
  placeFor(environmentId: number, beginning: Beginning): Promise<EventPlace>
  /** Throws AppError `too_many_requests` or `service_unavailable`. */
  open(tokenId: string): {
    /** Resolves when the stream has ended. */
    send(listener: Omit<Listener, 'ending'>): Promise<void>
    close(): void
  }
  /** Ends all streams, and lets no other begin. */
  end(): void
  close(): Promise<void>
}

/** What tests put in place of the real thing. */
export interface StreamLimits extends Partial<StreamTimes> {
  readonly processMax?: number
}

export interface EventStreamsDeps {
  readonly registry: Registry
  readonly run: RunStatement
  readonly readScope: ReadScope
  readonly clock: Clock
  readonly log: Logger
  readonly limits?: StreamLimits | undefined
}

/** Events from before transactions were recorded with them come before all others, and are not replayed. */
const START: EventPlace = { transactionId: 0, eventId: 0 }

const PLACE = `
  SELECT coalesce(transaction_id, 0) AS transaction_id, id FROM events WHERE environment_id = $1 AND id = $2`

export const createEventStreams = (deps: EventStreamsDeps): EventStreams => {
  const { registry, run, limits = {} } = deps
  const feed = createEventFeed(deps)
  const streams = createOpenStreams(limits.processMax)
  const stopObserving = observeStreams(streams.count)
  const sending = {
    ...deps,
    feed,
    findVisible: createFindVisible(registry, run),
    times: { ...STREAM_TIMES, ...limits },
  }

  const placeOfEvent = async (id: string, environmentId: number): Promise<EventPlace> => {
    const number = registry.ids.decode('events', id)
    const [row] =
      number === undefined
        ? []
        : await run<{ transaction_id: number; id: number }>({ text: PLACE, values: [environmentId, number] })
    if (row !== undefined) return { transactionId: row.transaction_id, eventId: row.id }
    throw new AppError('last_event_id_not_valid', {
      detail: `Last-Event-ID is "${id.slice(0, 100)}"; it must be the id of an event that is kept. Without it the stream begins now, with ?from=start at the oldest event.`,
      source: { header: 'Last-Event-ID' },
    })
  }

  return {
    placeFor: async (environmentId, { lastEventId, isFromStart }) => {
      if (lastEventId !== undefined) return placeOfEvent(lastEventId, environmentId)
      return isFromStart ? START : feed.present()
    },
    open: (tokenId) => {
      const { signal: ending, close } = streams.open(tokenId)
      return {
        send: async (listener) => countEnded(await sendEvents({ ...listener, ending }, sending)),
        close,
      }
    },
    end: () => streams.end(),
    close: async () => {
      stopObserving()
      streams.end()
      await feed.close()
    },
  }
}
