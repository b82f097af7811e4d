/** The tables of a store in an engine of the test's choice. */
import { silentLogger } from '@merx/testing/silent-logger'
import type { Engine } from '../../src/engine/engine.ts'
import { createStoreTables, type StoreTables } from '../../src/store/tables.ts'

export const openTables = async (engine: Engine): Promise<StoreTables> => {
  const tables = createStoreTables({ engine, layout: { kind: 'single' }, log: silentLogger })
  await tables.open()
  return tables
}
