/** Adopts the position of a store from before generations, so that it stays fresh until the new tables are filled. */
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import { START, type StateStore } from './ingest-state.ts'

const budget: Budget = { timeoutMs: 10_000, memoryBytesMax: 100_000_000, groupsMax: 1_000, rowsMax: 1_000 }

const OLD_TABLES = ['ingest_position', 'schema_migrations'] as const
const BEFORE_GENERATIONS = 0

/** Repeating it changes nothing; once the live tables have a generation, what was left of the old store is dropped. */
export const adoptOldPosition = async (
  { engine, state }: { readonly engine: Engine; readonly state: StateStore },
  { token, generation }: { readonly token: number; readonly generation: number },
): Promise<void> => {
  const text = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'ingest_position'`
  const [found] = await engine.run({ text, params: {} }, budget)
  if (found === undefined) return
  if (generation > BEFORE_GENERATIONS) {
    for (const table of OLD_TABLES)
      await engine.execute({ text: `DROP TABLE IF EXISTS ${table} SYNC`, params: {} })
    return
  }
  if ((await state.read()).positionOf(BEFORE_GENERATIONS) !== undefined) return
  const read = "SELECT cursor, has_caught_up FROM ingest_position FINAL WHERE feed = 'orders'"
  const [row] = await engine.run({ text: read, params: {} }, budget)
  if (row === undefined) return
  const hasCaughtUp = row.has_caught_up === true
  await state.savePosition(token, BEFORE_GENERATIONS, {
    ...START,
    cursor: String(row.cursor),
    hasCaughtUp,
    applied: 1,
  })
}
