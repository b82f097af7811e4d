/**
 * Keeps the tables of one generation equal to core: pages are read and prepared ahead while a batch of those before is
 * written, then the position is saved. A crash between any two of these repeats a batch, which changes nothing.
 */
import type { Logger } from '@merx/telemetry/logger'
import { countBatch } from '../telemetry.ts'
import type { Position, StateStore } from '../store/ingest-state.ts'
import { START } from '../store/ingest-state.ts'
import { keyOf, toBatch, toBatches, type Batch, type BlockBatch } from './batch.ts'
import type { FeedSource } from './feed-source.ts'
import type { OrderStore } from './order-store.ts'
import type { PagePreparer } from './page-preparer.ts'
import { createPageQueue, type PageQueue } from './page-queue.ts'
import { isBlocks, type AnyPage } from './prepare-blocks.ts'

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
  readonly onBatch: (batch: Batch | BlockBatch) => void
}

const WAIT_SECONDS = 25
/**
 * Small pages are at least this far apart, because each becomes a part that the engine has to merge; so are empty ones,
 * because core answers at once while it is shutting down.
 */
const PAGE_GAP_MS = 400
const SMALL_PAGE = 200
/** Of 500 documents each: what is in memory at most, besides the page being read and the batch being written. */
const PAGES_AHEAD_MAX = 4
/** The same of blocks, which cost the main thread nothing: larger parts, fewer merges. */
const BLOCK_PAGES_AHEAD_MAX = 20
const BLOCK_PAGES_ENOUGH = 12
/** As core sent them: 20 pages of orders with three lines are 40 MB, and one page may be 32 MiB. */
const BYTES_AHEAD_MAX = 48_000_000
/** How long pages may wait for others while core is slow. */
const PATIENCE_MS = 1_000

type Queue = PageQueue<AnyPage>

const createQueue = (takesBlocks: boolean): Queue =>
  createPageQueue({
    max: takesBlocks ? BLOCK_PAGES_AHEAD_MAX : PAGES_AHEAD_MAX,
    sizeMax: BYTES_AHEAD_MAX,
    enough: takesBlocks ? BLOCK_PAGES_ENOUGH : 1,
    isLast: ({ caughtUp }) => caughtUp,
    patienceMs: PATIENCE_MS,
  })

const sizeOf = (page: AnyPage): number => (isBlocks(page) ? page.facts.length : page.entries.length)

const isOver = (signal: AbortSignal): boolean => signal.aborted

/** How core ends a page that is not the last one. What is found here is only asked for ahead, and believed when the page says so. */
const TAIL = /"cursor":"(?<cursor>[^"\\]+)","caught_up":false\}$/
const TAIL_LENGTH = 1_000

const cursorAtEnd = (bytes: Uint8Array): string | undefined =>
  TAIL.exec(new TextDecoder().decode(bytes.subarray(-TAIL_LENGTH)))?.groups?.['cursor']

/** Reads and prepares pages after the cursor until the signal aborts; the next page is read while one is prepared. */
const readAhead = async (
  { feed, preparer, pause }: TrackDeps,
  { cursor, takesBlocks }: { readonly cursor: string | undefined; readonly takesBlocks: boolean },
  queue: Queue,
  signal: AbortSignal,
): Promise<void> => {
  const read = (after: string | undefined, waitSeconds: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = feed.read({ after, waitSeconds, signal })
    bytes.catch(() => undefined) // awaited when its turn comes, unless something else ends the reading first
    return bytes
  }
  const prepare = (bytes: Uint8Array<ArrayBuffer>): Promise<AnyPage> =>
    takesBlocks ? preparer.prepareBulk(bytes) : preparer.prepare(bytes)
  let next = read(cursor, 0)
  while (!isOver(signal)) {
    const bytes = await next
    const [expected, size] = [cursorAtEnd(bytes), bytes.length]
    const ahead = expected === undefined ? undefined : read(expected, 0)
    const page = await prepare(bytes)
    await queue.push(page, size)
    if (sizeOf(page) < SMALL_PAGE) await pause(PAGE_GAP_MS, signal)
    if (isOver(signal)) return
    const isAsExpected = ahead !== undefined && page.cursor === expected && !page.caughtUp
    next = isAsExpected ? ahead : read(page.cursor, page.caughtUp ? WAIT_SECONDS : 0)
  }
}

/** Stores what can be stored and sets the rest apart; gives how many orders are set apart now. */
const applyBatch = async ({ store, log, generation }: TrackDeps, batch: Batch): Promise<number> => {
  const refused = await store.apply(batch.entries)
  const poisoned = [...batch.poisoned, ...refused]
  const poisonedKeys = new Set(poisoned.map(keyOf))
  await store.quarantine(
    poisoned,
    batch.entries.filter((entry) => !poisonedKeys.has(keyOf(entry))),
  )
  for (const { organizationId, mode, id, version, reason } of poisoned) {
    const order = { organization_id: organizationId, mode, id, version }
    log.error({ order, reason, generation }, 'an order could not be stored and is in quarantine')
  }
  return store.countQuarantined()
}

/** A block that the engine refuses goes as lines, page by page, so that what is wrong with it is found. */
const applyBlocks = async (deps: TrackDeps, { blocks }: BlockBatch): Promise<number> => {
  const { store, preparer } = deps
  if (await store.applyBlocks(blocks)) {
    await store.quarantine(
      [],
      blocks.flatMap(({ facts }) => facts),
    )
    return store.countQuarantined()
  }
  let quarantined = 0
  for (const { source } of blocks)
    quarantined = await applyBatch(deps, toBatch([await preparer.prepare(source)]))
  return quarantined
}

export const createTrack = (deps: TrackDeps): Track => {
  const { generation, state, store } = deps
  let position: Position = START
  let isCaughtUp = false
  let quarantined = 0

  const write = async (batch: Batch | BlockBatch): Promise<void> => {
    deps.requireLease()
    quarantined = await ('blocks' in batch ? applyBlocks(deps, batch) : applyBatch(deps, batch))
    const orders = 'blocks' in batch ? batch.count : batch.entries.length
    if (orders > 0) countBatch(orders)
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

  const writeAll = async (queue: Queue, signal: AbortSignal, untilCaughtUp: boolean): Promise<void> => {
    while (!isOver(signal)) {
      for (const batch of toBatches(await queue.takeAll())) await write(batch)
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
      isCaughtUp = false
      await load()
      const takesBlocks = await store.takesBlocks()
      const queue = createQueue(takesBlocks)
      const onAbort = (): void => queue.end(given.reason)
      given.addEventListener('abort', onAbort)
      if (given.aborted) onAbort()
      const reading = readAhead(deps, { cursor: position.cursor, takesBlocks }, queue, signal).catch(
        (error: unknown) => queue.end(error),
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
