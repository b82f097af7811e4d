/** A migrated core database for one test file. */
import { fileURLToPath } from 'node:url'
import { createPool } from '@merx/postgres/pool'
import { freshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import type { Pool } from 'pg'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))

export interface CoreDatabase {
  readonly database: Database
  /** As the demo has it: it can COPY, which the pipelined connections of core cannot. */
  readonly copying: Pool
  drop(): Promise<void>
}

/** `name` tells the databases of test files apart. */
export const openCoreDatabase = async (name: string, maxConnections = 20): Promise<CoreDatabase> => {
  const fresh = await freshDatabase({ name, migrations: MIGRATIONS })
  const database = openDatabase({ url: fresh.url, maxConnections, log: silentLogger })
  const copying = createPool({
    url: fresh.url,
    maxConnections: 4,
    statementTimeoutMs: 600_000,
    applicationName: 'copying',
  })
  return {
    database,
    copying,
    drop: async () => {
      await copying.end()
      await database.close()
      await fresh.drop()
    },
  }
}
