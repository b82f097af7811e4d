/** Lists read from the bitmap index show what the same lists read from the rows show. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { createRandom } from '../../../demo/random.ts'
import type { RequestScope } from '../../../src/access/request-scope.ts'
import { mergeChanges } from '../../../src/engine/bitmap-index/merge-changes.ts'
import { selectIndexedPage } from '../../../src/engine/bitmap-index/select-indexed-page.ts'
import { queryable } from '../../../src/engine/database/database.ts'
import type { Queryable } from '../../../src/engine/database/database.ts'
import { createParams } from '../../../src/engine/sql/params.ts'
import { COUNT_COLUMN, selectPage } from '../../../src/engine/sql/select-page.ts'
import type { Parent } from '../../../src/engine/sql/select-page.ts'
import { openStore } from '../../support/open-store.ts'
import type { TestStore } from '../../support/open-store.ts'

const SKUS = 2_400
/** Numbers of three bitmap blocks and of one far away. */
const BLOCKS = [0, 1, 2, 1_000_000]
const random = createRandom('bitmap index')

let store: TestStore
let database: Queryable

beforeAll(async () => {
  store = await openStore('bitmap_index_lists')
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
  ['a market whose base list is not in force', { markets: [{ ...eu, priceListId: 2, basePriceListId: 1 }] }],
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

/** The page from the bitmap index, undefined when it does not know the list, and from the rows. */
const bothWays = async (query: string, scope: Partial<RequestScope>, type = 'skus', parent?: Parent) => {
  const { registry, scope: whole, run } = store.reading(scope)
  const definition = registry.require(type)
  const { filters, sorts, page } = parseListQuery(query, definition, registry)
  const build = () => ({ registry, scope: whole, params: createParams(whole.environmentId) })
  const request = { definition, filters, sorts, page, ...(parent === undefined ? {} : { parent }) }
  const indexed = selectIndexedPage(request, build())
  const fromRows = seen(await run(selectPage(request, build())))
  return { fromIndex: indexed === undefined ? undefined : seen(await run(indexed)), fromRows }
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

describe.each(scopes)('with %s in scope', (_name, scope) => {
  it.each(QUERIES)('"%s" shows the same pages and the same count, merged or not', async (query) => {
    const size = 25
    const last = await lastPage(query, scope, size)
    for (const number of [1, 2, Math.ceil(last / 2), last, last + 1].filter((wanted) => wanted > 0)) {
      const page = `${query}&page[size]=${size}&page[number]=${number}`
      const { fromIndex, fromRows } = await bothWays(page, scope)
      expect({ page, ...fromIndex }).toEqual({ page, ...fromRows })
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
    await mergeChanges(database)
    const size = 25
    const last = await lastPage(query, scope, size, type)
    const middle = Math.ceil(last / 2)
    for (const number of [1, 2, middle, middle + 1, last - 1, last, last + 1].filter((each) => each > 0)) {
      const page = `${query}&page[size]=${size}&page[number]=${number}`
      const { fromIndex, fromRows } = await bothWays(page, scope, type)
      expect({ page, ...fromIndex }).toEqual({ page, ...fromRows })
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
          const listed = `${query}&page[size]=25&page[number]=${page}`
          const { fromIndex, fromRows } = await bothWays(listed, scope, type, parent)
          expect({ listed, scope, ...fromIndex }).toEqual({ listed, scope, ...fromRows })
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
    const { fromIndex, fromRows } = await bothWays(query, {}, type)
    expect(fromIndex).toEqual(fromRows)
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
    expect((await bothWays(query, {}, type)).fromIndex).toBeUndefined()
  })

  it('by their ids are the same with markets in scope, which show some of them', async () => {
    for (const scope of inScope)
      for (const [type, query] of [
        ['prices', `filter[price_list_id]=${id('price_lists', 1)}`],
        ['prices', `filter[price_list_id]=${id('price_lists', 1)},${id('price_lists', 2)}`],
        ['stock_items', `filter[stock_location_id]=${id('stock_locations', 1)},${id('stock_locations', 4)}`],
      ] as const) {
        const { fromIndex, fromRows } = await bothWays(query, scope, type)
        expect({ query, scope, ...(fromIndex ?? fromRows) }).toEqual({ query, scope, ...fromRows })
      }
  })

  it('are read from the rows with another filter, as is what others own', async () => {
    const ofSku = parentOf('skus', 1, 'prices')
    expect((await bothWays('', {}, 'prices', ofSku)).fromIndex).toBeUndefined()
    const ofList = parentOf('price_lists', 1, 'prices')
    expect((await bothWays('filter[q][amount_cents_gt]=1', {}, 'prices', ofList)).fromIndex).toBeUndefined()
  })
})

const pageOf = (
  type: string,
  query: string,
): { readonly text: string; readonly values: readonly unknown[] } => {
  const { registry, scope } = store.reading()
  const definition = registry.require(type)
  const { filters, sorts, page } = parseListQuery(query, definition, registry)
  const build = { registry, scope, params: createParams(scope.environmentId) }
  return selectPage({ definition, filters, sorts, page }, build)
}

const planOf = async (type: string, query: string): Promise<string> => {
  const { run } = store.reading()
  const { text, values } = pageOf(type, query)
  const rows = await run({ text: `EXPLAIN ${text}`, values })
  return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
}

/** As if the tables were large: only a bitmap of an index may be scanned. */
const bitmapPlanOf = async (type: string, query: string): Promise<string> => {
  const { text, values } = pageOf(type, query)
  const client = await store.pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off')
    const { rows } = await client.query<Record<string, unknown>>(`EXPLAIN ${text}`, [...values])
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** Where an index answers, what is asked for by one value costs the same in a shop of any size. */
describe('filters by what names a record', () => {
  beforeAll(async () => {
    await store.pool.query(`INSERT INTO customers (environment_id, email)
      SELECT 1, 'more-' || n || '@example.com' FROM generate_series(1, 3000) AS n`)
    await store.pool.query('ANALYZE customers')
  })

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
      const plan = await bitmapPlanOf(type, 'filter[q][updated_at_gt]=2099-01-01')
      expect(plan).toContain(`Bitmap Index Scan on ${type}_updated_at_idx`)
    },
  )

  it('finds emails in any spelling', async () => {
    const { recordCount } = await store.list('customers', 'filter[q][email_eq]=kept-7@example.com')
    expect(recordCount).toBe(1)
    const other = await store.list('customers', 'filter[q][email_in]=KEPT-7@example.com,Kept-8@example.com')
    expect(other.recordCount).toBe(2)
  })
})

describe('the prefix of a code', () => {
  it('is found by the index on lower(code), with wildcards as what they are', async () => {
    const plan = await planOf('skus', 'filter[q][code_start]=Kept_1')
    expect(plan).toContain('skus_lower_code_idx')
    const counts = []
    for (const prefix of ['kept_', 'KEPT%25', 'kept', 'ke_t']) {
      const { recordCount } = await store.list('skus', `filter[q][code_start]=${prefix}`)
      counts.push(recordCount)
    }
    const { rows } = await store.pool.query<{ counts: readonly number[] }>(`
      SELECT ARRAY[count(*) FILTER (WHERE code LIKE 'Kept\\_%'), count(*) FILTER (WHERE code LIKE 'KEPT\\%%'),
        count(*) FILTER (WHERE code ILIKE 'kept%'), 0] AS counts FROM skus WHERE environment_id = 1`)
    expect(counts).toEqual(rows[0]?.counts)
    expect(counts[0]).toBeGreaterThan(0)
  })
})

describe('a text inside a name, a number or an address', () => {
  beforeAll(async () => {
    await store.pool
      .query(`INSERT INTO orders (environment_id, number, customer_email, reference, currency_code, market_id)
      SELECT 1, 'found-' || n, 'Reader-' || n || '@example.com', 'paper_' || n, 'EUR', 1 FROM generate_series(1, 4000) AS n`)
    // What was written lately stands in a list beside the index, until a vacuum.
    for (const table of ['orders', 'skus', 'customers']) await store.pool.query(`VACUUM ANALYZE ${table}`)
  })

  it.each([
    ['orders', 'filter[q][number_or_customer_email_or_reference_cont]=1234', 1],
    ['orders', 'filter[q][customer_email_cont]=READER-3999', 1],
    ['orders', 'filter[q][reference_cont]=per_39', 111],
    ['orders', 'filter[q][number_end]=nd-77', 1],
    ['skus', 'filter[q][code_or_name_cont]=kept_', undefined],
    ['customers', 'filter[q][email_cont]=KEPT-77', 1],
  ])('of %s is found by trigrams: %s', async (type, filter, count) => {
    const plan = await bitmapPlanOf(type, filter)
    expect(plan).toContain(`Bitmap Index Scan on ${type}_text_search_idx`)
    const { recordCount } = await store.list(type, filter)
    if (count === undefined) expect(recordCount).toBeGreaterThan(0)
    else expect(recordCount).toBe(count)
  })
})

it('finds the orders to ship among those that were shipped', async () => {
  await store.pool
    .query(`INSERT INTO orders (environment_id, number, currency_code, market_id, status, fulfillment_status)
    SELECT 1, 'shipped-' || n, 'EUR', 1, 'approved', CASE WHEN n % 100 = 0 THEN 'in_progress' ELSE 'fulfilled' END
    FROM generate_series(1, 2000) AS n`)
  await store.pool.query('ANALYZE orders')
  const filters = 'filter[q][status_eq]=approved&filter[q][fulfillment_status_eq]=in_progress'
  expect(await planOf('orders', filters)).toContain('orders_in_progress_idx')
  const { recordCount } = await store.list('orders', filters)
  expect(recordCount).toBe(20)
})
