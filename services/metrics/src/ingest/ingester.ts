/**
 * Keeps the store equal to core: read a page of the feed, apply it, save its cursor, repeat. A crash between any two of
 * these repeats a page, which changes nothing. While core is away it retries, slower and slower. Far behind, it asks core
 * for the next page while it stores the one in hand.
 */
import { InternalCallError } from '@merx/http/internal-call-error'
import type { OrderFeedPage } from '@merx/order-feed/order-document'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { FeedSource } from './feed-source.ts'
import type { OrderStore, Position } from './order-store.ts'
import { createReadAhead } from './read-ahead.ts'

export interface IngestStatus {
  readonly hasCaughtUp: boolean
  /** Milliseconds since the store was last known to hold everything; 0 while it does, undefined before the first time. */
  readonly lagMs: number | undefined
  /** Attempts that failed in a row. */
  readonly failures: number
}

export interface Ingester {
  start(): void
  /** Resolves when the store holds everything that core had when asked; rejects when closed before that. */
  caughtUp(): Promise<void>
  status(): IngestStatus
  /** Ends after the page in hand. */
  close(): Promise<void>
}

export interface IngesterDeps {
  readonly feed: FeedSource
  readonly store: OrderStore
  readonly clock: Clock
  readonly log: Logger
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

const WAIT_SECONDS = 25
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 5_000
/**
 * Small batches are at least this far apart, because each becomes a part that the engine has to merge; so are empty
 * pages, because core answers at once while it is shutting down.
 */
const BATCH_GAP_MS = 100
const SMALL_BATCH = 200

const retryMs = (failures: number): number => Math.min(RETRY_MS_MIN * 2 ** (failures - 1), RETRY_MS_MAX)

/** Core refuses a cursor that it cannot read; the feed then starts again, which is always safe. */
const isCursorRefused = (error: unknown): boolean =>
  error instanceof InternalCallError && (error.status === 400 || error.status === 410)

interface State {
  position: Position | undefined
  isCaughtUp: boolean
  caughtUpAtMs: number | undefined
  failures: number
}

export const createIngester = (deps: IngesterDeps): Ingester => {
  const { feed, store, clock, log, pause } = deps
  const closing = new AbortController()
  const caughtUp = Promise.withResolvers<undefined>()
  caughtUp.promise.catch(() => undefined) // whoever awaits caughtUp() sees it; nobody has to
  const state: State = { position: undefined, isCaughtUp: false, caughtUpAtMs: undefined, failures: 0 }
  let loop: Promise<void> | undefined
  const pages = createReadAhead(feed, closing.signal)

  const advance = async (position: Position, page: OrderFeedPage): Promise<Position> => {
    if (page.entries.length > 0) await store.apply(page.entries)
    const next = { cursor: page.cursor, hasCaughtUp: position.hasCaughtUp || page.caught_up }
    if (next.cursor !== position.cursor || next.hasCaughtUp !== position.hasCaughtUp) {
      await store.savePosition(next)
    }
    return next
  }

  const noteProgress = (page: OrderFeedPage): void => {
    state.failures = 0
    state.isCaughtUp = page.caught_up
    if (!page.caught_up) return
    if (state.caughtUpAtMs === undefined) log.info('the analytics store holds every order')
    state.caughtUpAtMs = clock.now().getTime()
    caughtUp.resolve(undefined)
  }

  const step = async (): Promise<void> => {
    const position = state.position ?? (await store.readPosition())
    state.position = position
    const page = await pages.read(position.cursor, state.isCaughtUp ? WAIT_SECONDS : 0)
    pages.follow(page)
    state.position = await advance(position, page)
    noteProgress(page)
    if (page.entries.length < SMALL_BATCH) await pause(BATCH_GAP_MS, closing.signal)
  }

  const noteFailure = async (error: unknown): Promise<void> => {
    state.failures += 1
    state.isCaughtUp = false
    pages.forget()
    const level = state.failures === 1 || state.failures % 20 === 0 ? 'warn' : 'debug'
    log[level](
      { err: error, failures: state.failures },
      'the order feed could not be read or stored; retrying',
    )
    // What was stored is asked again: the failure may lie between applying a page and saving its cursor.
    const hasCaughtUp = state.position?.hasCaughtUp ?? false
    state.position = isCursorRefused(error) ? { cursor: undefined, hasCaughtUp } : undefined
    await pause(retryMs(state.failures), closing.signal)
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await step()
      } catch (error) {
        if (!closing.signal.aborted) await noteFailure(error)
      }
    }
  }

  const status = (): IngestStatus => {
    const { isCaughtUp, caughtUpAtMs, failures, position } = state
    const lateMs = caughtUpAtMs === undefined ? undefined : clock.now().getTime() - caughtUpAtMs
    return {
      hasCaughtUp: position?.hasCaughtUp ?? caughtUpAtMs !== undefined,
      lagMs: isCaughtUp ? 0 : lateMs,
      failures,
    }
  }

  return {
    start: () => {
      loop ??= run()
    },
    caughtUp: () => caughtUp.promise,
    status,
    close: async () => {
      closing.abort()
      await loop
      caughtUp.reject(new Error('closed before the analytics store held every order'))
    },
  }
}
