/** Lookups of writes in an environment that PostgreSQL's statistics know nothing of: a shop on its first day. */
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import type { Statement } from '../../../src/engine/sql/params.ts'
import { lockAmong, selectAmong, selectRow, selectWhere } from '../../../src/engine/sql/select-rows.ts'
import { updateRows } from '../../../src/engine/sql/write-rows.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

const KNOWN = [901, 902]
const NEW = 903
const ROWS = 3_000

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('new_environments')
  await core.database.pool.query('ALTER TABLE skus SET (autovacuum_enabled = false)')
  for (const environment of [...KNOWN, NEW]) {
    await core.database.pool.query(
      `INSERT INTO environments (id, organization_id, mode, slug, name) VALUES ($1, 'organization ' || $1::bigint, 'test', 'new', 'New')`,
      [environment],
    )
    await core.database.pool.query(
      `INSERT INTO shipping_categories (id, environment_id, name) VALUES ($1, $1, 'Any')`,
      [environment],
    )
    await core.database.pool.query(
      `INSERT INTO skus (id, environment_id, code, name, shipping_category_id)
       SELECT $1::bigint * 10000 + at, $1, 'SKU-' || at, 'Any', $1 FROM generate_series(1, $2::int) AS at`,
      [environment, ROWS],
    )
    if (environment !== NEW) await core.database.pool.query('ANALYZE skus')
  }
})
afterAll(() => core.drop())

/** The indexes that PostgreSQL would read. */
const indexesOf = async ({ text, values }: Statement): Promise<readonly (string | undefined)[]> => {
  const { rows } = await core.database.pool.query<{ 'QUERY PLAN': unknown }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    [...values],
  )
  const plan = JSON.stringify(rows[0]?.['QUERY PLAN'])
  return [...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name)
}

/** Any other index begins with the environment too, and would be read from its first row of it to the last. */
const BY_CODE = ['skus_code_key', 'skus_code_id_idx']
const BY_NUMBER = ['skus_pkey', 'skus_id_code_key']

const skus = createRegistry(areas, { ids: testIds }).require('skus')
const codes = ['SKU-7', 'SKU-8', 'NONE']

const number = NEW * 10_000 + 7

test.each<[string, Statement, readonly string[]]>([
  ['rows by unique values', selectAmong('skus', NEW, 'code', codes, ['id', 'code']), BY_CODE],
  ['rows by numbers', selectAmong('skus', NEW, 'id', [number, number + 1], ['id', 'code']), BY_NUMBER],
  [
    'rows to be locked',
    lockAmong(
      'skus',
      NEW,
      ['code'],
      codes.map((code) => ({ code })),
    ),
    [...BY_CODE, ...BY_NUMBER],
  ],
  ['a row by a value', selectWhere(skus, NEW, { code: 'SKU-7' }), BY_CODE],
  ['a row by its number', selectRow('skus', NEW, number, true), BY_NUMBER],
  [
    'a row to be changed',
    updateRows({
      table: 'skus',
      environmentId: NEW,
      rows: [{ id: number, name: 'Other' }],
      returning: 'all',
      log: { changes: [], actor: {} },
    }),
    BY_NUMBER,
  ],
])('finds %s without reading the environment', async (_case, statement, indexes) => {
  const read = await indexesOf(statement)
  expect(read.length).toBeGreaterThan(0)
  for (const index of read) expect(indexes).toContain(index)
})
