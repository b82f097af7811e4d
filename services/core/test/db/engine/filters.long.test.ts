/** Every predicate, as SQL on real PostgreSQL against a naive evaluation of the same filter in memory. */
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
  store = await openStore('filters')
  tables = await store.tables()
})
afterAll(() => store.close())

/** The numbers that the SQL finds and those that the naive evaluator finds. */
const both = async (type: string, query: string) => {
  const definition = store.registry.require(type)
  const found = await store.list(type, `${query}&page[size]=25`)
  const { filters } = parseListQuery(query, definition, store.registry)
  const rows = tables.get(definition.table) ?? []
  return {
    sql: found.records.map(({ number }) => number),
    naive: rows.filter((row) => matches(row, filters, tables)).map(({ id }) => id),
    recordCount: found.recordCount,
  }
}

const q = (key: string, value: string): string => `filter[q][${key}]=${encodeURIComponent(value)}`

const TEXTS = [
  'SKU-A',
  'black',
  'shirt',
  '',
  '%',
  '_',
  '\\',
  'cotton_',
  '100%',
  'Éclair',
  "'; DROP TABLE skus; --",
  'ha',
]
const LISTS = ['SKU-A,SKU-B', 'black,red', 'shirt,hat', 's,t', '%black%,%hat', 'nothing', '', 'a,', 'Bl%,%s']

const textCases = predicates
  .filter(({ kinds, takes }) => kinds.includes('text') && (takes === 'one' || takes === 'list'))
  .flatMap(({ name, takes }) => (takes === 'list' ? LISTS : TEXTS).map((value) => [name, value] as const))
  .filter(([name, value]) => !(name.includes('match') && value.endsWith('\\')))

describe('text predicates', () => {
  it.each(textCases)('%s "%s" on a column with and without nulls', async (name, value) => {
    for (const attribute of ['code', 'name', 'description', 'reference']) {
      if (/^(lt|gt)/.test(name) && attribute !== 'code') continue // the order of mixed case is the collation's
      const { sql, naive, recordCount } = await both('skus', q(`${attribute}_${name}`, value))
      expect(sql).toEqual(naive)
      expect(recordCount).toBe(naive.length)
    }
  })
})

describe('number, boolean, instant and id predicates', () => {
  const ofKind = (kind: 'integer' | 'float' | 'boolean' | 'instant' | 'id') =>
    predicates
      .filter(({ kinds, takes }) => kinds.includes(kind) && (takes === 'one' || takes === 'list'))
      .map(({ name, takes }) => ({ name, takes }))
  const valueOf = (takes: string, one: string, many: string) => (takes === 'list' ? many : one)

  it.each(ofKind('integer'))('$name on integers', async ({ name, takes }) => {
    for (const query of [
      q(`amount_cents_${name}`, valueOf(takes, '4500', '4000,5000')),
      q(`compare_at_amount_cents_${name}`, valueOf(takes, '2000', '2000,9')),
    ]) {
      const { sql, naive } = await both('prices', query)
      expect(sql).toEqual(naive)
    }
  })

  it.each(ofKind('boolean'))('$name on booleans', async ({ name, takes }) => {
    const { sql, naive } = await both('skus', q(`do_not_track_${name}`, valueOf(takes, 'true', 'true,false')))
    expect(sql).toEqual(naive)
  })

  it.each(ofKind('instant'))('$name on instants', async ({ name, takes }) => {
    for (const one of [
      '2026-01-03',
      '0000-01-01',
      '0099-06-01',
      '9999-12-31T23:59:59-12:00',
      '2026-01-03T12:30:00.250Z',
      '2026-01-03T13:30:00.25+01:00',
    ]) {
      const { sql, naive } = await both(
        'skus',
        q(`created_at_${name}`, valueOf(takes, one, `${one},2026-01-05`)),
      )
      expect(sql).toEqual(naive)
    }
    const { sql, naive } = await both(
      'markets',
      q(`disabled_at_${name}`, valueOf(takes, '2026-01-01', '2026-01-01,2025-01-01')),
    )
    expect(sql).toEqual(naive)
  })

  it.each(ofKind('id'))('$name on ids, own and of relationships', async ({ name, takes }) => {
    const ids = (type: string, ...numbers: number[]) =>
      numbers.map((number) => encodeId(type, number)).join(',')
    for (const [type, key, one, many] of [
      ['skus', 'id', ids('skus', 3), ids('skus', 2, 4)],
      ['skus', 'shipping_category_id', ids('shipping_categories', 1), ids('shipping_categories', 1, 2)],
      ['skus', 'prices_id', ids('prices', 2), ids('prices', 2, 6)],
      ['orders', 'store_id', ids('stores', 1), ids('stores', 1, 2)],
      ['orders', 'store', ids('stores', 1), `${ids('stores', 1)},abcdefghij`],
      ['skus', 'prices_price_list_id', ids('price_lists', 2), ids('price_lists', 1, 2)],
    ] as const) {
      const { sql, naive } = await both(type, q(`${key}_${name}`, valueOf(takes, one, many)))
      expect(sql).toEqual(naive)
    }
  })
})

describe('presence', () => {
  const cases = ['present', 'blank', 'null', 'not_null'].flatMap((name) =>
    ['true', 'false'].map((value) => [name, value] as const),
  )

  it.each(cases)('%s=%s on columns, objects and relationships', async (name, value) => {
    for (const [type, attribute] of [
      ['skus', 'description'],
      ['skus', 'reference'],
      ['skus', 'metadata'],
      ['skus', 'prices_id'],
      ['skus', 'prices_compare_at_amount_cents'],
      ['orders', 'store_id'],
      ['orders', 'store_code'],
      ['orders', 'customer_customer_group_code'],
      ['markets', 'disabled_at'],
      ['skus', 'do_not_track'],
    ] as const) {
      const { sql, naive } = await both(type, q(`${attribute}_${name}`, value))
      expect(sql).toEqual(naive)
    }
  })

  it.each(['true', 'false'])('true and false take %s', async (value) => {
    for (const name of ['true', 'false']) {
      const { sql, naive } = await both('skus', q(`do_not_track_${name}`, value))
      expect(sql).toEqual(naive)
    }
  })
})

describe('metadata containment', () => {
  it.each([
    '{}',
    '{"season":{"year":2026}}',
    '{"season":{}}',
    '{"tags":["a"]}',
    '{"tags":["b","a"]}',
    '{"season":null}',
    '{"x":"\\u00e9"}',
    '{"a\'b":1}',
  ])('jcont %s', async (value) => {
    const { sql, naive } = await both('skus', q('metadata_jcont', value))
    expect(sql).toEqual(naive)
  })
})

describe('filters over relationships', () => {
  it.each([
    q('prices_amount_cents_gt', '4200'),
    q('prices_amount_cents_not_eq', '4000'),
    q('prices_price_list_code_eq', 'us'),
    q('stock_items_stock_location_code_in', 'elsewhere,shop'),
    q('name_or_prices_price_list_code_cont', 'us'),
    q('code_or_shipping_category_code_or_description_eq', 'merch'),
    q('shipping_category_name_start', 'he'),
    q('shipping_category_code_eq_or_null', 'x'),
    q('prices_amount_cents_not_in_or_null', '5000,9000'),
    q('prices_price_list_name_null', 'true'),
    q('prices_stock_location_code_eq', 'x').replace('prices_stock_location', 'stock_items_stock_location'),
    // Two filters over one relationship speak of one row …
    `${q('prices_amount_cents_gt', '4200')}&${q('prices_price_list_code_eq', 'eu')}`,
    `${q('prices_amount_cents_lt', '4200')}&${q('prices_price_list_code_eq', 'us')}`,
    `${q('stock_items_quantity_gteq', '4')}&${q('stock_items_stock_location_code_eq', 'milano')}`,
    // … of two relationships of any two.
    `${q('prices_amount_cents_gt', '4200')}&${q('stock_items_quantity_lt', '3')}`,
    `${q('prices_amount_cents_gt', '1')}&${q('stock_items_quantity_or_prices_amount_cents_eq', '3')}&${q('name_cont', 'shirt')}`,
    `${q('name_cont', 'shirt')}&${q('description_null', 'true')}`,
    'filter[code]=SKU-A,SKU-B&filter[created_at_from]=2026-01-02',
    'filter[created_at_to]=2026-01-02',
    `filter[prices_id]=${encodeId('prices', 5)}`,
  ])('%s', async (query) => {
    const { sql, naive, recordCount } = await both('skus', query)
    expect(sql).toEqual(naive)
    expect(recordCount).toBe(naive.length)
  })

  it('meet rows as well as none in these tests', async () => {
    expect((await both('skus', q('prices_price_list_code_eq', 'us'))).sql).toEqual([2, 6])
    expect(
      (await both('skus', `${q('prices_amount_cents_lt', '4200')}&${q('prices_price_list_code_eq', 'us')}`))
        .sql,
    ).toEqual([6])
    expect((await both('skus', q('prices_id_null', 'true'))).sql).toEqual([5])
  })
})

describe('every filterable attribute of every resource', () => {
  const VALUES = {
    text: 'x',
    integer: '1',
    float: '1.5',
    boolean: 'true',
    instant: '2026-01-01',
    object: '{"a":1}',
    list: '["a"]',
    id: 'abcdefghij',
  } as const

  it('compiles with every predicate of its kind', async () => {
    const { valueKindOf } = await import('@merx/jsonapi/predicates')
    let count = 0
    const listed = store.registry.definitions.filter(({ operations }) => operations.includes('list'))
    for (const definition of listed) {
      for (const [name, { kind, filter }] of Object.entries(definition.attributes)) {
        const valueKind = valueKindOf(kind)
        if (!filter || valueKind === undefined) continue
        for (const predicate of predicates.filter(({ kinds }) => kinds.includes(valueKind))) {
          const value = predicate.takes === 'boolean' ? 'true' : VALUES[valueKind]
          await store.list(definition.type, q(`${name}_${predicate.name}`, value))
          count += 1
        }
      }
    }
    expect(count).toBeGreaterThan(2000)
  })

  it('compiles over every filterable relationship', async () => {
    for (const definition of store.registry.definitions) {
      for (const [name, { filter }] of Object.entries(definition.relationships)) {
        if (!filter) continue
        for (const predicate of ['eq', 'not_in', 'null']) {
          await store.list(
            definition.type,
            q(`${name}_id_${predicate}`, predicate === 'null' ? 'true' : 'abcdefghij'),
          )
        }
      }
    }
  })
})
