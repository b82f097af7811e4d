/** The tables of a store in an engine of the test's choice; in a new one empty live ones, to be written to at once. */
import { silentLogger } from '@merx/testing/silent-logger'
import type { Engine } from '../../src/engine/engine.ts'
import { createStoreTables, type StoreTables } from '../../src/store/tables.ts'

export const openTables = async (engine: Engine): Promise<StoreTables> => {
  const tables = createStoreTables({ engine, layout: { kind: 'single' }, log: silentLogger })
  await tables.open()
  if ((await tables.live()) === undefined) {
    await tables.build(1)
    await tables.swap(1)
  }
  return tables
}
