/** Lists that are read from kept bitmaps show what the same lists read from the rows show. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { createRandom } from '../../demo/random.ts'
import type { RequestScope } from '../../src/access/request-scope.ts'
import { queryable } from '../../src/engine/database/database.ts'
import type { Queryable } from '../../src/engine/database/database.ts'
import { createParams } from '../../src/engine/sql/params.ts'
import { COUNT_COLUMN, selectPage } from '../../src/engine/sql/select-page.ts'
import type { Parent } from '../../src/engine/sql/select-page.ts'
import { foldChanges, keepCodeStart } from '../../src/store/kept-upkeep.ts'
import { KEPT_COLUMN, selectKeptPage } from '../../src/store/sql/select-kept-page.ts'
import { openStore } from '../support/open-store.ts'
import type { TestStore } from '../support/open-store.ts'

const SKUS = 2_400
/** Numbers of three bitmap blocks and of one far away. */
const BLOCKS = [0, 1, 2, 1_000_000]
const random = createRandom('kept lists')

let store: TestStore
let database: Queryable

beforeAll(async () => {
  store = await openStore('kept_lists')
  database = queryable(store.pool)
  const numbers = new Set<number>()
  while (numbers.size < SKUS) numbers.add(random.pick(BLOCKS) * 16_384 + 100 + random.between(0, 16_000))
  await store.pool.query(
    `INSERT INTO skus (environment_id, id, code, name, shipping_category_id)
     SELECT 1, id, (CASE id % 3 WHEN 0 THEN 'Kept_' WHEN 1 THEN 'KEPT%' ELSE 'other' END) || id, 'Name ' || id % 50, 1
     FROM unnest($1::bigint[]) AS id`,
    [[...numbers]],
  )
  await store.pool
    .query(`INSERT INTO prices (environment_id, sku_id, sku_code, currency_code, amount_cents, price_list_id)
    SELECT 1, s.id, s.code, l.currency_code, 100, l.id FROM skus AS s JOIN price_lists AS l USING (environment_id)
    WHERE s.environment_id = 1 AND s.id > 50 AND (s.id * 7 + l.id * 3) % 10 < 7`)
  await store.pool
    .query(`INSERT INTO stock_items (environment_id, sku_id, sku_code, quantity, stock_location_id)
    SELECT 1, s.id, s.code, 0, l.id FROM skus AS s JOIN stock_locations AS l USING (environment_id)
    WHERE s.environment_id = 1 AND s.id > 50 AND (s.id * 11 + l.id * 5) % 10 < 3`)
  await store.pool.query(`INSERT INTO customers (environment_id, email, created_at)
    SELECT 1, 'kept-' || n || '@example.com', now() - n % 40 * interval '1 hour' FROM generate_series(1, 300) AS n`)
  await store.pool.query(`INSERT INTO addresses (environment_id, line_1, city, country_code, phone)
    SELECT 1, 'Street ' || n, 'City ' || n % 30, 'IT', '1' FROM generate_series(1, 300) AS n`)
  await store.pool
    .query(`INSERT INTO orders (environment_id, number, currency_code, market_id, created_at, placed_at)
    SELECT 1, 'kept-' || n, 'EUR', 1, now() - n % 50 * interval '1 hour',
      CASE WHEN n % 3 > 0 THEN now() - n % 7 * interval '1 hour' END
    FROM generate_series(1, 300) AS n`)
  await store.pool.query(`INSERT INTO line_items (environment_id, order_id, quantity, currency_code, name)
    SELECT 1, id, 1, 'EUR', 'Line ' || id % 40 FROM orders WHERE environment_id = 1 AND number LIKE 'kept-%'`)
  await store.pool.query('ANALYZE')
})
afterAll(() => store.close())

const eu = { id: 1, priceListId: 1, currencyCode: 'EUR', stockLocationIds: [1, 2] }
const us = { id: 2, priceListId: 2, currencyCode: 'USD', stockLocationIds: [2] }

const scopes: readonly (readonly [string, Partial<RequestScope>])[] = [
  ['no market', {}],
  ['a market', { markets: [eu] }],
  ['a market of one location', { markets: [us] }],
  [
    'a market with a store that has a location',
    { markets: [{ ...eu, stockLocationIds: [3, 1, 2] }], storeId: 1 },
  ],
  ['two markets', { markets: [eu, us] }],
  ['two markets, one without locations', { markets: [{ ...eu, stockLocationIds: [] }, us] }],
  ['a market without locations', { markets: [{ ...eu, stockLocationIds: [] }] }],
  ['no market that is left', { markets: [] }],
  ['an environment without SKUs', { environmentId: 2 }],
]

interface Seen {
  readonly count: unknown
  readonly ids: readonly unknown[]
}

const seen = (rows: readonly Readonly<Record<string, unknown>>[]): Seen => ({
  count: rows[0]?.[COUNT_COLUMN],
  ids: rows.map(({ id }) => id).filter((id) => id !== null),
})

/** The page from the bitmaps and from the rows; undefined when bitmaps do not have it. */
const bothWays = async (query: string, scope: Partial<RequestScope>, type = 'skus', parent?: Parent) => {
  const { registry, scope: whole, run } = store.reading(scope)
  const definition = registry.require(type)
  const { filters, sorts, page } = parseListQuery(query, definition, registry)
  const build = () => ({ registry, scope: whole, params: createParams(whole.environmentId) })
  const request = { definition, filters, sorts, page, ...(parent === undefined ? {} : { parent }) }
  const kept = selectKeptPage(request, build())
  const fromRows = seen(await run(selectPage(request, build())))
  if (kept === undefined) return { fromKept: undefined, fromRows }
  const rows = await run(kept.statement)
  return { fromKept: rows[0]?.[KEPT_COLUMN] === true ? seen(rows) : undefined, fromRows }
}

const lastPage = async (
  query: string,
  scope: Partial<RequestScope>,
  size: number,
  type = 'skus',
  parent?: Parent,
): Promise<number> => {
  const { fromRows } = await bothWays(query, scope, type, parent)
  return Math.ceil(Number(fromRows.count) / size)
}

const QUERIES = ['', 'sort=id', 'sort=-id', 'sort=-id,name', 'sort=code', 'sort=-name']
const STARTS = ['kept', 'KEPT', 'Kept_', 'kept%25', 'kept%251', 'k']

describe.each(scopes)('with %s in scope', (_name, scope) => {
  it.each(QUERIES)('"%s" shows the same pages and the same count, folded or not', async (query) => {
    const size = 25
    const last = await lastPage(query, scope, size)
    for (const number of [1, 2, Math.ceil(last / 2), last, last + 1].filter((wanted) => wanted > 0)) {
      const page = `${query}&page[size]=${size}&page[number]=${number}`
      const { fromKept, fromRows } = await bothWays(page, scope)
      expect({ page, ...fromKept }).toEqual({ page, ...fromRows })
    }
  })

  it('shows the same SKUs whose codes begin with something, once that is kept', async () => {
    await foldChanges(database)
    for (const start of STARTS) {
      await keepCodeStart(database, 1, decodeURIComponent(start))
      for (const more of ['', '&sort=-id', '&page[number]=7']) {
        const query = `filter[q][code_start]=${start}${more}`
        const { fromKept, fromRows } = await bothWays(query, scope)
        if (scope.environmentId === 2) expect({ query, fromKept }).toEqual({ query, fromKept: undefined })
        else if (fromKept !== undefined) expect({ query, ...fromKept }).toEqual({ query, ...fromRows })
      }
    }
  })
})

const LISTS: readonly (readonly [string, Partial<RequestScope>, readonly string[]])[] = [
  ['prices', {}, ['sort=-created_at', 'sort=amount_cents', 'sort=-compare_at_amount_cents']],
  ['prices', { markets: [eu] }, ['sort=created_at', 'sort=-amount_cents,created_at']],
  ['prices', { markets: [eu, us] }, ['sort=-created_at']],
  ['prices', { markets: [] }, ['sort=-created_at']],
  ['stock_items', {}, ['sort=created_at', 'sort=-quantity']],
  ['stock_items', { markets: [us] }, ['sort=-created_at', 'sort=quantity']],
  ['stock_items', { markets: [{ ...eu, stockLocationIds: [] }] }, ['sort=quantity']],
  ['customers', {}, ['sort=-created_at', 'sort=email', 'sort=reference']],
  ['addresses', {}, ['sort=-created_at', 'sort=-city,created_at']],
  ['orders', {}, ['sort=-created_at', 'sort=placed_at', 'sort=-placed_at', 'sort=-number']],
  ['orders', { environmentId: 2 }, ['sort=-created_at']],
  ['line_items', {}, ['sort=created_at', 'sort=-name']],
]

describe.each(LISTS)('%s with %j in scope', (type, scope, sorts) => {
  it.each(['', 'sort=-id', ...sorts])('"%s" shows every page and count that the rows show', async (query) => {
    await foldChanges(database)
    const size = 25
    const last = await lastPage(query, scope, size, type)
    const middle = Math.ceil(last / 2)
    for (const number of [1, 2, middle, middle + 1, last - 1, last, last + 1].filter((each) => each > 0)) {
      const page = `${query}&page[size]=${size}&page[number]=${number}`
      const { fromKept, fromRows } = await bothWays(page, scope, type)
      expect({ page, ...fromKept }).toEqual({ page, ...fromRows })
    }
  })
})

/** The collection that a to-many relationship of a resource leads to. */
const parentOf = (type: string, number: number, name: string): Parent => {
  const definition = store.registry.require(type)
  const relationship = definition.relationships[name]
  if (relationship?.kind !== 'toMany') throw new Error(`${type} have no collection of ${name}`)
  return { definition, number, name, relationship }
}

const id = (type: string, number: number): string => encodeId(type, number)

describe('what price lists and stock locations own', () => {
  const owned: readonly (readonly [string, string, string, number])[] = [
    ['price_lists', 'prices', 'prices', 1],
    ['price_lists', 'prices', 'prices', 2],
    ['price_lists', 'prices', 'prices', 4999],
    ['stock_locations', 'stock_items', 'stock_items', 2],
    ['stock_locations', 'stock_items', 'stock_items', 4],
  ]
  const inScope = [{}, { markets: [eu] }, { markets: [eu, us] }, { markets: [] }]

  it.each(owned)('%s: every page of %s is what the rows show', async (ownerType, name, type, number) => {
    const parent = parentOf(ownerType, number, name)
    for (const scope of inScope) {
      for (const query of ['', 'sort=-id', 'sort=-created_at']) {
        const last = await lastPage(query, scope, 25, type, parent)
        for (const page of [1, Math.ceil(last / 2), last, last + 1].filter((each) => each > 0)) {
          const asked = `${query}&page[size]=25&page[number]=${page}`
          const { fromKept, fromRows } = await bothWays(asked, scope, type, parent)
          expect({ asked, scope, ...fromKept }).toEqual({ asked, scope, ...fromRows })
        }
      }
    }
  })

  it.each([
    ['prices', `filter[q][price_list_id_eq]=${id('price_lists', 1)}`],
    ['prices', `filter[q][price_list_id_in]=${id('price_lists', 1)},${id('price_lists', 2)}`],
    ['prices', `filter[price_list_id]=${id('price_lists', 2)}&sort=-created_at`],
    ['prices', `filter[q][price_list_id_in]=${id('price_lists', 1)},${id('price_lists', 1)},unknown`],
    ['stock_items', `filter[q][stock_location_id_eq]=${id('stock_locations', 2)}`],
    ['stock_items', `filter[q][stock_location_id_in]=unknown`],
  ])('%s with %s', async (type, query) => {
    const { fromKept, fromRows } = await bothWays(query, {}, type)
    expect(fromKept).toEqual(fromRows)
  })

  it.each([
    ['prices', `filter[q][price_list_id_not_eq]=${id('price_lists', 1)}`],
    ['prices', `filter[q][price_list_id_eq_or_null]=${id('price_lists', 1)}`],
    ['prices', `filter[q][price_list_id_not_eq_all]=${id('price_lists', 1)}`],
    ['prices', `filter[q][price_list_id_or_sku_id_eq]=${id('price_lists', 1)}`],
    ['prices', `filter[q][sku_id_eq]=${id('skus', 1)}`],
    ['prices', 'filter[q][price_list_code_eq]=eu'],
    ['prices', `filter[price_list_id]=${id('price_lists', 1)}&filter[q][amount_cents_gt]=1`],
  ])('%s with %s are read from the rows', async (type, query) => {
    expect((await bothWays(query, {}, type)).fromKept).toBeUndefined()
  })

  it('by their ids are the same with markets in scope, which show some of them', async () => {
    for (const scope of inScope)
      for (const [type, query] of [
        ['prices', `filter[price_list_id]=${id('price_lists', 1)}`],
        ['prices', `filter[price_list_id]=${id('price_lists', 1)},${id('price_lists', 2)}`],
        ['stock_items', `filter[stock_location_id]=${id('stock_locations', 1)},${id('stock_locations', 4)}`],
      ] as const) {
        const { fromKept, fromRows } = await bothWays(query, scope, type)
        expect({ query, scope, ...(fromKept ?? fromRows) }).toEqual({ query, scope, ...fromRows })
      }
  })

  it('are read from the rows with another filter, as is what others own', async () => {
    const ofSku = parentOf('skus', 1, 'prices')
    expect((await bothWays('', {}, 'prices', ofSku)).fromKept).toBeUndefined()
    const ofList = parentOf('price_lists', 1, 'prices')
    expect((await bothWays('filter[q][amount_cents_gt]=1', {}, 'prices', ofList)).fromKept).toBeUndefined()
  })
})

/** Where an index answers, what is asked for by one value costs the same in a shop of any size. */
describe('filters by what names a record', () => {
  beforeAll(async () => {
    await store.pool.query(`INSERT INTO customers (environment_id, email)
      SELECT 1, 'more-' || n || '@example.com' FROM generate_series(1, 3000) AS n`)
    await store.pool.query('ANALYZE customers')
  })

  const planOf = async (type: string, query: string): Promise<string> => {
    const { registry, scope, run } = store.reading()
    const definition = registry.require(type)
    const { filters, sorts, page } = parseListQuery(query, definition, registry)
    const build = { registry, scope, params: createParams(scope.environmentId) }
    const { text, values } = selectPage({ definition, filters, sorts, page }, build)
    const rows = await run({ text: `EXPLAIN ${text}`, values })
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  }

  it.each<readonly [string, string, readonly string[]]>([
    ['prices', 'filter[q][sku_code_eq]=other7', ['skus_code', 'prices_sku_id']],
    ['prices', 'filter[q][sku_code_in]=other7,other8', ['skus_code', 'prices_sku_id']],
    ['stock_items', 'filter[q][sku_code_eq]=other7', ['skus_code', 'stock_items_sku_id']],
    ['customers', 'filter[q][email_eq]=kept-7@example.com', ['customers_email_key']],
    ['customers', 'filter[q][email_in]=kept-7@example.com,Kept-8@example.com', ['customers_email_key']],
    ['orders', 'filter[q][customer_email_eq]=kept-7@example.com', ['orders_customer_email_idx']],
    ...['skus', 'prices', 'stock_items', 'customers', 'addresses', 'orders', 'line_items'].map(
      (type) => [type, 'filter[q][reference_eq]=elsewhere-7', [`${type}_reference_idx`]] as const,
    ),
  ])('%s with %s are found by index', async (type, query, indexes) => {
    const plan = await planOf(type, query)
    for (const index of indexes) expect(plan).toContain(index)
    expect(plan).not.toContain('Seq Scan')
  })

  // In a shop this small reading all of a table is as fast, so that it is ruled out.
  it.each(['skus', 'prices', 'stock_items', 'customers', 'addresses', 'orders', 'line_items'])(
    '%s updated since an instant are found by ranges of blocks',
    async (type) => {
      const { registry, scope } = store.reading()
      const definition = registry.require(type)
      const query = parseListQuery('filter[q][updated_at_gt]=2099-01-01', definition, registry)
      const build = { registry, scope, params: createParams(scope.environmentId) }
      const { text, values } = selectPage({ definition, ...query }, build)
      const client = await store.pool.connect()
      try {
        await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off')
        const { rows } = await client.query<Record<string, unknown>>(`EXPLAIN ${text}`, [...values])
        const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
        expect(plan).toContain(`Bitmap Index Scan on ${type}_updated_at_idx`)
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    },
  )

  it('compares emails as they are, whatever the index', async () => {
    const { recordCount } = await store.list('customers', 'filter[q][email_eq]=kept-7@example.com')
    expect(recordCount).toBe(1)
    const other = await store.list('customers', 'filter[q][email_in]=KEPT-7@example.com,Kept-8@example.com')
    expect(other.recordCount).toBe(0)
  })
})

describe('a start of codes', () => {
  const starts = async () =>
    (await store.pool.query<{ start: string }>('SELECT start FROM kept.code_starts ORDER BY start')).rows.map(
      ({ start }) => start,
    )

  it('is kept in lower case when many codes have it, with wildcards as what they are', async () => {
    for (const start of STARTS) await keepCodeStart(database, 1, decodeURIComponent(start))
    expect(await starts()).toEqual(['k', 'kept', 'kept%', 'kept_'])
  })

  it('that few codes have is read from the rows', async () => {
    await keepCodeStart(database, 1, 'kept_1')
    expect(await starts()).not.toContain('kept_1')
    const { fromKept, fromRows } = await bothWays('filter[q][code_start]=kept_1', {})
    expect(fromKept).toBeUndefined()
    expect(Number(fromRows.count)).toBeGreaterThan(0)
  })

  it('with another order, more filters or other predicates is read from the rows', async () => {
    for (const query of [
      'filter[q][code_start]=kept&sort=name',
      'filter[q][code_start]=kept&filter[q][name_start]=Name',
      'filter[q][code_start_any]=kept,other',
      'filter[q][code_not_start]=kept',
      'filter[q][code_or_name_start]=kept',
      'filter[q][code_matches]=k%25t_1%25',
    ])
      expect([query, (await bothWays(query, {})).fromKept]).toEqual([query, undefined])
  })

  it('follows codes that come, go and change, before and after the log is folded', async () => {
    await keepCodeStart(database, 1, 'kept')
    await store.pool.query(`INSERT INTO skus (environment_id, code, name, shipping_category_id)
      VALUES (1, 'kEpT-new', 'New', 1), (1, 'new-kept', 'New', 1)`)
    await store.pool.query(
      `UPDATE skus SET code = 'kept-' || id WHERE environment_id = 1 AND code = 'new-kept'`,
    )
    await store.pool.query(`UPDATE skus SET code = 'gone-' || id WHERE environment_id = 1 AND id IN (
      SELECT id FROM skus WHERE environment_id = 1 AND code LIKE 'Kept%' ORDER BY id LIMIT 5)`)
    await store.pool.query(`DELETE FROM skus WHERE environment_id = 1 AND id IN (
      SELECT id FROM skus WHERE environment_id = 1 AND code LIKE 'KEPT%' ORDER BY id DESC LIMIT 5)`)
    for (const step of ['', 'SELECT kept.fold_codes()', 'SELECT kept.fold_codes()']) {
      if (step !== '') await store.pool.query(step)
      const { fromKept, fromRows } = await bothWays('filter[q][code_start]=kept&sort=-id', {
        markets: [eu, us],
      })
      expect({ step, ...fromKept }).toEqual({ step, ...fromRows })
      expect(await database.query('SELECT * FROM kept.code_start_differences()')).toEqual([])
    }
    expect(await database.query('SELECT * FROM kept.code_changes')).toEqual([])
  })

  it('from the dump of another cluster is not believed', async () => {
    await store.pool.query(`UPDATE kept.code_starts SET snapshot = '900000000000:900000000000:'`)
    expect((await bothWays('filter[q][code_start]=kept', {})).fromKept).toBeUndefined()
    await store.pool.query('SELECT kept.fold_codes()')
    expect(await starts()).toEqual([])
  })

  it('used longest ago makes room', async () => {
    for (const start of ['k', 'ke', 'kep', 'k']) {
      await store.pool.query('SELECT kept.keep_code_start(1, $1, 1, 2)', [start])
    }
    expect(await starts()).toEqual(['k', 'kep'])
  })
})
