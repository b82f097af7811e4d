import { loadCatalogue } from './catalogue/load-catalogue.ts'
import { createKnownSpacings } from './known-spacings.ts'
import type { SearchPlan } from './plan/plan.ts'

const orders = loadCatalogue().get('orders')
const attribute = (path: string) => {
  const found = orders?.attributes.get(path)
  if (found === undefined) throw new Error(`no ${path}`)
  return found
}
if (orders === undefined) throw new Error('no orders')

const inCountry = (...values: readonly string[]) =>
  [{ op: 'in', attribute: attribute('order.country_code'), match: 'equal', values }] as const

const plan: SearchPlan = {
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    range: {
      attribute: attribute('order.current_date'),
      from: new Date('2022-01-01'),
      to: new Date('2023-01-01'),
    },
    predicates: inCountry('IT'),
  },
  fields: [attribute('order.id')],
  order: [
    { attribute: attribute('order.current_date'), direction: 'desc' },
    { attribute: attribute('order.id'), direction: 'desc' },
  ],
  limit: 9,
}

const reaching = (changes: Partial<SearchPlan['reach']>): SearchPlan => ({
  ...plan,
  reach: { ...plan.reach, ...changes },
})

describe('known spacings', () => {
  it('are those of the last search with the same conditions, whatever dates, fields and page size it had', () => {
    const spacings = createKnownSpacings()
    expect(spacings.find(plan)).toBeUndefined()
    spacings.learn(plan, 1_000)
    spacings.learn(plan, 2_000)
    expect(spacings.find(plan)).toBe(2_000)
    const range = { attribute: attribute('order.current_date'), from: new Date(0), to: new Date(1) }
    expect(spacings.find({ ...reaching({ range }), limit: 1, fields: [attribute('order.number')] })).toBe(
      2_000,
    )
  })

  it.each([
    ['organization', reaching({ environment: { organizationId: 'orgBBBBBBB', mode: 'test' } })],
    ['mode', reaching({ environment: { organizationId: 'orgAAAAAAA', mode: 'live' } })],
    ['value', reaching({ predicates: inCountry('DE') })],
    ['number of conditions', reaching({ predicates: [] })],
    [
      'direction',
      {
        ...plan,
        order: plan.order.map(({ attribute: by }) => ({ attribute: by, direction: 'asc' as const })),
      },
    ],
  ])('are of no other %s', (_what, other) => {
    const spacings = createKnownSpacings()
    spacings.learn(plan, 1_000)
    expect(spacings.find(other)).toBeUndefined()
  })

  it('are bounded: what was learnt first is forgotten', () => {
    const spacings = createKnownSpacings(2)
    for (const country of ['IT', 'DE', 'FR']) spacings.learn(reaching({ predicates: inCountry(country) }), 1)
    expect(
      ['IT', 'DE', 'FR'].map((country) => spacings.find(reaching({ predicates: inCountry(country) }))),
    ).toEqual([undefined, 1, 1])
  })
})
