import { testIds } from '@merx/jsonapi/fixtures/ids'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import { createRegistry } from '@merx/jsonapi/registry'
import type { RequestScope } from '../../access/request-scope.ts'
import { resources } from '../../areas.ts'
import { createParams } from '../../engine/sql/params.ts'
import { selectKeptPage } from './select-kept-page.ts'

const registry = createRegistry(resources, { ids: testIds })
const wide: RequestScope = { environmentId: 7, organizationId: 'enWoxFMOnp', mode: 'test' }
const market = { id: 1, priceListId: 2, currencyCode: 'EUR', stockLocationIds: [3, 4] }
const narrow: RequestScope = { ...wide, markets: [market] }

const build = (query: string, scope: RequestScope = narrow, type = 'skus') => {
  const definition = registry.require(type)
  const { filters, sorts, page } = parseListQuery(query, definition, registry)
  const params = createParams(scope.environmentId)
  return selectKeptPage({ definition, filters, sorts, page }, { registry, scope, params })
}

describe('selectKeptPage', () => {
  it('states the environment first, for the rows and for every set', () => {
    const { text, values } = build('')?.statement ?? { text: '', values: [] }
    expect(values[0]).toBe(7)
    expect(text.match(/kept\.members\(\$1, /g)).toHaveLength(2)
    expect(text).toContain('t.environment_id = $1')
  })

  it('gives one prepared statement to every page of every market', () => {
    const other = { ...narrow, markets: [{ ...market, priceListId: 9, stockLocationIds: [1] }] }
    const names = [build(''), build('page[number]=7&page[size]=3'), build('sort=id'), build('', other)].map(
      (page) => page?.statement.name,
    )
    expect(names[0]).toBeDefined()
    expect(new Set(names).size).toBe(1)
  })

  it('gives one prepared statement to every start of codes, which is never written into the text', () => {
    const [one, other] = [build("filter[q][code_start]=a'b"), build('filter[q][code_start]=C')]
    expect(one?.codeStart).toBe("a'b")
    expect(one?.statement.values).toContain("a'b")
    expect(one?.statement.text).not.toContain("a'b")
    expect(other?.statement.name).toBe(one?.statement.name)
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
  ])('takes %s of %p from the set of %s', (type, scope, set) => {
    expect(build('', scope, type)?.statement.text).toContain(`kept.members($1, '${set}', `)
    expect(build('sort=-created_at', scope, type)?.statement.text).toContain(`kept.members($1, '${set}', `)
  })

  it('leaves a sales channel its rows, whatever markets it has', () => {
    const guest = { ...narrow, salesChannel: { seesGuestOrdersOnly: true } }
    for (const type of ['customers', 'addresses', 'orders', 'line_items'])
      expect(build('', guest, type)).toBeUndefined()
  })

  it('keeps no prepared statement for long sorts, of which there is no end', () => {
    expect(build('sort=code')?.statement.name).toBeDefined()
    expect(build('sort=code,name')?.statement.name).toBeUndefined()
  })

  it.each([
    ['a type that is not kept', '', wide, 'price_lists'],
    ['a type that markets narrow by more than bitmaps know', '', narrow, 'orders'],
    [
      'a filter of another type',
      'filter[q][sku_code_start]=a&filter[q][amount_cents_gt]=1',
      narrow,
      'prices',
    ],
    ['another filter', 'filter[q][name_start]=a', narrow, 'skus'],
    ['more than one filter', 'filter[q][code_start]=a&filter[q][name_start]=a', narrow, 'skus'],
    ['a start of codes in another order', 'filter[q][code_start]=a&sort=name', narrow, 'skus'],
    ['a start of codes of a related resource', 'filter[q][sku_code_start]=a', narrow, 'prices'],
  ])('leaves %s to the rows', (_title, query, scope, type) => {
    expect(build(query, scope, type)).toBeUndefined()
  })
})
