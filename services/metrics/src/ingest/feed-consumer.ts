/**
 * Loop 2 of 3 of the ingest: follows the feed into the tables of one generation. Each turn writes a batch, saves the position,
 * and meanwhile reads the next batch. A crash between any two of these repeats a batch, which changes nothing.
 */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { isTableSwapped, isTableMissing } from '../engine/engine-errors.ts'
import type { Engine } from '../engine/engine.ts'
import { START, type Position, type StateStore } from '../store/ingest-state.ts'
import type { StoreTables, TableNames } from '../store/tables.ts'
import { countBatch } from '../telemetry.ts'
import { readBatch } from './batch-reader.ts'
import { keyOf, type Batch } from './batch.ts'
import { isRefusal, type FeedSource } from './feed-source.ts'
import { LeaseLost, type Lease } from './lease.ts'
import { createOrderStore, type OrderStore } from './order-store.ts'
import type { PagePreparer } from './page-preparer.ts'
import { noteFailure, noteSuccess, type Followed, type Progress } from './progress.ts'

/** What the loops of the ingest work with. */
export interface IngestDeps {
  readonly feed: FeedSource
  readonly preparer: PagePreparer
  readonly engine: Engine
  readonly tables: StoreTables
  readonly state: StateStore
  readonly clock: Clock
  readonly log: Logger
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly progress: Progress
  /** Called when the live tables hold everything that core had. */
  readonly onCaughtUp: () => void
  /** The engine runs in this process, and no other process can open its store. */
  readonly isEmbedded: boolean
}

export interface FeedConsumerOptions {
  readonly lease: Lease
  readonly generation: number
  readonly names: TableNames
  readonly onBatch?: () => void
}

export interface FollowOptions {
  readonly signal: AbortSignal
  /** Ends when the tables hold everything that core had at the last request. */
  readonly untilCaughtUp?: boolean
}

export interface FeedConsumer extends Followed {
  /** Reads the saved position, so that `status` is true before the first page. */
  load(): Promise<void>
  /**
   * Follows the feed from the saved position until the signal aborts, after the batch in hand; retries what may recover. Throws
   * `LeaseLost`, core's refusal of the position, the engine's error when the tables were dropped or swapped, and its
   * failures when there are too many. May be called again.
   */
  follow(options: FollowOptions): Promise<void>
}

const WAIT_SECONDS = 25
/**
 * Small batches are at least this far apart, because each becomes a part that the engine has to merge; so are empty ones,
 * because core answers at once while it is shutting down.
 */
const BATCH_GAP_MS = 400
const SMALL_BATCH = 200

/** After as many engine failures in a row another process may try, which perhaps reaches the engine. */
const ENGINE_FAILURES_MAX = 5

/** Retrying does not help. The engine's errors are those of the catalogue (engine-errors.ts), core's are not. */
const isFinal = (error: unknown, { failures }: Progress): boolean =>
  error instanceof LeaseLost ||
  isRefusal(error) ||
  isTableMissing(error) ||
  isTableSwapped(error) ||
  (error instanceof AppError && failures >= ENGINE_FAILURES_MAX)

/** Stores what can be stored and quarantines the rest; returns how many orders are in quarantine now. */
const applyBatch = async (
  store: OrderStore,
  { entries, poisoned: invalid }: Batch,
  report: (order: object, reason: string) => void,
): Promise<number> => {
  const poisoned = [...invalid, ...(await store.apply(entries))]
  const keys = new Set(poisoned.map(keyOf))
  await store.quarantine(
    poisoned,
    entries.filter((entry) => !keys.has(keyOf(entry))),
  )
  for (const { organizationId, mode, id, version, reason } of poisoned)
    report({ organization_id: organizationId, mode, id, version }, reason)
  return store.countQuarantined()
}

const readAfter = async (
  deps: IngestDeps,
  { cursor, count, caughtUp }: Batch,
  signal: AbortSignal,
): Promise<Batch> => {
  if (count < SMALL_BATCH) await deps.pause(BATCH_GAP_MS, signal)
  signal.throwIfAborted()
  return readBatch(deps, { after: cursor, waitSeconds: caughtUp ? WAIT_SECONDS : 0, signal })
}

export const createFeedConsumer = (deps: IngestDeps, options: FeedConsumerOptions): FeedConsumer => {
  const { state, clock, log, pause, progress, onCaughtUp } = deps
  const { lease, generation, names, onBatch } = options
  const store = createOrderStore({ ...deps, names, generation })
  let position: Position = START
  let isCaughtUp = false
  let quarantined = 0

  const noteBatch = ({ count, caughtUp }: Batch): void => {
    isCaughtUp = caughtUp
    noteSuccess(progress, count)
    onBatch?.()
    if (!caughtUp || consumer !== progress.live) return
    progress.caughtUpAtMs = clock.now().getTime()
    onCaughtUp()
  }

  const write = async (batch: Batch): Promise<void> => {
    lease.requireHeld()
    quarantined = await applyBatch(store, batch, (order, reason) =>
      log.error({ order, reason, generation }, 'an order could not be stored and is in quarantine'),
    )
    if (batch.entries.length > 0) countBatch(batch.entries.length)
    const next = {
      cursor: batch.cursor,
      hasCaughtUp: position.hasCaughtUp || batch.caughtUp,
      applied: position.applied + batch.count,
    }
    lease.requireHeld()
    if (next.cursor !== position.cursor || next.hasCaughtUp !== position.hasCaughtUp)
      await state.savePosition(lease.token, generation, next)
    position = next
    noteBatch(batch)
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

  /** Until something fails, the signal aborts, or it has caught up when that was wanted. */
  const consume = async (signal: AbortSignal, untilCaughtUp: boolean): Promise<void> => {
    isCaughtUp = false
    await load()
    let reading = readBatch(deps, { after: position.cursor, waitSeconds: 0, signal })
    for (;;) {
      const batch = await reading
      const isLast = untilCaughtUp && batch.caughtUp
      if (!isLast) {
        reading = readAfter(deps, batch, signal)
        reading.catch(() => undefined) // awaited in the next turn, unless the write below fails first
      }
      await write(batch)
      if (isLast || signal.aborted) return
    }
  }

  const consumer: FeedConsumer = {
    generation,
    status: () => ({ position, isCaughtUp, quarantined }),
    load,
    follow: async ({ signal, untilCaughtUp = false }) => {
      while (!signal.aborted) {
        const ended = new AbortController() // ends the reading ahead of an attempt that failed
        try {
          await consume(AbortSignal.any([signal, ended.signal]), untilCaughtUp)
          return
        } catch (error) {
          if (signal.aborted) return
          if (isFinal(error, progress)) throw error
          await pause(noteFailure(progress, error, log), signal)
        } finally {
          ended.abort()
        }
      }
    },
  }
  return consumer
}
