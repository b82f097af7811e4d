/** Restrictions on rows, as SQL on real PostgreSQL, against the same filter asked for and against a naive evaluation. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { predicates } from '@merx/jsonapi/predicates'
import { matches } from '../../support/naive-filter.ts'
import type { Tables } from '../../support/naive-filter.ts'
import { openStore } from '../../support/open-store.ts'
import type { TestStore } from '../../support/open-store.ts'

let store: TestStore
let tables: Tables

beforeAll(async () => {
  store = await openStore('restricted_rows')
  tables = await store.tables()
})
afterAll(() => store.close())

const numbersOf = async (type: string, query: string, restricted?: object) => {
  const scope = restricted === undefined ? {} : { restrictions: { [type]: { rows: restricted } } }
  const { records, recordCount } = await store.list(type, `page[size]=25&${query}`, scope)
  return { numbers: records.map(({ number }) => number), recordCount }
}

const naive = (type: string, query: string): readonly unknown[] => {
  const definition = store.registry.require(type)
  const { filters } = parseListQuery(query, definition, store.registry)
  return (tables.get(definition.table) ?? [])
    .filter((row) => matches(row, filters, tables))
    .map(({ id }) => id)
}

const q = (key: string, value: string): string => `filter[q][${key}]=${encodeURIComponent(value)}`

const id = (type: string, number: number): string => encodeId(type, number)

const conditions: readonly (readonly [type: string, key: string, value: string])[] = [
  ...predicates
    .filter(({ kinds, takes }) => kinds.includes('text') && (takes === 'one' || takes === 'list'))
    .map(({ name, takes }) => ['skus', `name_${name}`, takes === 'list' ? 'shirt,hat' : 'shirt'] as const)
    .filter(([, key]) => !/_(lt|gt)/.test(key)), // the order of mixed case is the collation's
  ['skus', 'name_or_description_cont', 'shirt'],
  ['skus', 'description_null', 'true'],
  ['skus', 'metadata_jcont', '{"season":{"year":2026}}'],
  ['skus', 'prices_amount_cents_gt', '4200'],
  ['skus', 'stock_items_stock_location_code_eq', 'elsewhere'],
  ['skus', 'shipping_category_name_eq', 'Heavy'],
  ['orders', 'market_code_in', 'eu,vip'],
  ['orders', 'market_id_in', `${id('markets', 2)},${id('markets', 4)}`],
  ['orders', 'customer_email_null', 'true'],
  ['orders', 'store_id_not_null', 'true'],
  ['line_items', 'order_market_code_eq', 'eu'],
  ['line_items', 'order_customer_email_start', 'ada'],
  ['payment_methods', 'market_null', 'true'],
  ['payment_methods', 'payment_gateway_name_eq', 'Manual'],
  ['markets', 'price_list_currency_code_eq', 'EUR'],
  ['customers', 'customer_group_code_eq', 'vip'],
]

test.each(conditions)(
  '%s restricted by %s "%s" are those that the filter finds',
  async (type, key, value) => {
    const expected = naive(type, q(key, value))
    const asked = await numbersOf(type, q(key, value))
    for (const rows of [{ all: { [key]: value } }, { read: { [key]: value } }]) {
      const seen = await numbersOf(type, '', rows)
      expect(seen).toEqual({ numbers: expected, recordCount: expected.length })
      expect(seen).toEqual(asked)
    }
  },
)

test('restrictions and filters both hold', async () => {
  const rows = { all: { code_in: ['SKU-A', 'SKU-B', 'SKU-C'] }, read: { name_cont: 'shirt' } }
  expect(await numbersOf('skus', q('code_not_eq', 'SKU-A'), rows)).toEqual({ numbers: [2], recordCount: 1 })
})

test('restrictions of other actions hide nothing', async () => {
  const rows = { update: { code_eq: 'SKU-A' }, destroy: { code_eq: 'SKU-A' }, create: { code_eq: 'SKU-A' } }
  expect((await numbersOf('skus', '', rows)).recordCount).toBe(6)
})

test('restrictions that fit no definition show nothing', async () => {
  expect(await numbersOf('skus', '', { all: { colour_eq: 'red' } })).toEqual({ numbers: [], recordCount: 0 })
})
