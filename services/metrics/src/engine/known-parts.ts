/** Whether old versions of records may lie beside the new ones, which decides how a page is read. Never whether it is right. */
import type { Clock } from '@merx/telemetry/clock'
import type { Budget } from '../request/limits.ts'
import type { Engine } from './engine.ts'

export interface KnownParts {
  /** Every year of the table lies in one part, as of some seconds ago. False as long as nothing is known. */
  areMerged(table: string): boolean
}

const FRESH_MS = 2_000

/** On a cluster the table is a name over others, `<name>_g<n>_local`, of which the node that is asked has a share. */
const MOST_PARTS = `SELECT max(parts) AS most FROM (SELECT count() AS parts FROM system.parts
WHERE active AND database = currentDatabase() AND (table = {table:String} OR match(table, {local:String}))
GROUP BY table, partition_id)`

export const createKnownParts = (engine: Engine, clock: Clock, budget: Budget): KnownParts => {
  const merged = new Map<string, boolean>()
  const readAt = new Map<string, number>()
  const read = async (table: string): Promise<boolean> => {
    const params = { table, local: `^${table}_g[0-9]+_local$` }
    const [row] = await engine.run({ text: MOST_PARTS, params }, budget)
    return Number(row?.most ?? 0) <= 1
  }
  return {
    areMerged: (table) => {
      const nowMs = clock.now().getTime()
      if (nowMs - (readAt.get(table) ?? -Infinity) >= FRESH_MS) {
        readAt.set(table, nowMs)
        read(table).then(
          (areMerged) => merged.set(table, areMerged),
          () => merged.delete(table), // an engine that fails is seen by the query itself
        )
      }
      return merged.get(table) ?? false
    },
  }
}
