/** Runs the tracks of whoever holds the lease: again while they fail, until something happens that trying again does not mend. */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { isTableExchanged, isTableMissing } from '../engine/engine-errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { StateStore } from '../store/ingest-state.ts'
import { SHAPE } from '../store/table-definitions.ts'
import type { StoreTables, TableNames } from '../store/tables.ts'
import { isRefusal, type FeedSource } from './feed-source.ts'
import { LeaseLost, type HeldLease } from './lease.ts'
import { createOrderStore } from './order-store.ts'
import type { PagePreparer } from './page-preparer.ts'
import { noteFailure, noteSuccess, type Progress } from './progress.ts'
import { createTrack, type Track } from './track.ts'

export interface FillingDeps {
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
  /** The live tables hold everything that core had. */
  readonly onCaughtUp: () => void
}

interface TrackOf {
  readonly generation: number
  readonly names: TableNames
  readonly onBatch?: () => void
}

export const openTrack = (
  deps: FillingDeps,
  held: HeldLease,
  { generation, names, onBatch }: TrackOf,
): Track => {
  const { engine, tables, clock, progress } = deps
  const track: Track = createTrack({
    ...deps,
    generation,
    store: createOrderStore({ engine, tables, clock, names, generation }),
    requireLease: () => held.requireHeld(),
    token: held.token,
    onBatch: ({ count, caughtUp }) => {
      noteSuccess(progress, count)
      onBatch?.()
      if (!caughtUp || track !== progress.track) return
      progress.caughtUpAtMs = clock.now().getTime()
      deps.onCaughtUp()
    },
  })
  return track
}

/** The tables are others than those that were found when the lease was taken. */
const areTablesOthers = (error: unknown): boolean => isTableMissing(error) || isTableExchanged(error)

/** So often in a row the engine may fail: then another process may try, which perhaps reaches it. */
const ENGINE_FAILURES_MAX = 5

/** The engine's errors are those of the catalogue (engine-errors.ts), core's are not. */
const isForOthers = (error: unknown, { failures }: Progress): boolean =>
  error instanceof AppError && failures >= ENGINE_FAILURES_MAX

/**
 * Throws `LeaseLost`, core's refusal of the position, what the engine says when the tables are gone or were exchanged, and its
 * failures when there are too many.
 */
export const follow = async (
  { progress, log, pause }: FillingDeps,
  track: Track,
  { signal, untilCaughtUp = false }: { readonly signal: AbortSignal; readonly untilCaughtUp?: boolean },
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await track.run({ signal, untilCaughtUp })
      return
    } catch (error) {
      if (error instanceof LeaseLost || isRefusal(error) || areTablesOthers(error)) throw error
      if (isForOthers(error, progress)) throw error
      await pause(noteFailure(progress, error, log), signal)
    }
  }
}

/** Core does not know the position any more, so versions may have gone back: only new tables can be right. */
export const followLive = async (deps: FillingDeps, track: Track, signal: AbortSignal): Promise<void> => {
  try {
    await follow(deps, track, { signal })
  } catch (error) {
    if (!isRefusal(error)) throw error
    deps.log.error({ err: error }, 'core was set back since it was read last: the store is built anew')
    deps.progress.trouble = 'core was set back; the analytics store is being built anew'
    await deps.state.requestRebuild({ generation: track.generation + 1, shape: SHAPE })
  }
}
