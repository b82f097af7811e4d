/** Sends one listener its events until the token, the client or the process ends it. What fails here ends this stream alone. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Caller } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Registry } from '../../engine/registry.ts'
import type { ReadScope } from '../../markets/scope/read-scope.ts'
import type { EventPlace, FollowedEvent } from '../follow-events.ts'
import type { EventFeed } from './event-feed.ts'
import { requireListener } from './require-listener.ts'
import { countSent } from './stream-metrics.ts'
import type { EndReason } from './stream-metrics.ts'
import type { FindVisible, Viewer } from './visible-events.ts'

export interface StreamTimes {
  /** Between two comments on a stream without events: shorter than proxies wait for the next byte. */
  readonly keepAliveMs: number
  /** How long a listener may leave what was sent unread. */
  readonly unreadMs: number
}

export const STREAM_TIMES: StreamTimes = { keepAliveMs: 15_000, unreadMs: 30_000 }

export interface SendingDeps {
  readonly feed: EventFeed
  readonly findVisible: FindVisible
  readonly readScope: ReadScope
  readonly registry: Registry
  readonly clock: Clock
  readonly log: Logger
  readonly times: StreamTimes
}

export interface Listener {
  readonly output: Writable
  readonly from: EventPlace
  readonly environmentId: number
  readonly topics: Viewer['topics']
  /** Throws AppError `invalid_token`. */
  readonly verify: () => Promise<Caller>
  /** Aborts when the process ends. */
  readonly ending: AbortSignal
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal
}

/** So much is written before it waits for the listener to take it. */
const EVENTS_AT_ONCE = 50

const COMMENTS: Readonly<Record<EndReason, string>> = {
  closed: 'closed',
  token: 'the access token is no longer valid, or may not read events any more',
  slow: 'too slow: what was sent was not read in time',
  stopping: 'the server stops; connect again',
  failed: 'an error; connect again',
}

const OF_TOKEN: ReadonlySet<string> = new Set(['invalid_token', 'unauthorized'])

const SLOW = Symbol('slow')

/** Ends `output`. @returns why */
export const sendEvents = async (listener: Listener, deps: SendingDeps): Promise<EndReason> => {
  const { output, gone } = listener
  const leave = deps.feed.join()
  let reason: EndReason
  try {
    reason = await sendUntilEnd(listener, deps)
  } catch (error) {
    reason = reasonOf(error, gone)
    if (reason === 'failed')
      deps.log.warn({ err: error }, 'an event stream failed; its listener connects again')
  } finally {
    leave()
  }
  if (reason === 'slow') output.destroy()
  else output.end(`: ${COMMENTS[reason]}\n\n`)
  return reason
}

const reasonOf = (error: unknown, gone: AbortSignal): EndReason => {
  if (gone.aborted) return 'closed'
  if (error === SLOW) return 'slow'
  return error instanceof AppError && OF_TOKEN.has(error.code) ? 'token' : 'failed'
}

const sendUntilEnd = async (listener: Listener, deps: SendingDeps): Promise<EndReason> => {
  const { environmentId, topics, ending, gone } = listener
  const { feed, findVisible, readScope, registry, clock, times } = deps
  const isOver = AbortSignal.any([ending, gone])
  for (let place = listener.from; ;) {
    const page = await feed.after(place, environmentId)
    // After the page was read: nothing is sent on a token that ended meanwhile.
    const caller = requireListener(await listener.verify(), registry)
    if (page.events.length > 0) {
      const { scope } = await readScope(caller)
      await write(await findVisible(page.events, { caller, scope, topics }), listener, deps)
    }
    place = page.through
    if (isOver.aborted) return gone.aborted ? 'closed' : 'stopping'
    if (page.hasMore) continue
    const tokenEndsInMs = caller.expiresAt.getTime() - clock.now().getTime()
    const waitMs = Math.min(times.keepAliveMs, Math.max(0, tokenEndsInMs))
    const hasNews = await feed.waitForMore(place, environmentId, waitMs, isOver)
    if (!hasNews && !isOver.aborted) await writeText(': keep-alive\n\n', listener, times)
  }
}

const write = async (
  events: readonly FollowedEvent[],
  listener: Listener,
  { registry, times }: SendingDeps,
): Promise<void> => {
  for (let at = 0; at < events.length && !listener.ending.aborted; at += EVENTS_AT_ONCE) {
    const some = events.slice(at, at + EVENTS_AT_ONCE)
    await writeText(some.map((event) => messageOf(event, registry)).join(''), listener, times)
    countSent(some.length)
  }
}

const writeText = async (
  text: string,
  { output, gone }: Listener,
  { unreadMs }: StreamTimes,
): Promise<void> => {
  gone.throwIfAborted()
  if (output.write(text)) return
  const limit = AbortSignal.timeout(unreadMs)
  try {
    await once(output, 'drain', { signal: AbortSignal.any([gone, limit]) })
  } catch (error) {
    throw limit.aborted && !gone.aborted ? SLOW : error
  }
}

/** Compact JSON has no line break, so it is one line of `data`. */
const messageOf = (event: FollowedEvent, registry: Registry): string => {
  const { id, name: topic, resource_type: type, record_id: number, is_imported, created_at } = event
  const { ids } = registry
  const definition = registry.find(type)
  const resource = { type, id: ids.encode(definition === undefined ? type : idTypeOf(definition), number) }
  const data = { topic, resource, is_imported, created_at: created_at.toISOString() }
  return `id: ${ids.encode('events', id)}\ndata: ${JSON.stringify(data)}\n\n`
}
