/** A migrated core database for one test file. */
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))

export interface CoreDatabase {
  readonly database: Database
  drop(): Promise<void>
}

/** `name` tells the databases of test files apart. */
export const openCoreDatabase = async (name: string, maxConnections = 20): Promise<CoreDatabase> => {
  const fresh = await freshDatabase({ name, migrations: MIGRATIONS })
  const database = openDatabase({ url: fresh.url, maxConnections, log: silentLogger })
  return {
    database,
    drop: async () => {
      await database.close()
      await fresh.drop()
    },
  }
}
