/**
 * Loop 3 of 3 of the ingest, run by the leader: keeps a feed consumer on the live tables and, when a rebuild is wanted, fills
 * shadow tables until they hold everything and swaps the two (docs/adr/0035-shadow-tables-and-swap.md).
 */
import { adoptOldPosition } from '../store/adopt-old-position.ts'
import { SHAPE } from '../store/table-definitions.ts'
import { LIVE_NAMES, shadowNames } from '../store/tables.ts'
import { createFeedConsumer, type FeedConsumer, type IngestDeps } from './feed-consumer.ts'
import { isRefusal } from './feed-source.ts'
import type { Lease } from './lease.ts'
import { pauseMerges } from './pause-merges.ts'
import { noteFailure } from './progress.ts'

/** How often to look for a wanted rebuild. */
const LOOK_MS = 1_000

const FIRST_GENERATION = 1

/** The store is of a newer release; this one would leave columns empty that it does not know. */
class NewerShape extends Error {
  override readonly name = 'NewerShape'
}

/** The tables that queries read, and who keeps them fresh. */
interface Live {
  /** Undefined when tables are missing: then a rebuild is due at once. */
  readonly consumer: FeedConsumer | undefined
  /** Aborts when the leader has to stop, or the consumer failed. */
  readonly signal: AbortSignal
  /** Ends the consumer. Throws what it failed with. */
  stop(): Promise<void>
}

/** When core refuses the position it was set back, so versions may have gone back too: only new tables can be right. */
const followLive = async (deps: IngestDeps, consumer: FeedConsumer, signal: AbortSignal): Promise<void> => {
  try {
    await consumer.follow({ signal })
  } catch (error) {
    if (!isRefusal(error)) throw error
    deps.log.error({ err: error }, 'core was set back since it was read last: the store is rebuilt')
    deps.progress.trouble = 'core was restored to an earlier state; the analytics store is being rebuilt'
    await deps.state.requestRebuild({ generation: consumer.generation + 1, shape: SHAPE })
  }
}

const startConsumer = async (
  deps: IngestDeps,
  lease: Lease,
  generation: number,
  signal: AbortSignal,
): Promise<Live> => {
  const consumer = createFeedConsumer(deps, { lease, generation, names: LIVE_NAMES })
  await consumer.load()
  deps.progress.live = consumer
  const [stopped, failed] = [new AbortController(), new AbortController()]
  const following = followLive(deps, consumer, AbortSignal.any([signal, stopped.signal]))
  following.catch((error: unknown) => failed.abort(error))
  return {
    consumer,
    signal: AbortSignal.any([signal, failed.signal]),
    stop: async () => {
      stopped.abort()
      await following
    },
  }
}

/** Without a consumer when tables are missing: no query may see a part of the orders, so nothing is written to what is left. */
const openLive = async (deps: IngestDeps, lease: Lease, signal: AbortSignal): Promise<Live> => {
  const { tables, engine, state, progress } = deps
  await tables.recover()
  const live = await tables.live()
  if (live !== undefined) {
    const { generation, shape } = live
    await adoptOldPosition({ engine, state }, { token: lease.token, generation })
    if (shape > SHAPE)
      throw new NewerShape(`the store has shape ${shape}, and this release knows up to ${SHAPE}`)
    if (shape < SHAPE) await state.requestRebuild({ generation: generation + 1, shape: SHAPE })
    progress.isLeader = true
    if (!(await tables.areTorn())) return startConsumer(deps, lease, generation, signal)
  }
  progress.isLeader = true
  progress.live = undefined
  return { consumer: undefined, signal, stop: () => Promise.resolve() }
}

/** The generation to build; undefined when the live tables are those that are wanted. */
const findWanted = async ({ state }: IngestDeps, { consumer }: Live): Promise<number | undefined> => {
  const { request } = await state.read()
  if (consumer === undefined) return Math.max(FIRST_GENERATION, request?.generation ?? 0)
  const isWanted = request !== undefined && request.generation > consumer.generation && request.shape <= SHAPE
  return isWanted ? request.generation : undefined
}

const countLive = async ({ engine }: IngestDeps): Promise<number> => {
  const budget = { timeoutMs: 30_000, memoryBytesMax: 1e9, groupsMax: 10, rowsMax: 10 }
  const [row] = await engine.run({ text: 'SELECT count() AS total FROM orders', params: {} }, budget)
  return Number(row?.total ?? 0)
}

const fillShadow = async (deps: IngestDeps, lease: Lease, live: Live, generation: number): Promise<void> => {
  const { engine, clock, log, progress, isEmbedded } = deps
  const { signal } = live
  const names = shadowNames(generation)
  const merges = isEmbedded ? await pauseMerges(engine, names) : undefined
  try {
    const consumer = createFeedConsumer(deps, {
      lease,
      generation,
      names,
      onBatch: () => merges?.noteBatch(),
    })
    const expected = live.consumer === undefined ? undefined : await countLive(deps)
    progress.shadow = { consumer, expected, startedAt: clock.now().toISOString() }
    log.info({ generation, expected }, 'shadow tables of the analytics store are being filled')
    await consumer.follow({ signal, untilCaughtUp: true })
    await live.stop()
    // What changed while the live consumer stopped.
    await consumer.follow({ signal, untilCaughtUp: true })
  } finally {
    await merges?.end()
  }
}

const fillAndSwap = async (deps: IngestDeps, lease: Lease, live: Live, generation: number): Promise<void> => {
  const { tables, log, progress } = deps
  await tables.build(generation)
  await fillShadow(deps, lease, live, generation)
  if (live.signal.aborted) return
  lease.requireHeld()
  await tables.swap(generation)
  if ((await tables.live()) === undefined)
    throw new Error('the engine shows no live tables; may the account of metrics select from system.tables?')
  const applied = progress.shadow?.consumer.status().position.applied
  log.info({ generation, applied }, 'the analytics store was rebuilt')
}

const rebuild = async (deps: IngestDeps, lease: Lease, live: Live, generation: number): Promise<void> => {
  try {
    await fillAndSwap(deps, lease, live, generation)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Core was set back meanwhile, so the shadow tables may hold orders that no longer exist.
    await deps.state.requestRebuild({ generation: generation + 1, shape: SHAPE })
    await deps.pause(noteFailure(deps.progress, error, deps.log), live.signal)
  } finally {
    deps.progress.shadow = undefined
  }
}

/** Until the signal aborts. Throws what this process cannot recover from; taking the lease again may help. */
export const lead = async (deps: IngestDeps, lease: Lease, signal: AbortSignal): Promise<void> => {
  let live: Live | undefined
  try {
    while (!signal.aborted) {
      live ??= await openLive(deps, lease, signal)
      if (live.signal.aborted) return
      const generation = await findWanted(deps, live)
      if (generation === undefined) {
        await deps.pause(LOOK_MS, live.signal)
        continue
      }
      await rebuild(deps, lease, live, generation)
      await live.stop()
      live = undefined
    }
  } finally {
    await live?.stop()
  }
}
