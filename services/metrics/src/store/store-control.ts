/** What each process of metrics may do with the store, also one that is not the leader: see whether it is filled, request a rebuild. */
import type { StateStore } from './ingest-state.ts'
import { SHAPE } from './table-definitions.ts'
import type { StoreTables } from './tables.ts'

export interface StoreControl {
  /** The live tables have held everything at least once, so their answers are at worst late, never partial. */
  hasCaughtUp(): Promise<boolean>
  /** Requests a rebuild from the leader. Returns the generation that is live afterwards; repeating it returns the same. */
  requestRebuild(): Promise<number>
}

export const createStoreControl = (tables: StoreTables, state: StateStore): StoreControl => ({
  hasCaughtUp: async () => {
    const live = await tables.live()
    return live !== undefined && ((await state.read()).positionOf(live.generation)?.hasCaughtUp ?? false)
  },
  requestRebuild: async () => {
    const generation = (await tables.live())?.generation ?? 0
    const { request } = await state.read()
    if (request !== undefined && request.generation > generation) return request.generation
    await state.requestRebuild({ generation: generation + 1, shape: SHAPE })
    return generation + 1
  },
})
