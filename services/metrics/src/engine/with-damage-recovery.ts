/**
 * Drops the tables of an embedded store that is damaged. They hold derived data only, so the ingest then fills the store again, as it does one
 * that was deleted; until then queries are 503 and the service is not ready. A server is left to its operator, whose replicas may repair it.
 */
import type { Logger } from '@merx/telemetry/logger'
import type { Budget } from '../request/limits.ts'
import { isStoreDamaged } from './engine-errors.ts'
import type { Engine } from './engine.ts'

const BUDGET: Budget = { timeoutMs: 30_000, memoryBytesMax: 100_000_000, groupsMax: 10_000, rowsMax: 10_000 }

/** The state of the ingest goes last: without it the leader fills the store again, which is too early while old tables are there. */
const TABLES = `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
ORDER BY name = 'ingest_state', name`

const dropTables = async (engine: Engine): Promise<void> => {
  for (const { name } of await engine.run({ text: TABLES, params: {} }, BUDGET))
    await engine.execute({ text: `DROP TABLE IF EXISTS \`${String(name)}\` SYNC`, params: {} })
}

export const withDamageRecovery = (engine: Engine, log: Pick<Logger, 'error'>): Engine => {
  let dropping: Promise<void> | undefined

  const recover = (damage: unknown): void => {
    if (dropping !== undefined) return
    log.error({ err: damage }, 'the analytics store is damaged; it is dropped and filled again from core')
    dropping = dropTables(engine)
      .catch((error: unknown) => {
        log.error(
          { err: error },
          'the damaged analytics store could not be dropped; trying again at the next query',
        )
      })
      .finally(() => {
        dropping = undefined
      })
  }

  const watch = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isStoreDamaged(error)) recover(error)
      throw error
    }
  }

  return {
    ...engine,
    run: (...read) => watch(engine.run(...read)),
    runCounted: (...read) => watch(engine.runCounted(...read)),
    insert: (...rows) => watch(engine.insert(...rows)),
    insertLines: (...lines) => watch(engine.insertLines(...lines)),
    execute: (statement) => watch(engine.execute(statement)),
    close: async () => {
      await dropping
      await engine.close()
    },
  }
}
