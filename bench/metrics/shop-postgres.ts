/** The same shop in PostgreSQL 18: orders and their line items in tables of their own, with the indexes that one would make. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startLocalPostgres } from '@merx/local-postgres/local-postgres'
import { createDatabaseIfMissing } from '@merx/postgres/create-database'
import { createPool } from '@merx/postgres/pool'
import { shopFolder } from './shop-store.ts'

export type Pool = ReturnType<typeof createPool>

/** Memory and parallelism as on a machine of its own; without compilation, which costs more than it gains here. */
export const SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '6GB',
  work_mem: '256MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  max_parallel_workers_per_gather: '2',
  random_page_cost: '1.1',
}
const STATEMENT_TIMEOUT_MS = 3_600_000

const ORDERS = `id, organization_id, mode, public_id, number, status, country_code, currency_code, market_id, market_name,
  customer_email, created_at, changed_at, placed_at, approved_at, seconds_in_approved, total_amount_with_taxes`

const TABLES = `
CREATE UNLOGGED TABLE orders (
  id bigint NOT NULL, organization_id text NOT NULL, mode text NOT NULL, public_id text NOT NULL, number text NOT NULL,
  status text NOT NULL, country_code text, currency_code text NOT NULL, market_id text NOT NULL, market_name text NOT NULL,
  customer_email text, created_at timestamptz NOT NULL, changed_at timestamptz NOT NULL, placed_at timestamptz,
  approved_at timestamptz, seconds_in_approved bigint, total_amount_with_taxes numeric(18, 4) NOT NULL);
CREATE UNLOGGED TABLE line_items (
  order_id bigint NOT NULL, code text, item_type text NOT NULL, quantity bigint NOT NULL,
  discount numeric(18, 4) NOT NULL, total_amount numeric(18, 4) NOT NULL);`

const INDEXES = [
  'ALTER TABLE orders ADD PRIMARY KEY (id)',
  'CREATE INDEX ON orders (organization_id, mode, changed_at DESC, public_id DESC)',
  'CREATE INDEX ON orders (organization_id, mode, country_code)',
  'CREATE INDEX ON line_items (order_id)',
  'CREATE INDEX ON line_items (code)',
  'CREATE INDEX ON line_items (discount) WHERE discount < 0',
  'VACUUM ANALYZE orders',
  'VACUUM ANALYZE line_items',
]

const UTC = (column: string): string => `concat(toString(${column}), '+00')`

/** What the engine writes to files for PostgreSQL to read, by table. */
export const exportsFor = (folder: string) => {
  const file = (table: string): string => path.join(folder, `${table}.tsv`)
  const into = (table: string): string => `INSERT INTO FUNCTION file('${file(table)}', 'TSV') SELECT`
  const from = 'FROM orders FINAL SETTINGS max_threads = 2, engine_file_truncate_on_insert = 1'
  const nullable = (column: string): string => `if(isNull(${column}), NULL, ${UTC(column)})`
  return {
    files: { orders: file('orders'), line_items: file('line_items') },
    statements: [
      `${into('orders')} toUInt64(number), organization_id, mode, id, number, status, country_code, currency_code, market_id,
        market_name, customer_email, ${UTC('created_at')}, ${UTC('current_date')}, ${nullable('placed_at')},
        ${nullable('approved_at')}, seconds_in_approved, total_amount_with_taxes ${from}`,
      `${into('line_items')} order_id, code, type, quantity, discount, total FROM (SELECT toUInt64(number) AS order_id,
        line_items.code AS codes, line_items.item_type AS types, line_items.quantity AS quantities,
        line_items.discount AS discounts, line_items.total_amount AS totals FROM orders FINAL)
        ARRAY JOIN codes AS code, types AS type, quantities AS quantity, discounts AS discount, totals AS total
        SETTINGS max_threads = 2, engine_file_truncate_on_insert = 1`,
    ],
  }
}

/** `writeFiles` makes the engine write its rows; called only when the database has to be filled. */
export const openPostgresShop = async (
  orders: number,
  writeFiles: (statements: readonly string[]) => Promise<void>,
  say: (message: string) => void,
) => {
  const folder = shopFolder(orders)
  const mark = path.join(folder, 'postgres-is-filled')
  const dataFolder = path.join(folder, 'postgres')
  if (!existsSync(mark)) rmSync(dataFolder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const server = await startLocalPostgres({
    dataFolder,
    password: 'benchmark',
    logFile: path.join(folder, 'postgres.log'),
    isDurable: false,
    settings: SETTINGS,
  })
  const url = server.url('shop')
  await createDatabaseIfMissing(url)
  const pool = createPool({
    url,
    maxConnections: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench',
  })
  const close = async (): Promise<void> => {
    await pool.end()
    await server.stop()
  }
  if (!existsSync(mark)) {
    try {
      await fill(pool, folder, writeFiles, say)
      writeFileSync(mark, '')
    } catch (error) {
      await close()
      throw error
    }
  }
  return { pool, close, pid: server.pid }
}

const fill = async (
  pool: Pool,
  folder: string,
  writeFiles: (statements: readonly string[]) => Promise<void>,
  say: (message: string) => void,
): Promise<void> => {
  const { files, statements } = exportsFor(folder)
  say('writing the rows to files')
  await writeFiles(statements)
  await pool.query(TABLES)
  say('reading them into PostgreSQL')
  await pool.query(`COPY orders (${ORDERS}) FROM '${files.orders}'`)
  await pool.query(
    `COPY line_items (order_id, code, item_type, quantity, discount, total_amount) FROM '${files.line_items}'`,
  )
  for (const file of Object.values(files)) rmSync(file)
  for (const statement of INDEXES) {
    say(statement)
    await pool.query(statement)
  }
}
