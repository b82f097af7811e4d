import { resourceNames, resourceOf } from './catalogue.ts'
import {
  changeQuestion,
  currencyOf,
  filterOfGroup,
  isMoney,
  readQuestion,
  toRaw,
  viewsOf,
  withFilter,
  withoutFilter,
} from './question.ts'
import { readableQuestions, readyQuestions, toQuestion } from './ready-questions.ts'

const revenue = {
  ...{ of: 'orders', kind: 'breakdown', by: 'market.name', field: 'order.total_amount_with_taxes' },
  ...{ operator: 'sum', date: 'placed_at', days: 90, view: 'bar' },
}

describe('a question read from an address', () => {
  it('is the question that was written there', () => {
    const filters = [
      ['order.currency_codes', 'in', ['EUR']],
      ['order.guest', 'is', true],
      ['order.total_amount', 'gte_lt', [10, 20.5]],
      ['shipments.stock_location.ids', 'not_in', ['a', 'b']],
      ['order.aggregated_details', 'query', 'ada'],
      ['market.numbers', 'in', [1]],
    ]
    const question = readQuestion({ ...revenue, filters, condition: ['gt', 5], limit: 20, compare: true })
    expect(question).toMatchObject({ ...revenue, filters, condition: ['gt', 5], limit: 20, compare: true })
    expect(readQuestion(toRaw(question))).toEqual(question)
  })

  it.each([
    ['nothing', {}],
    [
      'names that there are not',
      { of: 'users', kind: 'x', by: 'a.b', field: 'c', operator: 'd', view: 'pie' },
    ],
    [
      'values of other types',
      { of: 1, kind: [], filters: 'x', limit: '5', days: {}, fields: 7, compare: 'yes' },
    ],
    ['a limit and days that are not allowed', { kind: 'breakdown', limit: 101, days: 4 }],
    [
      'filters that are none',
      { filters: [null, [], ['order.ids'], ['order.ids', 'in', []], ['x', 'in', ['a']]] },
    ],
    ['a period that ends before it begins', { from: '2026-02-01', to: '2026-01-01' }],
    ['days that there are not', { from: '2026-13-01', to: '2026-14-01' }],
  ])('can be asked also when the address says %s', (_what, raw) => {
    const question = readQuestion(raw)
    const resource = resourceOf(question.of)
    expect(resource.attributes).toHaveProperty([question.field])
    expect(resource.attributes).toHaveProperty([question.by])
    expect(question).toMatchObject({ days: 30, limit: 10, filters: [], compare: false })
    expect(question.from).toBeUndefined()
    expect(viewsOf(question)).toContain(question.view)
  })

  it.each([
    ['order.currency_codes', 'gt', ['EUR']],
    ['order.currency_codes', 'in', 'EUR'],
    ['order.customer_types', 'in', ['unheard of']],
    ['order.total_amount', 'eq', 'a'],
    ['order.total_amount', 'gte_lte', [1]],
    ['order.guest', 'is', 'true'],
    ['order.placed_at', 'gt', 'yesterday'],
    ['order.mode', 'is', 'other'],
    ['order.aggregated_details', 'query', 'x'.repeat(300)],
  ])('leaves out the filter %s %s %j', (...filter) => {
    expect(readQuestion({ filters: [filter] }).filters).toEqual([])
  })

  it('has no inner breakdown that metrics would refuse', () => {
    const raw = { kind: 'breakdown', by: 'shipping_address.country_code' }
    expect(readQuestion({ ...raw, split: 'billing_address.city' }).split).toBe('')
    expect(readQuestion({ ...raw, split: 'shipping_address.country_code' }).split).toBe('')
    expect(readQuestion({ ...raw, split: 'market.name' }).split).toBe('market.name')
  })

  it('takes each key of a filter once, the last', () => {
    const filters = [1, 2].map((value) => ['order.total_amount', 'gt', value])
    expect(readQuestion({ filters }).filters).toEqual([['order.total_amount', 'gt', 2]])
  })
})

describe('a change of a question', () => {
  const question = readQuestion(revenue)

  it('replaces what no longer fits', () => {
    const dates = changeQuestion(question, { kind: 'date_breakdown', view: undefined })
    expect(dates).toMatchObject({
      by: 'order.placed_at',
      field: revenue.field,
      operator: 'sum',
      view: 'line',
    })
    const counted = changeQuestion(question, { field: 'order.id' })
    expect(counted.operator).toBe('cardinality')
    expect(changeQuestion(question, { of: 'returns', by: undefined, field: undefined })).toMatchObject({
      of: 'returns',
      date: 'current_date',
    })
  })

  it('adds a filter and takes it away', () => {
    const filtered = withFilter(question, ['order.currency_codes', 'in', ['EUR']])
    expect(currencyOf(filtered)).toBe('EUR')
    expect(currencyOf(withFilter(filtered, ['order.currency_codes', 'in', ['EUR', 'USD']]))).toBeUndefined()
    expect(withoutFilter(filtered, 'order.currency_codes').filters).toEqual([])
  })

  it('knows amounts from counts', () => {
    expect(isMoney(question)).toBe(true)
    expect(isMoney(changeQuestion(question, { operator: 'stats', member: 'count' }))).toBe(false)
    expect(isMoney(changeQuestion(question, { field: 'line_items.tax_rate' }))).toBe(false)
  })
})

describe('a group of a breakdown', () => {
  it.each([
    ['order.currency_code', 'EUR', ['order.currency_codes', 'in', ['EUR']]],
    ['market.number', '12', ['market.numbers', 'in', [12]]],
    ['order.guest', 'true', ['order.guest', 'is', true]],
    ['order.placed_day_of_week', '7', ['order.placed_day_of_week', 'eq', 7]],
    ['line_items.item_type', 'skus', ['line_items.types', 'in', ['skus']]],
  ])('of %s is found by a filter', (by, label, filter) => {
    expect(filterOfGroup('orders', by, label)).toEqual(filter)
  })

  it('has a filter that can be asked, whatever it is grouped by', () => {
    for (const of of resourceNames)
      for (const [by, attribute] of Object.entries(resourceOf(of).attributes).filter(([, each]) => each.by)) {
        const label = { boolean: 'true', integer: '1', float: '1' }[attribute.type] ?? 'x'
        const filter = filterOfGroup(of, by, label)
        const known = resourceOf(of).filters[filter?.[0] ?? '']?.values
        const first = known === undefined ? label : (known[0] ?? '')
        expect([by, readQuestion({ of, filters: [filterOfGroup(of, by, first)] }).filters]).toEqual([
          by,
          [filterOfGroup(of, by, first)],
        ])
      }
  })
})

describe('the ready questions', () => {
  it.each(readyQuestions.map((ready) => [ready.name(), ready] as const))(
    '%s is in the catalogue',
    (_name, ready) => {
      expect(readQuestion(ready.raw)).toMatchObject(ready.raw)
    },
  )

  it('are those that the role may read', () => {
    const namesFor = (...types: readonly string[]) =>
      readableQuestions((type) => types.includes(type)).map(({ name }) => name())
    expect(namesFor('returns')).toEqual(['Returns by status'])
    expect(namesFor('orders')).not.toContain('Best-selling SKUs')
    expect(namesFor('orders', 'line_items')).toContain('Best-selling SKUs')
    expect(namesFor()).toEqual([])
  })

  it('ask about amounts in one currency', () => {
    for (const ready of readyQuestions) {
      const question = toQuestion(ready, 'EUR')
      expect([ready.name(), currencyOf(question)]).toEqual([
        ready.name(),
        isMoney(question) ? 'EUR' : undefined,
      ])
    }
  })
})
