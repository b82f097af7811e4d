import { testIds } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { RequestScope } from '../../access/request-scope.ts'
import { areas } from '../../areas.ts'
import { createRegistry } from '../registry.ts'
import { createParams } from './params.ts'
import { selectPage } from './select-page.ts'

const registry = createRegistry(areas, { ids: testIds })
const wide: RequestScope = { environmentId: 7, organizationId: 'enWoxFMOnp', mode: 'test' }
const market = { id: 1, priceListId: 2, currencyCode: 'EUR', stockLocationIds: [3, 4] }

const build = (query: string, scope: RequestScope = wide, type = 'skus') => {
  const definition = registry.require(type)
  const { filters, sorts, page } = parseListQuery(query, definition, registry)
  const params = createParams(scope.environmentId)
  return selectPage({ definition, filters, sorts, page }, { registry, scope, params })
}

describe('selectPage', () => {
  it('states the environment first, once for the count and once for the page', () => {
    const { text, values } = build('')
    expect(values[0]).toBe(7)
    expect(text.match(/t\.environment_id = \$1/g)).toHaveLength(2)
  })

  it('states the environment of every table it touches', () => {
    const { text } = build('filter[q][prices_price_list_code_eq]=x&filter[q][stock_items_quantity_gt]=1', {
      ...wide,
      markets: [market],
    })
    const tables = text.match(/(?:FROM|JOIN) "?[a-z_]+"? AS/g) ?? []
    const environments = text.match(/\.environment_id = \$1/g) ?? []
    expect(environments).toHaveLength(tables.length)
  })

  it('never writes a value into the text', () => {
    const evil = "x' OR 1=1 --"
    const { text, values } = build(`filter[q][code_eq]=${encodeURIComponent(evil)}`)
    expect(text).not.toContain('OR 1=1')
    expect(values).toContain(evil)
  })

  it('gives the same prepared statement to every page of a plain list', () => {
    const [first, second] = [build('page[number]=1'), build('page[number]=2&page[size]=25')]
    expect(first.name).toBeDefined()
    expect([second.text, second.name]).toEqual([first.text, first.name])
    expect(second.values).not.toEqual(first.values)
  })

  it('gives the same prepared statement to every market', () => {
    const other = { ...market, id: 9, priceListId: 8, stockLocationIds: [1] }
    expect(build('', { ...wide, markets: [other] }).name).toBe(build('', { ...wide, markets: [market] }).name)
  })

  it('prepares no statement for filters and long sorts, because there are too many', () => {
    expect(build('filter[q][code_eq]=x').name).toBeUndefined()
    expect(build('sort=code,name').name).toBeUndefined()
  })

  it('sees nothing when no market in scope is left', () => {
    expect(build('', { ...wide, markets: [] }).text).toContain('AND false')
    expect(build('', { ...wide, markets: [{ ...market, stockLocationIds: [] }] }).text).toContain('AND false')
  })

  it('breaks ties by id unless the sort has it', () => {
    expect(build('sort=-name').text).toContain('ORDER BY t."name" DESC, t.id')
    expect(build('sort=-id,name').text).toContain('ORDER BY t."id" DESC, t."name"')
  })

  it('reads no column that is never shown', () => {
    expect(build('', wide, 'orders').text).not.toContain('password_hash')
  })

  it('reads the foreign key itself for the id of a to-one, unless its target is narrowed', () => {
    const query = 'filter[q][sku_id_eq]=abcdefghij'
    expect(build(query, wide, 'prices').text).not.toContain('EXISTS')
    expect(build(query, { ...wide, markets: [market] }, 'prices').text).toContain(
      'EXISTS (SELECT 1 FROM "skus"',
    )
  })

  it.each([
    ['filter[q][sku_code_eq]=A', ['FROM "skus"']],
    ['filter[q][sku_code_not_eq]=A', ['FROM "skus"']],
    ['filter[q][sku_code_or_sku_name_eq]=A', ['FROM "skus"']],
    ['filter[q][sku_code_and_amount_cents_not_null]=true', ['FROM "skus"']],
    ['filter[q][sku_shipping_category_name_start]=A', ['FROM "skus"', 'CROSS JOIN "shipping_categories"']],
    ['filter[q][sku_code_null]=true', ['LEFT JOIN "skus"']],
    ['filter[q][sku_code_eq_or_null]=A', ['LEFT JOIN "skus"']],
    ['filter[q][sku_code_present]=false', ['LEFT JOIN "skus"']],
    ['filter[q][sku_code_or_price_list_name_eq]=A', ['LEFT JOIN "skus"', 'LEFT JOIN "price_lists"']],
    ['filter[q][sku_code_or_reference_eq]=A', ['LEFT JOIN "skus"']],
    [
      'filter[q][sku_code_or_price_list_name_eq]=A&filter[q][sku_code_not_null]=true',
      ['FROM "skus"', 'LEFT JOIN "price_lists"'],
    ],
  ])('begins with a related row when there must be one: %s', (query, sources) => {
    const { text } = build(query, wide, 'prices')
    for (const source of sources) expect(text).toContain(source)
    expect(text.includes('(SELECT 1) AS one')).toBe(sources.every((source) => source.startsWith('LEFT')))
  })
})
