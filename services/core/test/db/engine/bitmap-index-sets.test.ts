/** The bitmaps agree with the rows at every moment, whoever writes. */
import { createRandom } from '../../../demo/random.ts'
import type { Random } from '../../../demo/random.ts'
import { mergeChanges } from '../../../src/engine/bitmap-index/merge-changes.ts'
import { copyRows } from '../../../src/engine/database/bulk-load.ts'
import type { Database, Queryable } from '../../../src/engine/database/database.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

const WRITERS = 5
const TRANSACTIONS = 120
const LISTS = [1, 2]
const LOCATIONS = [1, 2, 3]

let core: CoreDatabase
let database: Database

beforeAll(async () => {
  core = await openCoreDatabase('bitmap_index')
  database = core.database
  for (const environment of [1, 2]) {
    await database.query(
      `INSERT INTO environments (id, organization_id, mode, slug, name) SELECT id, id::text, 'test', 'shop', 'Shop' FROM unnest(ARRAY[$1::bigint]) AS id`,
      [environment],
    )
    const $ = [environment]
    await database.query(
      `INSERT INTO addresses (id, environment_id, line_1, city, country_code, phone) VALUES (1, $1, 'x', 'y', 'IT', '1')`,
      $,
    )
    await database.query(`INSERT INTO shipping_categories (id, environment_id, name) VALUES (1, $1, 'c')`, $)
    await database.query(
      `INSERT INTO price_lists (id, environment_id, name, currency_code) SELECT l, $1, 'l', 'EUR' FROM unnest($2::bigint[]) AS l`,
      [environment, LISTS],
    )
    await database.query(
      `INSERT INTO stock_locations (id, environment_id, name, address_id) SELECT l, $1, 'l', 1 FROM unnest($2::bigint[]) AS l`,
      [environment, LOCATIONS],
    )
  }
})
afterAll(() => core.drop())

const differences = (): Promise<readonly unknown[]> => database.query('SELECT * FROM kept.differences()')

const insertSkus = (on: Queryable, environment: number, codes: readonly string[]) =>
  on.query(
    `INSERT INTO skus (environment_id, code, name, shipping_category_id)
     SELECT $1, code, 'x', 1 FROM unnest($2::text[]) AS code ON CONFLICT DO NOTHING`,
    [environment, codes],
  )

/** A few SKUs that exist, as a subquery; conflicts between writers are what the test is about. */
const SOME = `(SELECT id, code FROM skus WHERE environment_id = $1 ORDER BY md5(id::text || $2) LIMIT 3)`

const CHANGES: readonly string[] = [
  `INSERT INTO prices (environment_id, sku_id, sku_code, currency_code, amount_cents, price_list_id)
   SELECT $1, s.id, s.code, 'EUR', 1, 1 + length($2) % 2 FROM ${SOME} AS s ON CONFLICT DO NOTHING`,
  `INSERT INTO stock_items (environment_id, sku_id, sku_code, quantity, stock_location_id)
   SELECT $1, s.id, s.code, 0, l.id FROM ${SOME} AS s, stock_locations AS l WHERE l.environment_id = $1
   ON CONFLICT (environment_id, stock_location_id, sku_id) DO UPDATE SET quantity = stock_items.quantity + 1`,
  `DELETE FROM prices WHERE environment_id = $1 AND sku_id IN (SELECT id FROM ${SOME} AS s)`,
  `DELETE FROM stock_items WHERE environment_id = $1 AND stock_location_id = 1 + length($2) % 3
     AND sku_id IN (SELECT id FROM ${SOME} AS s)`,
  `UPDATE prices SET price_list_id = 3 - price_list_id WHERE environment_id = $1 AND sku_id IN (SELECT id FROM ${SOME} AS s)
     AND sku_id NOT IN (SELECT sku_id FROM prices WHERE environment_id = $1 GROUP BY sku_id HAVING count(*) > 1)`,
  `UPDATE prices SET amount_cents = amount_cents + 1 WHERE environment_id = $1 AND sku_id IN (SELECT id FROM ${SOME} AS s)`,
  `UPDATE skus SET code = CASE WHEN code LIKE 'a%' THEN 'b' ELSE 'A' END || substr(md5($2 || id), 1, 12)
   WHERE environment_id = $1 AND id IN (SELECT id FROM ${SOME} AS s)`,
  `DELETE FROM skus WHERE environment_id = $1 AND id IN (SELECT id FROM ${SOME} AS s LIMIT 1)`,
  `INSERT INTO customers (environment_id, email)
   SELECT $1, md5($2 || n || random()) || '@example.com' FROM generate_series(1, 3) AS n`,
  `DELETE FROM customers WHERE environment_id = $1 AND id % 3 = length($2) % 3`,
  `INSERT INTO addresses (environment_id, line_1, city, country_code, phone)
   SELECT $1, $2, 'City', 'IT', '1' FROM generate_series(1, 2)`,
  `DELETE FROM addresses WHERE environment_id = $1 AND id > 1 AND id % 3 = length($2) % 3`,
]

/** What two writers may do to each other; the transaction that loses is rolled back as a whole. */
const EXPECTED = ['40P01', '23505', '23503']

const isExpected = (error: unknown): boolean =>
  error instanceof RolledBack ||
  (error instanceof Error && 'code' in error && EXPECTED.includes(String(error.code)))

class RolledBack extends Error {}

const writeAtRandom = async (random: Random): Promise<void> => {
  for (let count = 0; count < TRANSACTIONS; count += 1) {
    const environment = random.between(1, 2)
    try {
      await database.transaction(async (transaction) => {
        const codes = [1, 2].map(() => `${random.pick(['a', 'A', 'b'])}${random.between(1, 1e9)}`)
        if (random.chance(0.5)) await insertSkus(transaction, environment, codes)
        for (let changes = random.between(1, 3); changes > 0; changes -= 1) {
          await transaction.query(random.pick(CHANGES), [environment, 'x'.repeat(random.between(1, 9))])
        }
        if (random.chance(0.1)) throw new RolledBack('on purpose')
      })
    } catch (error) {
      if (!isExpected(error)) throw error
    }
  }
}

describe('bitmap index', () => {
  it('agrees with the rows at every moment, while many write, merge and rebuild at once', async () => {
    await insertSkus(
      database,
      1,
      Array.from({ length: 60 }, (_, index) => `a-${index}`),
    )
    await insertSkus(
      database,
      2,
      Array.from({ length: 60 }, (_, index) => `a-${index}`),
    )
    let isDone = false
    const random = createRandom('bitmap index')
    const writers = Promise.all(
      Array.from({ length: WRITERS }, (_, index) => writeAtRandom(random.fork(`writer ${index}`))),
    ).finally(() => {
      isDone = true
    })
    let looks = 0
    const maintain = async (): Promise<void> => {
      for (let round = 0; !isDone; round += 1) {
        expect(await differences()).toEqual([])
        looks += 1
        await mergeChanges(database)
        if (round % 7 === 6) await database.query('SELECT kept.rebuild()')
      }
    }
    await Promise.all([writers, maintain()])
    expect(looks).toBeGreaterThan(3)
    expect(await differences()).toEqual([])
    expect(await mergeChanges(database)).toBeGreaterThanOrEqual(0)
    expect(await database.query('SELECT * FROM kept.changes')).toEqual([])
    expect(await differences()).toEqual([])
    const [held] = await database.query<{ count: number }>(
      'SELECT sum(bit_count(bits))::bigint AS count FROM kept.sets',
    )
    expect(held?.count).toBeGreaterThan(100)
  })

  it('includes rows that are copied, and those of writers that switch triggers off', async () => {
    const client = await core.copying.connect()
    try {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica')
      const columns = ['environment_id', 'code', 'name', 'shipping_category_id']
      const rows = Array.from({ length: 3_000 }, (_, index) => [1, `copied-${index}`, 'x', 1])
      await copyRows(client, 'skus', columns, rows)
      await client.query(`DELETE FROM skus WHERE environment_id = 1 AND code LIKE 'copied-1%'`)
      await client.query('COMMIT')
    } finally {
      client.release()
    }
    expect(await differences()).toEqual([])
  })

  it('is merged by one process at a time, and nobody waits', async () => {
    await insertSkus(database, 1, ['one-at-a-time'])
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT kept.fold(10)')
      expect(await mergeChanges(database)).toBe(0)
      await insertSkus(database, 1, ['meanwhile'])
    })
    expect(await mergeChanges(database)).toBe(1)
    expect(await differences()).toEqual([])
  })

  it('reports what differs, and is right again after a rebuild', async () => {
    await mergeChanges(database)
    await database.query(`DELETE FROM kept.sets WHERE environment_id = 1 AND name = 'skus'`)
    await insertSkus(database, 1, ['after-the-damage'])
    expect(await database.query('SELECT environment_id, name, owner_id FROM kept.differences()')).toEqual([
      { environment_id: 1, name: 'skus', owner_id: 0 },
    ])
    await database.query('SELECT kept.rebuild()')
    expect(await differences()).toEqual([])
  })

  it('is empty after a truncate', async () => {
    await database.query('TRUNCATE skus CASCADE')
    expect(await differences()).toEqual([])
    await mergeChanges(database)
    const [left] = await database.query<{ count: number | null }>(
      `SELECT sum(bit_count(bits))::bigint AS count FROM kept.sets WHERE name NOT IN ('customers', 'addresses')`,
    )
    expect(left?.count).toBe(0)
    expect(await differences()).toEqual([])
  })

  it('tells the release before, which had bitmaps of code prefixes, that there are none', async () => {
    await database.query(`SELECT kept.keep_code_start(1, 'a', 1, 64)`)
    expect(await database.query('SELECT kept.fold_codes() AS count')).toEqual([{ count: 0 }])
    const page =
      await database.query(`SELECT kept.is_code_start(1, 'a') AS is_kept, count(visible.bits & started.bits)
      FROM kept.members(1, 'skus', ARRAY[0::bigint]) AS visible JOIN kept.code_start_members(1, 'a') AS started USING (block)`)
    expect(page).toEqual([{ is_kept: false, count: 0 }])
  })
})
