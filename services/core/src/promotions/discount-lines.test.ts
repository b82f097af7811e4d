/** What actions take off lines, in cents that were worked out by hand. */
import fc from 'fast-check'
import type { Action } from '../rules-engine/rules.ts'
import { discountLines } from './discount-lines.ts'
import type { LineAction } from './discount-lines.ts'
import type { OpenLine } from './discounted-order.ts'

const line = (at: number, quantity: number, unit: number, more: Partial<OpenLine> = {}): OpenLine => ({
  at,
  number: at,
  group: 'goods',
  itemType: 'skus',
  item: at,
  bundleList: null,
  quantity,
  unitAmountCents: unit,
  totalCents: quantity * unit,
  taxRate: 0,
  leftCents: quantity * unit,
  isPriced: false,
  ...more,
})

/** Two hats of 15.00, three shirts of 30.00, a parcel of 7.00. */
const LINES = [
  line(0, 2, 1500),
  line(1, 3, 3000),
  line(2, 1, 700, { group: 'shipping', itemType: 'shipments' }),
]

const planned = (action: Partial<Action>, more: Partial<LineAction> = {}): LineAction => ({
  action: { type: 'percentage', selector: 'order.line_items.sku', value: 0, ...action },
  units: new Map(LINES.map(({ at, quantity }) => [at, quantity])),
  compareAtCents: new Map(),
  intervalCents: 0,
  ...more,
})

const taken = (...actions: readonly LineAction[]): readonly number[] => {
  const given = new Map(discountLines(actions, { lines: LINES }).map((each) => [each.line.at, each.cents]))
  return LINES.map(({ at }) => given.get(at) ?? 0)
}

const CASES: readonly (readonly [string, readonly number[], Partial<Action>, Partial<LineAction>?])[] = [
  ['10 % of 120.00', [300, 900, 0], { value: 0.1 }],
  ['10 % as a text', [300, 900, 0], { value: '0.1' }],
  ['all of shipping', [0, 0, 700], { selector: 'order.line_items.shipment', value: '1' }],
  [
    '10 % of the order with shipping',
    [300, 900, 70],
    { selector: 'order', apply_on: 'total_amount_cents', value: 0.1 },
  ],
  [
    '10 % of one unit each',
    [150, 300, 0],
    { value: 0.1 },
    {
      units: new Map([
        [0, 1],
        [1, 1],
      ]),
    },
  ],
  ['a third, rounded once: 4000', [1000, 3000, 0], { value: 0.333333 }],
  ['5.00 a unit', [1000, 1500, 0], { type: 'fixed_amount', value: 500 }],
  [
    '5.00 over all, as 3000 to 9000',
    [125, 375, 0],
    { type: 'fixed_amount', value: 500, discount_mode: 'distributed' },
  ],
  ['5.00 off the order', [125, 375, 0], { type: 'fixed_amount', selector: 'order', value: 500 }],
  ['no more than there is', [3000, 9000, 0], { type: 'fixed_amount', value: 99_999 }],
  ['20.00 a unit, which raises nothing', [0, 3000, 0], { type: 'fixed_price', value: 2000 }],
  ['an order for 100.00', [500, 1500, 0], { type: 'fixed_price', selector: 'order', value: 10_000 }],
  ['of five units two free, the cheapest', [3000, 0, 0], { type: 'buy_x_pay_y', value: { x: 5, y: 3 } }],
  [
    'of two units one, twice, at most one',
    [1500, 0, 0],
    { type: 'buy_x_pay_y', value: { x: 2, y: 1, result_item_limit: 1 } },
  ],
  [
    '10.00 for each full 50.00 of 127.00, by units',
    [800, 1200, 0],
    { type: 'every_x_discount_y', value: { x: 5000, y: 1000, attribute: 'order.total_amount_cents' } },
    { intervalCents: 12_700 },
  ],
  [
    '80.00 by units, of which the hats are worth 30.00: the rest off the shirts',
    [3000, 5000, 0],
    { type: 'every_x_discount_y', value: { x: 5000, y: 1000, attribute: 'order.total_amount_cents' } },
    { intervalCents: 40_000 },
  ],
  ['a gift of one', [1500, 0, 0], { type: 'free_gift', value: { identifiers: {}, quantity: 1 } }],
  ['half of what is shipped', [0, 0, 350], { selector: 'order.line_items.shipment.id', value: 0.5 }],
  // 0.45 and 1.35: rounded line by line, or 1.8 once, which goes where more is left
  ['15 millionths of ten, line by line', [0, 1, 0], { value: 0.00015, round: true }],
  ['15 millionths of ten, rounded once', [0, 2, 0], { value: 0.00015, round: false }],
  [
    'half of the price after discounts, whatever it was before',
    [1500, 0, 0],
    { apply_on: 'unit_amount_cents', value: 0.5 },
    { units: new Map([[0, 2]]), compareAtCents: new Map([[0, 2000]]) },
  ],
  [
    'half of the price before discounts, which is not known',
    [1500, 0, 0],
    { apply_on: 'compare_at_amount_cents', value: 0.5 },
    { units: new Map([[0, 2]]) },
  ],
  [
    '80.00 by units: the hats were 40.00, and are worth 30.00, the rest off the shirts',
    [3000, 5000, 0],
    {
      type: 'every_x_discount_y',
      apply_on: 'compare_at_amount_cents',
      value: { x: 1, y: 8000, attribute: 'order.total_amount_cents' },
    },
    { intervalCents: 1, compareAtCents: new Map([[0, 2000]]) },
  ],
  [
    'half of the price before discounts, 2 × 20.00',
    [2000, 0, 0],
    { apply_on: 'compare_at_amount_cents', value: 0.5 },
    { units: new Map([[0, 2]]), compareAtCents: new Map([[0, 2000]]) },
  ],
]

it.each(CASES.map(([name, ...rest]) => [name, rest] as const))('%s', (_name, [expected, action, more]) => {
  expect(taken(planned(action, more))).toEqual(expected)
})

it('takes of all units of a line with their options, and of some without', () => {
  const shirt = line(0, 2, 1500, { totalCents: 3300, leftCents: 3300 })
  const half = (units: number) => {
    const action = planned({ value: 0.5 }, { units: new Map([[0, units]]) })
    return discountLines([action], { lines: [shirt] }).map(({ cents }) => cents)
  }
  expect([half(2), half(1)]).toEqual([[1650], [750]])
})

it('tells of the lines that an action is for, also where it takes nothing', () => {
  const action = planned({ value: 0 }, { units: new Map([[1, 3]]) })
  expect(discountLines([action], { lines: LINES }).map((each) => [each.line.at, each.cents])).toEqual([
    [1, 0],
  ])
})

it('takes what an action before has left', () => {
  expect(taken(planned({ value: 0.5 }), planned({ value: 0.5 }))).toEqual([2250, 6750, 0])
})

it('never takes more than there is, nor less than nothing', () => {
  const action = fc.oneof(
    fc.record({
      type: fc.constant('percentage' as const),
      value: fc.double({ min: 0, max: 1, noNaN: true }),
      round: fc.boolean(),
    }),
    fc.record({
      type: fc.constantFrom('fixed_amount' as const, 'fixed_price' as const),
      value: fc.nat(20_000),
    }),
    fc.record({
      type: fc.constant('buy_x_pay_y' as const),
      value: fc.record({ x: fc.integer({ min: 2, max: 5 }), y: fc.constant(1) }),
    }),
  )
  const selector = fc.constantFrom('order', 'order.line_items', 'order.line_items.shipment')
  const units = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 }), fc.constant(1))
  fc.assert(
    fc.property(fc.array(fc.tuple(action, selector, units), { maxLength: 5 }), (drawn) => {
      const actions = drawn.map(([one, of, counts]) =>
        planned({ ...one, selector: of }, { units: new Map(counts.map((count, at) => [at, count])) }),
      )
      for (const [at, cents] of taken(...actions).entries()) {
        expect(cents).toBeGreaterThanOrEqual(0)
        expect(cents).toBeLessThanOrEqual(LINES[at]?.leftCents ?? 0)
      }
    }),
  )
})
