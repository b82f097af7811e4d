/** The lines in a PostgreSQL 18 of its own, with indexes, and memory as on a machine of its own. */
import path from 'node:path'
import { startLocalPostgres } from '@merx/local-postgres/local-postgres'
import { createDatabaseIfMissing } from '@merx/postgres/create-database'
import { createPool } from '@merx/postgres/pool'
import { SETTINGS } from '../shop-postgres.ts'
import { firstValue, type OpenLineEngine, type Values } from './line-engine.ts'
import { STANDARD_TABLE } from './line-rows.ts'

const STATEMENT_TIMEOUT_MS = 3_600_000

const INDEXES = [
  'ALTER TABLE lines ADD PRIMARY KEY (line_id)',
  'CREATE INDEX ON lines (placed_at)',
  'CREATE INDEX ON lines (order_id)',
  'CREATE INDEX ON lines (customer_id)',
  'CREATE INDEX ON lines (sku_code)',
  'VACUUM ANALYZE lines',
  'CHECKPOINT',
]

export const openPostgres: OpenLineEngine = async (folder) => {
  const server = await startLocalPostgres({
    dataFolder: path.join(folder, 'data'),
    password: 'benchmark',
    logFile: path.join(folder, 'postgres.log'),
    isDurable: true,
    settings: SETTINGS,
  })
  const url = server.url('lines')
  await createDatabaseIfMissing(url)
  const pool = createPool({
    ...{ url, maxConnections: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, applicationName: 'bench' },
  })
  const ask = async (sql: string): Promise<readonly Values[]> =>
    (await pool.query<unknown[]>({ text: sql, rowMode: 'array' })).rows
  return {
    version: `PostgreSQL ${String(firstValue(await ask('SHOW server_version')))}`,
    load: async ({ tsv }) => {
      await pool.query(`BEGIN; ${STANDARD_TABLE}; COPY lines FROM '${tsv}' WITH (FREEZE); COMMIT`)
      for (const statement of INDEXES) await pool.query(statement)
    },
    ask,
    sizeBytes: async () => Number(firstValue(await ask(`SELECT pg_total_relation_size('lines')`))),
    close: async () => {
      await pool.end()
      await server.stop()
    },
  }
}
