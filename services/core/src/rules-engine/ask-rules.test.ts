/** The rules of flex promotions against one order, worked out by hand: what is met, and how many units of which lines. */
import { askRules } from './ask-rules.ts'
import { askedTree } from './asked-tree.ts'
import type { Json } from './facts.ts'
import { parseRules } from './rules-schema.ts'
import type { Action, Condition, ConditionSet } from './rules.ts'

const line = (id: string, quantity: number, unit: number, code: string, tags: readonly string[]): Json => ({
  id,
  quantity,
  unit_amount_cents: unit,
  total_amount_cents: quantity * unit,
  sku: { id: `sku-${code}`, code, tags: tags.map((name) => ({ name })) },
  shipment: null,
})

const order: Json = {
  id: 'order',
  customer_email: 'ann@mybrand.com',
  total_amount_cents: 14_500,
  placed_at: null,
  updated_at: '2026-11-28T09:00:00Z',
  guest: false,
  metadata: { channel: 'app', score: 12 },
  customer: { tags: [{ name: 'vip' }, { name: 'press' }] },
  market: { name: 'Europe' },
  line_items: [
    line('hat', 2, 1500, 'HAT-1', ['summer', 'sale']),
    line('shirt', 3, 3000, 'SHIRT-1', ['summer']),
    line('cap', 1, 1800, 'HAT-2', []),
    { id: 'parcel', quantity: 1, unit_amount_cents: 700, sku: null, shipment: { id: 'shipment' } },
  ],
}

const NOW = new Date('2026-11-28T12:00:00Z')

const percentage = (more: Partial<Action> = {}): Action => ({
  type: 'percentage',
  selector: 'order.line_items.sku',
  value: 0.1,
  ...more,
})

const ask = (set: ConditionSet, action = percentage()) => {
  const rule = { name: 'A rule', ...set, actions: [action] }
  const parsed = parseRules({ rules: [rule] }, 'order')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.violations))
  const [outcome] = askRules(parsed.value, askedTree({ order }, NOW))
  return outcome
}

/** `hat 2, shirt 3` */
const linesOf = (set: ConditionSet, action?: Action): string =>
  (ask(set, action)?.actions ?? [])
    .flatMap(({ lines }) => lines.map(({ line: { id }, units }) => `${String(id)} ${units}`))
    .join(', ')

const isMet = (condition: Condition): boolean | undefined => ask({ conditions: [condition] })?.isMet

describe('matchers', () => {
  it.each<[boolean, string, string, unknown]>([
    [true, 'order.customer_email', 'start_with', 'ann@'],
    [false, 'order.customer_email', 'not_start_with', 'ann@'],
    [true, 'order.customer_email', 'end_with', '.com'],
    [true, 'order.customer_email', 'not_end_with', '.org'],
    [true, 'order.customer_email', 'matches', '.*@mybrand.com'],
    [false, 'order.customer_email', 'does_not_match', '@mybrand'],
    [true, 'order.customer_email', 'eq', 'ann@mybrand.com'],
    [true, 'order.metadata.channel', 'eq', 'app'],
    [true, 'order.metadata.score', 'multiple', 4],
    [false, 'order.metadata.score', 'multiple', 5],
    [true, 'order.metadata.score', 'gt_lt', [11, 13]],
    [false, 'order.metadata.score', 'gt_lt', [12, 13]],
    [true, 'order.metadata.score', 'gteq_lt', [12, 13]],
    [true, 'order.metadata.score', 'gt_lteq', [11, 12]],
    [false, 'order.metadata.score', 'gteq_lteq', [13, 14]],
    [true, 'order.total_amount_cents', 'gteq', 14_500],
    [false, 'order.total_amount_cents', 'gt', 14_500],
    [true, 'order.total_amount_cents', 'lteq', '14500'],
    [false, 'order.total_amount_cents', 'lt', 14_500],
    [true, 'order.total_amount_cents', 'not_eq', 1],
    [true, 'order.market.name', 'is_in', ['Europe', 'Australia']],
    [false, 'order.market.name', 'is_not_in', ['Europe', 'Australia']],
    [true, 'order.guest', 'eq', false],
    [true, 'order.placed_at', 'null', undefined],
    [true, 'order.placed_at', 'blank', undefined],
    [false, 'order.placed_at', 'present', undefined],
    [true, 'order.updated_at', 'not_null', undefined],
    [true, 'order.updated_at', 'gt', '2026-11-28'],
    [false, 'order.updated_at', 'gt', '2026-11-28T11:00:00+01:00'],
    [true, 'order.line_items.sku.code', 'eq', 'HAT-2'],
    [true, 'order.customer.tags.name', 'array_match', { in_and: ['vip', 'press'] }],
    [false, 'order.customer.tags.name', 'array_match', { in_and: ['vip', 'staff'] }],
    [true, 'order.customer.tags.name', 'array_match', { in_or: ['vip', 'staff'] }],
    [false, 'order.customer.tags.name', 'array_match', { not_in_and: ['vip', 'staff'] }],
    [true, 'order.customer.tags.name', 'array_match', { not_in_or: ['vip', 'staff'] }],
    [false, 'order.customer.tags.name', 'array_match', { not_in_or: ['vip', 'press'] }],
    [true, 'order.updated_at', 'gteq_lteq', '{{range(today, 7.days)}}'],
    [false, 'order.updated_at', 'gteq_lteq', '{{range(today, -7.days)}}'],
    [true, 'order.metadata.score', 'gt', '{{month(today)}}'],
    [true, 'order.metadata.score', 'lt', '{{day(order.updated_at)}}'],
    [false, 'order.metadata.score', 'eq', '{{year(today)}}'],
  ])('%s: %s %s %j', (expected, field, matcher, value) => {
    expect(isMet({ field, matcher, ...(value === undefined ? {} : { value }) })).toBe(expected)
  })
})

describe('conditions', () => {
  const cheap: Condition = {
    field: 'order.line_items.unit_amount_cents',
    matcher: 'lt',
    value: 2000,
    group: 'cheap',
  }
  const hats: Condition = {
    field: 'order.line_items.sku.code',
    matcher: 'start_with',
    value: 'HAT',
    group: 'hats',
  }
  const never: Condition = { field: 'order.market.name', matcher: 'eq', value: 'Asia' }

  it('must all be met, or one of them', () => {
    expect(ask({ conditions: [hats, never] })?.isMet).toBe(false)
    expect(ask({ conditions_logic: 'or', conditions: [hats, never] })?.isMet).toBe(true)
  })

  it('of scope all are about everything there is', () => {
    const field = 'order.line_items.unit_amount_cents'
    expect(isMet({ field, matcher: 'gt', value: 1000 })).toBe(true)
    expect(isMet({ field, matcher: 'gt', value: 1000, scope: 'all' })).toBe(false)
    expect(isMet({ field, matcher: 'gt', value: 100, scope: 'all' })).toBe(true)
  })

  it('name the lines that an action is for', () => {
    expect(linesOf({ conditions: [hats] })).toBe('hat 2, shirt 3, cap 1')
    expect(linesOf({ conditions: [hats] }, percentage({ groups: ['hats'] }))).toBe('hat 2, cap 1')
    expect(linesOf({ conditions: [cheap] }, percentage({ groups: ['cheap'] }))).toBe('hat 2, cap 1')
  })

  it('about the order are about all of its lines', () => {
    const vip: Condition = { field: 'order.customer.tags.name', matcher: 'eq', value: 'vip', group: 'vip' }
    expect(linesOf({ conditions: [vip] }, percentage({ groups: ['vip'] }))).toBe('hat 2, shirt 3, cap 1')
  })

  it('that are nested are about the same line', () => {
    const summer: ConditionSet = {
      conditions: [{ field: 'order.line_items.sku.tags.name', matcher: 'eq', value: 'summer' }],
    }
    const three: ConditionSet = {
      conditions: [{ field: 'order.line_items.quantity', matcher: 'gteq', value: 3 }],
    }
    expect(linesOf({ conditions: [{ ...hats, nested: summer }] }, percentage({ groups: ['hats'] }))).toBe(
      'hat 2',
    )
    expect(ask({ conditions: [{ ...hats, nested: three }] })?.isMet).toBe(false)
  })

  it('that are nested may name the group', () => {
    const [summer] = [
      { field: 'order.line_items.sku.tags.name', matcher: 'eq', value: 'summer', group: 'warm' },
    ]
    const anyone: Condition = { field: 'order.line_items.sku.code', matcher: 'present' }
    const nested: ConditionSet = { conditions: [summer] }
    expect(linesOf({ conditions: [{ ...anyone, nested }] }, percentage({ groups: ['warm'] }))).toBe(
      'hat 2, shirt 3',
    )
  })

  it('aggregate what they found, each thing once', () => {
    const sum = (operator: 'sum' | 'min' | 'max' | 'count' | 'count_uniq', value: number) =>
      isMet({
        ...hats,
        aggregations: [{ field: 'order.line_items.quantity', operator, matcher: 'eq', value }],
      })
    expect([sum('sum', 3), sum('min', 1), sum('max', 2), sum('count', 2), sum('count_uniq', 2)]).toEqual([
      ...[true, true, true, true, true],
    ])
    expect(sum('sum', 6)).toBe(false)
  })
})

describe('actions', () => {
  const all: Condition = { field: 'order.line_items.sku.code', matcher: 'not_null', group: 'all' }
  const hats: Condition = {
    field: 'order.line_items.sku.code',
    matcher: 'start_with',
    value: 'HAT',
    group: 'hats',
  }
  const shirts: Condition = { ...hats, value: 'SHIRT', group: 'shirts' }
  const sort = { attribute: 'unit_amount_cents', direction: 'asc' } as const

  it.each<[string, string, Partial<Action>]>([
    ['shipping', 'parcel 1', { selector: 'order.line_items.shipment' }],
    ['everything', 'hat 2, shirt 3, cap 1, parcel 1', { selector: 'order' }],
    ['one by its id', 'shirt 3', { selector: 'order.line_items.sku.id', identifier: 'sku-SHIRT-1' }],
    ['one by its code', 'cap 1', { selector: 'order.line_items.sku.code', identifier: 'HAT-2' }],
    ['at most so many units', 'hat 1, shirt 1, cap 1', { quantity: 1 }],
    ['so many of the dearest', 'shirt 3', { limit: { value: 1, sort: { ...sort, direction: 'desc' } } }],
    ['as many of both', 'hat 2, cap 1, shirt 3', { groups: ['hats', 'shirts'], bundle: { sort } }],
    [
      'of both, whatever the value',
      'hat 2, cap 1, shirt 3',
      { groups: ['hats', 'shirts'], bundle: { value: 2, sort } },
    ],
    [
      'a multiple of four',
      'hat 2, cap 1, shirt 1',
      { groups: ['all'], bundle: { type: 'every', value: 4, sort } },
    ],
    ['a multiple that is not there', '', { groups: ['all'], bundle: { type: 'every', value: 7, sort } }],
    [
      'none below an aggregation',
      '',
      { aggregation: { field: 'order.line_items.quantity', operator: 'sum', matcher: 'gt', value: 6 } },
    ],
  ])('are for %s', (_name, expected, action) => {
    expect(linesOf({ conditions: [all, hats, shirts] }, percentage(action))).toBe(expected)
  })

  it('of a bundle are for as many of each group as there are of the smallest', () => {
    const summer: Condition = { ...hats, value: 'HAT-1', matcher: 'eq', group: 'summer' }
    const bundle = percentage({ groups: ['shirts', 'summer'], bundle: { type: 'balanced', sort } })
    expect(linesOf({ conditions: [summer, shirts] }, bundle)).toBe('shirt 2, hat 2')
  })

  it('give only what they name', () => {
    const value = { identifiers: { 'order.line_items.sku.id': ['sku-HAT-1'] }, quantity: 1 }
    expect(
      linesOf({ conditions: [all] }, { type: 'free_gift', selector: 'order.line_items.sku', value }),
    ).toBe('hat 2')
  })

  it('have no lines while their rule is not met', () => {
    expect(ask({ conditions: [{ ...all, value: 'x', matcher: 'eq' }] })?.actions).toEqual([])
  })
})

describe('conditions, one by one', () => {
  const hats: Condition = { field: 'order.line_items.sku.code', matcher: 'start_with', value: 'HAT' }
  const vip: Condition = { field: 'order.customer.tags.name', matcher: 'eq', value: 'vip' }
  const never: Condition = { field: 'order.market.name', matcher: 'eq', value: 'Asia' }

  it('that are not met name no lines', () => {
    const set: ConditionSet = {
      conditions_logic: 'or',
      conditions: [
        { ...hats, group: 'hats' },
        { ...never, group: 'all' },
      ],
    }
    expect(linesOf(set, percentage({ groups: ['all'] }))).toBe('')
    expect(linesOf(set, percentage({ groups: ['hats'] }))).toBe('hat 2, cap 1')
  })

  it('of one group name its lines together', () => {
    const shirts = { ...hats, value: 'SHIRT' }
    const set = { conditions: [hats, shirts].map((condition) => ({ ...condition, group: 'both' })) }
    expect(linesOf(set, percentage({ groups: ['both'] }))).toBe('hat 2, shirt 3, cap 1')
  })

  it('with several aggregations are met when all hold', () => {
    const quantity = { field: 'order.line_items.quantity', operator: 'sum', matcher: 'eq' } as const
    const of = (...values: readonly number[]) =>
      isMet({ ...hats, aggregations: values.map((value) => ({ ...quantity, value })) })
    expect([of(3), of(3, 3), of(3, 4), of(4, 3)]).toEqual([true, true, false, false])
  })

  it('aggregate nothing of what was not found', () => {
    const of = (operator: 'sum' | 'min' | 'max' | 'count' | 'count_uniq', value: number) =>
      isMet({
        ...vip,
        aggregations: [{ field: 'order.placed_at', operator, matcher: 'eq', value }],
      })
    expect([of('sum', 0), of('count', 0), of('count_uniq', 0), of('min', 0), of('max', 0)]).toEqual([
      ...[true, true, true, false, false],
    ])
  })

  it('count values, and values that differ', () => {
    const of = (operator: 'count' | 'count_uniq', value: number) =>
      isMet({
        field: 'order.line_items.sku.tags.name',
        matcher: 'present',
        aggregations: [{ field: 'order.line_items.sku.tags.name', operator, matcher: 'eq', value }],
      })
    expect([of('count', 3), of('count_uniq', 2)]).toEqual([true, true])
  })

  it('tell what met them', () => {
    const { conditions } = ask({ conditions: [hats, never] }) ?? { conditions: [] }
    expect(
      conditions.map((condition) => [condition.isMet, condition.facts.map(({ value }) => value)]),
    ).toEqual([
      [true, ['HAT-1', 'HAT-2']],
      [false, []],
    ])
  })

  it('about all are met by nothing where there is nothing', () => {
    expect(isMet({ field: 'order.line_items.sku.code', matcher: 'eq', value: 'X', scope: 'all' })).toBe(false)
    expect(isMet({ field: 'order.line_items.id', matcher: 'not_null', scope: 'all' })).toBe(true)
  })

  it('about lists are about those of each line', () => {
    const both = { in_and: ['summer', 'sale'] }
    const list: Condition = {
      field: 'order.line_items.sku.tags.name',
      matcher: 'array_match',
      value: both,
      group: 'both',
    }
    expect(linesOf({ conditions: [list] }, percentage({ groups: ['both'] }))).toBe('hat 2')
    const none: Condition = { ...list, value: { not_in_and: ['summer'] } }
    expect(linesOf({ conditions: [none] }, percentage({ groups: ['both'] }))).toBe('')
  })
})

describe('actions, one by one', () => {
  const all: Condition = { field: 'order.line_items.sku.code', matcher: 'not_null', group: 'all' }
  const sort = { attribute: 'unit_amount_cents', direction: 'asc' } as const

  it.each<[string, string, Partial<Action>]>([
    ['the cheapest two', 'hat 2, cap 1', { limit: { value: 2, sort } }],
    [
      'the first by their code',
      'shirt 3',
      { limit: { value: 1, sort: { ...sort, attribute: 'quantity', direction: 'desc' } } },
    ],
    ['no more units than there are', 'hat 2, shirt 2, cap 1', { quantity: 2 }],
    [
      'what an aggregation allows',
      'hat 2, shirt 3, cap 1',
      { aggregation: { field: 'order.line_items.quantity', operator: 'sum', matcher: 'eq', value: 6 } },
    ],
    ['one that nobody has', '', { selector: 'order.line_items.sku.id', identifier: 'sku-NONE' }],
    ['one by the object of its id', 'cap 1', { identifier: 'sku-HAT-2' }],
    ['what no condition names', '', { groups: ['none'] }],
    [
      'everything in dearest order',
      'shirt 3, cap 1',
      { groups: ['all'], bundle: { type: 'every', value: 4, sort: { ...sort, direction: 'desc' } } },
    ],
  ])('are for %s', (_name, expected, action) => {
    expect(linesOf({ conditions: [all] }, percentage(action))).toBe(expected)
  })

  it('count the amount whose intervals they take', () => {
    const value = { x: 5000, y: 1000, attribute: 'order.line_items.unit_amount_cents' }
    const action: Action = { type: 'every_x_discount_y', selector: 'order', value }
    expect(ask({ conditions: [all] }, action)?.actions[0]?.intervalCents).toBe(7000)
    const none = { ...action, value: { ...value, attribute: 'order.placed_at' } }
    expect(ask({ conditions: [all] }, none)?.actions[0]?.intervalCents).toBe(0)
    expect(ask({ conditions: [all] })?.actions[0]?.intervalCents).toBe(0)
  })
})

test('rules of one priority, and of none, are asked as they stand', () => {
  const rule = (name: string, priority?: number) => ({
    name,
    ...(priority === undefined ? {} : { priority }),
    conditions: [{ field: 'order.id', matcher: 'not_null' }],
    actions: [percentage()],
  })
  const rules = [rule('b', 1), rule('a', 1), rule('c'), rule('d', 0)]
  const outcomes = askRules({ rules }, askedTree({ order }, NOW))
  expect(outcomes.map((outcome) => outcome.rule.name)).toEqual(['c', 'd', 'b', 'a'])
})

test('rules are asked by priority', () => {
  const rule = (name: string, priority: number) => ({
    name,
    priority,
    conditions: [{ field: 'order.id', matcher: 'not_null' }],
    actions: [percentage()],
  })
  const outcomes = askRules({ rules: [rule('second', 2), rule('first', 1)] }, askedTree({ order }, NOW))
  expect(outcomes.map((outcome) => outcome.rule.name)).toEqual(['first', 'second'])
})

test('an action for the price is for it, once', () => {
  const price: Json = { id: 'price', amount_cents: 1000, sku: { code: 'HAT-1' } }
  const conditions: readonly Condition[] = [{ field: 'price.sku.code', matcher: 'eq', value: 'HAT-1' }]
  const rule = { name: 'Cheaper', conditions, actions: [percentage({ selector: 'price' })] }
  const [outcome] = askRules({ rules: [rule] }, askedTree({ price }, NOW))
  expect(outcome?.actions.map(({ lines }) => lines)).toEqual([[{ line: price, units: 1 }]])
})

test('a bundle has nothing of a group whose condition is not met', () => {
  const conditions: readonly Condition[] = [
    { field: 'order.line_items.sku.code', matcher: 'start_with', value: 'HAT', group: 'hats' },
    { field: 'order.line_items.sku.code', matcher: 'eq', value: 'COAT', group: 'coats' },
  ]
  const bundle = { sort: { attribute: 'quantity', direction: 'asc' } } as const
  const action = percentage({ groups: ['hats', 'coats'], bundle })
  expect(linesOf({ conditions_logic: 'or', conditions }, action)).toBe('')
})
