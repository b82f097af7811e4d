/**
 * Keeps the tables of one generation equal to core: pages are read and prepared ahead while a batch of those before is
 * written, then the position is saved. A crash between any two of these repeats a batch, which changes nothing.
 */
import type { Logger } from '@merx/telemetry/logger'
import { countBatch } from '../metrics-metrics.ts'
import type { Position, StateStore } from '../store/ingest-state.ts'
import { START } from '../store/ingest-state.ts'
import { keyOf, toBatch, type Batch } from './batch.ts'
import type { FeedSource } from './feed-source.ts'
import type { OrderStore } from './order-store.ts'
import type { PagePreparer } from './page-preparer.ts'
import { createPageQueue, type PageQueue } from './page-queue.ts'
import type { PreparedPage } from './prepare-page.ts'

export interface TrackStatus {
  readonly position: Position
  /** The newest page said that nothing was left. */
  readonly isCaughtUp: boolean
  /** Orders whose newest state could not be stored. */
  readonly quarantined: number
}

export interface Track {
  readonly generation: number
  status(): TrackStatus
  /** Reads what is remembered, so that `status` is true before the first page. */
  load(): Promise<void>
  /**
   * Follows the feed from the saved position until the signal aborts, after the batch in hand. With `untilCaughtUp` it ends
   * when the tables hold everything that core had when asked last. Throws what stopped it; it may be run again.
   */
  run(options: { readonly signal: AbortSignal; readonly untilCaughtUp?: boolean }): Promise<void>
}

export interface TrackDeps {
  readonly generation: number
  readonly feed: FeedSource
  readonly preparer: PagePreparer
  readonly state: StateStore
  readonly store: OrderStore
  /** Throws when this process may not write any more. */
  readonly requireLease: () => void
  readonly token: number
  readonly log: Logger
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Told after each batch. */
  readonly onBatch: (batch: Batch) => void
}

const WAIT_SECONDS = 25
/**
 * Small pages are at least this far apart, because each becomes a part that the engine has to merge; so are empty ones,
 * because core answers at once while it is shutting down.
 */
const PAGE_GAP_MS = 100
const SMALL_PAGE = 200
/** Of 500 documents each: what is in memory at most, besides the page being read and the batch being written. */
const PAGES_AHEAD_MAX = 4

const isOver = (signal: AbortSignal): boolean => signal.aborted

/** Reads and prepares pages after the cursor until the signal aborts. */
const readAhead = async (
  { feed, preparer, pause }: TrackDeps,
  cursor: string | undefined,
  queue: PageQueue<PreparedPage>,
  signal: AbortSignal,
): Promise<void> => {
  let after = cursor
  let waitSeconds = 0
  while (!isOver(signal)) {
    const page = await preparer.prepare(await feed.read({ after, waitSeconds, signal }))
    await queue.push(page)
    after = page.cursor
    waitSeconds = page.caughtUp ? WAIT_SECONDS : 0
    if (page.entries.length < SMALL_PAGE) await pause(PAGE_GAP_MS, signal)
  }
}

/** Stores what can be stored and sets the rest apart; gives how many orders are set apart now. */
const applyBatch = async ({ store, log, generation }: TrackDeps, batch: Batch): Promise<number> => {
  const refused = await store.apply(batch.entries)
  const poisoned = [...batch.poisoned, ...refused]
  const refusedKeys = new Set(refused.map(keyOf))
  await store.quarantine(
    poisoned,
    batch.entries.filter((entry) => !refusedKeys.has(keyOf(entry))),
  )
  for (const { organizationId, mode, id, version, reason } of poisoned) {
    const order = { organization_id: organizationId, mode, id, version }
    log.error({ order, reason, generation }, 'an order could not be stored and is in quarantine')
  }
  return store.countQuarantined()
}

export const createTrack = (deps: TrackDeps): Track => {
  const { generation, state, store } = deps
  let position: Position = START
  let isCaughtUp = false
  let quarantined = 0

  const write = async (batch: Batch): Promise<void> => {
    deps.requireLease()
    quarantined = await applyBatch(deps, batch)
    if (batch.entries.length > 0) countBatch(batch.entries.length)
    const next = {
      cursor: batch.cursor,
      hasCaughtUp: position.hasCaughtUp || batch.caughtUp,
      applied: position.applied + batch.count,
    }
    deps.requireLease()
    if (next.cursor !== position.cursor || next.hasCaughtUp !== position.hasCaughtUp)
      await state.savePosition(deps.token, generation, next)
    position = next
    isCaughtUp = batch.caughtUp
    deps.onBatch(batch)
  }

  const writeAll = async (
    queue: PageQueue<PreparedPage>,
    signal: AbortSignal,
    untilCaughtUp: boolean,
  ): Promise<void> => {
    while (!isOver(signal)) {
      await write(toBatch(await queue.takeAll()))
      if (untilCaughtUp && isCaughtUp) return
    }
  }

  /** A table that was emptied makes the position void: the feed is then read from the start. */
  const readPosition = async (): Promise<Position> => {
    const saved = (await state.read()).positionOf(generation)
    if (saved === undefined || (saved.applied > 0 && !(await store.hasOrders()))) return START
    return saved
  }

  const load = async (): Promise<void> => {
    position = await readPosition()
    quarantined = await store.countQuarantined()
  }

  return {
    generation,
    status: () => ({ position, isCaughtUp, quarantined }),
    load,
    run: async ({ signal: given, untilCaughtUp = false }) => {
      const ending = new AbortController()
      const signal = AbortSignal.any([given, ending.signal])
      const queue = createPageQueue<PreparedPage>(PAGES_AHEAD_MAX)
      isCaughtUp = false
      await load()
      const onAbort = (): void => queue.end(given.reason)
      given.addEventListener('abort', onAbort)
      if (given.aborted) onAbort()
      const reading = readAhead(deps, position.cursor, queue, signal).catch((error: unknown) =>
        queue.end(error),
      )
      try {
        await writeAll(queue, signal, untilCaughtUp)
      } catch (error) {
        if (!isOver(given)) throw error
      } finally {
        given.removeEventListener('abort', onAbort)
        ending.abort()
        queue.end(new Error('the track has ended'))
        await reading
      }
    },
  }
}
