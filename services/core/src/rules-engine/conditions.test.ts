/** What conditions find in an order, which lines they put into groups, and amounts over what was found. */
import { askedTree } from './asked-tree.ts'
import { askConditions, isAggregated } from './conditions.ts'
import type { Json } from './facts.ts'
import type { Aggregation, Condition } from './rules.ts'

const hat: Json = {
  id: 'hat',
  quantity: 2,
  cents: 1500,
  note: 'x',
  tags: [{ name: 'new' }, { name: 'sale' }],
}
const cap: Json = { id: 'cap', quantity: 3, cents: 700, note: '4', tags: [{ name: 'sale' }] }
const bag: Json = { id: 'bag', quantity: 1, cents: null, note: null, tags: [] }
const order: Json = { line_items: [hat, cap, bag], customer: { name: 'Ann' }, tags: [] }
const root: Json = { order }

const asked = askedTree(root, new Date('2026-11-28T12:00:00Z'))

const dear: Condition = { field: 'order.line_items.cents', matcher: 'gt', value: 1000 }
const named: Condition = { field: 'order.customer.name', matcher: 'eq', value: 'Ann' }

describe('groups', () => {
  /** `dear: hat` */
  const groupsOf = (...conditions: readonly Condition[]) =>
    [...askConditions({ conditions_logic: 'or', conditions }, asked).groups].map(
      ([name, members]) => `${name}: ${[...members].map((line) => String(line['id'])).join(' ')}`,
    )

  it.each<[string, readonly Condition[], readonly string[]]>([
    ['hold the lines that a condition found', [{ ...dear, group: 'dear' }], ['dear: hat']],
    ['hold every line when it found nothing of a line', [{ ...named, group: 'all' }], ['all: hat cap bag']],
    [
      'hold what several conditions found, each line once',
      [
        { ...dear, group: 'both' },
        { ...dear, value: 500, group: 'both' },
      ],
      ['both: hat cap'],
    ],
    [
      'are those of nested conditions too',
      [{ ...named, nested: { conditions: [{ ...dear, group: 'in' }] } }],
      ['in: hat'],
    ],
    ['are only those that have a name', [dear], []],
    ['are not those of a condition that is not met', [{ ...dear, scope: 'all', group: 'dear' }, named], []],
  ])('%s', (_text, conditions, groups) => {
    expect(groupsOf(...conditions)).toEqual(groups)
  })
})

describe('array_match', () => {
  const found = (field: string, value: Json) => {
    const [condition] = askConditions(
      { conditions: [{ field, matcher: 'array_match', value }] },
      asked,
    ).conditions
    return condition?.facts
  }

  it('asks each line about its own list', () => {
    expect(found('order.line_items.tags.name', { in_or: ['sale'] })).toEqual([
      { value: ['new', 'sale'], chain: [order, hat] },
      { value: ['sale'], chain: [order, cap] },
    ])
    expect(found('order.line_items.tags.name', { in_and: ['new', 'sale'] })).toEqual([
      { value: ['new', 'sale'], chain: [order, hat] },
    ])
  })

  it('asks about an empty list once', () => {
    expect(found('order.tags.name', { not_in_and: ['vip'] })).toEqual([{ value: [], chain: [root] }])
    expect(found('order.tags.name', { in_or: ['vip'] })).toEqual([])
  })
})

describe('an amount over what was found', () => {
  const amount = (aggregation: Omit<Aggregation, 'matcher'>, matcher = 'eq', tag = 'sale'): boolean =>
    isAggregated(
      { ...aggregation, matcher },
      asked.find('order.line_items.tags.name').filter(({ value }) => tag === 'any' || value === tag),
      asked,
    )

  it.each<[Aggregation['operator'], string, number]>([
    ['sum', 'quantity', 5],
    ['min', 'quantity', 2],
    ['max', 'quantity', 3],
    ['count', 'quantity', 2],
    ['count_uniq', 'quantity', 2],
    // What is no number counts, and adds nothing.
    ['sum', 'note', 4],
    ['min', 'note', 4],
    ['count', 'note', 2],
  ])('%s of %s is %i', (operator, name, value) => {
    expect(amount({ field: `order.line_items.${name}`, operator, value })).toBe(true)
    expect(amount({ field: `order.line_items.${name}`, operator, value: value + 1 })).toBe(false)
  })

  it('takes each line once, however many of its tags were found', () => {
    expect(amount({ field: 'order.line_items.quantity', operator: 'sum', value: 5 }, 'eq', 'any')).toBe(true)
  })

  it('is nothing, and neither small nor large, when no number was found', () => {
    const field = 'order.line_items.quantity'
    expect(amount({ field, operator: 'sum', value: 0 }, 'eq', 'none')).toBe(true)
    for (const operator of ['min', 'max'] as const)
      for (const matcher of ['gt', 'lt', 'eq'])
        expect(amount({ field, operator, value: 0 }, matcher, 'none')).toBe(false)
  })
})
