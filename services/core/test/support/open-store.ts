/** The store alone, on a seeded database: queries without HTTP. */
import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { createPool } from '@merx/postgres/pool'
import { freshDatabase } from '@merx/testing/fresh-database'
import type { Pool } from 'pg'
import type { RequestScope } from '../../src/access/request-scope.ts'
import { areas } from '../../src/areas.ts'
import { runOn } from '../../src/engine/database/run-statement.ts'
import type { RunStatement } from '../../src/engine/database/run-statement.ts'
import type { Reading } from '../../src/engine/read/read-includes.ts'
import { readPage } from '../../src/engine/read/read-page.ts'
import type { PageOfRecords } from '../../src/engine/read/read-page.ts'
import { createRecords } from '../../src/engine/read/records.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import type { Registry } from '../../src/engine/registry.ts'
import { migrationsFolder } from '../../src/migrate.ts'
import type { Tables } from './naive-filter.ts'
import { seedShop } from './seed-shop.ts'

export interface TestStore {
  readonly pool: Pool
  readonly registry: Registry
  readonly run: RunStatement
  reading(scope?: Partial<RequestScope>): Reading
  list(type: string, query: string, scope?: Partial<RequestScope>): Promise<PageOfRecords>
  /** All rows of the first environment. */
  tables(): Promise<Tables>
  close(): Promise<void>
}

export const openStore = async (name: string): Promise<TestStore> => {
  const database = await freshDatabase({ name, migrations: migrationsFolder })
  const pool = createPool({
    url: database.url,
    maxConnections: 4,
    statementTimeoutMs: 10_000,
    applicationName: 'test',
  })
  await seedShop(pool)
  const registry = createRegistry(areas, { ids: testIds })
  const run = runOn(pool)
  const reading: TestStore['reading'] = (scope = {}) => {
    const whole = { environmentId: 1, organizationId: 'enWoxFMOnp', mode: 'test', ...scope } as const
    return {
      run,
      registry,
      scope: whole,
      records: createRecords(registry, whole.environmentId),
      mayRead: () => true,
    }
  }
  return {
    pool,
    registry,
    run,
    reading,
    list: (type, query, scope) => {
      const definition = registry.require(type)
      return readPage(definition, parseListQuery(query, definition, registry), reading(scope))
    },
    tables: async () => {
      const names = new Set(
        registry.definitions.filter(({ isSingleton }) => !isSingleton).map(({ table }) => table),
      )
      const entries = [...names].map(async (table) => {
        const { rows } = await pool.query<Row>(`SELECT * FROM ${table} WHERE environment_id = 1 ORDER BY id`)
        return [table, rows] as const
      })
      return new Map(await Promise.all(entries))
    },
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}
