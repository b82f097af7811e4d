/**
 * What the holder of the lease does: follows the feed into the live tables and, when a rebuild is wanted, fills new ones beside
 * them until they hold everything, and exchanges the two (docs/adr/0035-tables-are-built-beside-and-exchanged.md).
 */
import { adoptOldPosition } from '../store/adopt-old-position.ts'
import { SHAPE } from '../store/table-definitions.ts'
import { besideNames, LIVE_NAMES } from '../store/tables.ts'
import { isRefusal } from './feed-source.ts'
import { follow, followLive, openTrack, type FillingDeps } from './follow-feed.ts'
import type { HeldLease } from './lease.ts'
import { takeMergeBreak } from './merge-break.ts'
import { noteFailure } from './progress.ts'

/** How often to look for a wanted rebuild. */
const LOOK_MS = 1_000

/** The store is of a newer release; this one would leave columns empty that it does not know. */
class NewerShape extends Error {
  override readonly name = 'NewerShape'
}

const wantedGeneration = async (
  { state, pause }: FillingDeps,
  generation: number,
  signal: AbortSignal,
): Promise<number | undefined> => {
  while (!signal.aborted) {
    const { request } = await state.read()
    if (request !== undefined && request.generation > generation && request.shape <= SHAPE)
      return request.generation
    await pause(LOOK_MS, signal)
  }
  return undefined
}

const FIRST_GENERATION = 1

const countLive = async ({ engine }: FillingDeps): Promise<number> => {
  const budget = { timeoutMs: 30_000, memoryBytesMax: 1e9, groupsMax: 10, rowsMax: 10 }
  const [row] = await engine.run({ text: 'SELECT count() AS total FROM orders', params: {} }, budget)
  return Number(row?.total ?? 0)
}

interface Rebuild {
  readonly generation: number
  readonly held: HeldLease
  readonly signal: AbortSignal
  /** Ends the following of the live tables, for the last moment before the exchange. Undefined when there are none. */
  readonly stopLive?: () => Promise<void>
}

const fillAndExchange = async (deps: FillingDeps, { generation, held, signal, stopLive }: Rebuild) => {
  const { tables, engine, clock, log, progress } = deps
  await tables.build(generation)
  const names = besideNames(generation)
  const merges = await takeMergeBreak(engine, names)
  const track = openTrack(deps, held, { generation, names, onBatch: () => merges.noteBatch() })
  const expected = stopLive === undefined ? undefined : await countLive(deps)
  progress.beside = { track, expected, startedAt: clock.now().toISOString() }
  log.info({ generation, expected }, 'new tables of the analytics store are being filled')
  try {
    await follow(deps, track, { signal, untilCaughtUp: true })
    await stopLive?.()
    await follow(deps, track, { signal, untilCaughtUp: true })
  } finally {
    await merges.end()
  }
  if (signal.aborted) return
  held.requireHeld()
  await tables.exchange(generation)
  if ((await tables.live()) === undefined)
    throw new Error('the engine shows no live tables; may the account of metrics select from system.tables?')
  log.info({ generation, applied: track.status().position.applied }, 'the analytics store was built anew')
}

const rebuild = async (deps: FillingDeps, how: Rebuild): Promise<void> => {
  try {
    await fillAndExchange(deps, how)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Core was set back meanwhile, so what was filled may be of a time that is no more.
    await deps.state.requestRebuild({ generation: how.generation + 1, shape: SHAPE })
    await deps.pause(noteFailure(deps.progress, error, deps.log), how.signal)
  } finally {
    deps.progress.beside = undefined
  }
}

/** Follows the feed into the tables of one generation until another is live. */
const leadGeneration = async (
  deps: FillingDeps,
  generation: number,
  held: HeldLease,
  signal: AbortSignal,
): Promise<void> => {
  const track = openTrack(deps, held, { generation, names: LIVE_NAMES })
  await track.load()
  deps.progress.track = track
  deps.progress.isFilling = true
  const failing = new AbortController()
  const stopping = new AbortController()
  const following = followLive(deps, track, AbortSignal.any([signal, stopping.signal]))
  following.catch((error: unknown) => failing.abort(error))
  const stopLive = async (): Promise<void> => {
    stopping.abort()
    await following
  }
  const until = AbortSignal.any([signal, failing.signal])
  try {
    const wanted = await wantedGeneration(deps, generation, until)
    if (wanted !== undefined) await rebuild(deps, { generation: wanted, held, signal: until, stopLive })
  } finally {
    await stopLive()
  }
}

/**
 * An empty store, new or lost, gets its live tables when they hold everything, so that no query sees a part of the orders; so
 * does one that lost some of its tables, because no page can be written to the others alone. Goes on with what an earlier
 * attempt began.
 */
const fillAnew = async (deps: FillingDeps, held: HeldLease, signal: AbortSignal): Promise<void> => {
  deps.progress.track = undefined
  deps.progress.isFilling = true
  const { request } = await deps.state.read()
  const generation = Math.max(FIRST_GENERATION, request?.generation ?? 0)
  await rebuild(deps, { generation, held, signal })
}

/** Until the signal aborts. Throws what this process cannot go on after; taking the lease again may help. */
export const lead = async (deps: FillingDeps, held: HeldLease, signal: AbortSignal): Promise<void> => {
  const { tables, engine, state } = deps
  while (!signal.aborted) {
    await tables.settle()
    const live = await tables.live()
    if (live === undefined) {
      await fillAnew(deps, held, signal)
      continue
    }
    const { generation, shape } = live
    await adoptOldPosition({ engine, state }, { token: held.token, generation })
    if (shape > SHAPE)
      throw new NewerShape(`the store has shape ${shape}, and this release knows up to ${SHAPE}`)
    if (shape < SHAPE) await state.requestRebuild({ generation: generation + 1, shape: SHAPE })
    if (await tables.areTorn()) await fillAnew(deps, held, signal)
    else await leadGeneration(deps, generation, held, signal)
  }
}
