import { testIds } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { RequestScope } from '../../access/request-scope.ts'
import { areas } from '../../areas.ts'
import { createRegistry } from '../registry.ts'
import { createParams } from '../sql/params.ts'
import { visibilityOf } from '../sql/visible-rows.ts'
import { selectIndexedPage } from './select-indexed-page.ts'

const registry = createRegistry(areas, { ids: testIds })
const { indexed } = registry.facts
const wide: RequestScope = { environmentId: 7, organizationId: 'enWoxFMOnp', mode: 'test' }
const market = { id: 1, priceListId: 2, currencyCode: 'EUR', stockLocationIds: [3, 4] }
const narrow: RequestScope = { ...wide, markets: [market] }

const build = (query: string, scope: RequestScope = narrow, type = 'skus') => {
  const definition = registry.require(type)
  const { filters, sorts, page } = parseListQuery(query, definition, registry)
  const params = createParams(scope.environmentId)
  return selectIndexedPage({ definition, filters, sorts, page }, { registry, scope, params })
}

describe('selectIndexedPage', () => {
  it('states the environment first, for the rows and for every set', () => {
    const { text, values } = build('') ?? { text: '', values: [] }
    expect(values[0]).toBe(7)
    expect(text.match(/kept\.members\(\$1, /g)).toHaveLength(2)
    expect(text).toContain('t.environment_id = $1')
  })

  it('gives every page of every market the same prepared statement', () => {
    const other = { ...narrow, markets: [{ ...market, priceListId: 9, stockLocationIds: [1] }] }
    const names = [build(''), build('page[number]=7&page[size]=3'), build('sort=id'), build('', other)].map(
      (statement) => statement?.name,
    )
    expect(names[0]).toBeDefined()
    expect(new Set(names).size).toBe(1)
  })

  it.each([
    ['prices', narrow, 'prices_of_price_list'],
    ['prices', wide, 'prices'],
    ['stock_items', narrow, 'stock_items_of_stock_location'],
    ['stock_items', wide, 'stock_items'],
    ['customers', wide, 'customers'],
    ['addresses', wide, 'addresses'],
    ['orders', wide, 'orders'],
    ['line_items', wide, 'line_items'],
  ])('reads %s of %p from the set %s', (type, scope, set) => {
    expect(build('', scope, type)?.text).toContain(`kept.members($1, '${set}', `)
    expect(build('sort=-created_at', scope, type)?.text).toContain(`kept.members($1, '${set}', `)
  })

  it('reads the rows for a sales channel, whatever markets it has', () => {
    const guest = { ...narrow, salesChannel: { seesGuestOrdersOnly: true } }
    for (const type of ['customers', 'addresses', 'orders', 'line_items'])
      expect(build('', guest, type)).toBeUndefined()
  })

  it('prepares no statement for long sorts, because there are too many', () => {
    expect(build('sort=code')?.name).toBeDefined()
    expect(build('sort=code,name')?.name).toBeUndefined()
  })

  it.each([
    ['a type that is not indexed', '', wide, 'price_lists'],
    ['a type that markets narrow by more than there are sets of', '', narrow, 'orders'],
    [
      'a filter of another type',
      'filter[q][sku_code_start]=a&filter[q][amount_cents_gt]=1',
      narrow,
      'prices',
    ],
    ['another filter', 'filter[q][name_start]=a', narrow, 'skus'],
    ['the prefix of a code', 'filter[q][code_start]=a', narrow, 'skus'],
    [
      'a restricted role',
      '',
      { ...wide, restrictions: { skus: { rows: { read: { name_eq: 'x' } } } } },
      'skus',
    ],
    ['restrictions that cannot be applied', '', { ...wide, restrictions: { skus: { rows: 1 } } }, 'skus'],
  ])('leaves %s to the rows', (_title, query, scope, type) => {
    expect(build(query, scope, type)).toBeUndefined()
  })

  it('uses the index for a role that is restricted in fields or in other types', () => {
    const fields = { ...wide, restrictions: { skus: { fields: { read: ['code'] } } } }
    const other = { ...wide, restrictions: { prices: { rows: { read: { amount_cents_gt: 1 } } } } }
    expect(build('', fields)).toBeDefined()
    expect(build('', other)).toBeDefined()
  })
})

/** What an area says in sets and what it says row by row must not differ. */
describe('indexed types', () => {
  const scopes: readonly RequestScope[] = [
    wide,
    narrow,
    { ...wide, markets: [] },
    { ...narrow, storeId: 1 },
    { ...wide, salesChannel: { seesGuestOrdersOnly: true } },
    { ...narrow, salesChannel: { customerId: 3, seesGuestOrdersOnly: false } },
  ]

  it.each(Object.keys(indexed))(
    '%s are visible as a whole exactly when no rule of visibility applies',
    (type) => {
      for (const scope of scopes) {
        const members = indexed[type]?.visible(scope)
        const rules = visibilityOf(type, 't', { registry, scope, params: createParams(scope.environmentId) })
        if (members?.kind === 'all') expect({ type, scope, rules }).toEqual({ type, scope, rules: [] })
        if (rules.length === 0)
          expect({ type, scope, kind: members?.kind }).toEqual({ type, scope, kind: 'all' })
      }
    },
  )
})
