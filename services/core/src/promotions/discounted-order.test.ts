import { byWorth, goodsOf, worthOfUnits } from './discounted-order.ts'
import type { DiscountedOrder, OpenLine } from './discounted-order.ts'

const line = (at: number, more: Partial<OpenLine> = {}): OpenLine => ({
  at,
  number: at,
  group: 'goods',
  itemType: 'skus',
  item: 1,
  bundleList: null,
  quantity: 1,
  unitAmountCents: 1000,
  totalCents: 1000,
  taxRate: 0,
  leftCents: 1000,
  isPriced: false,
  ...more,
})

test.each<[string, Partial<OpenLine>, Partial<OpenLine>]>([
  ['more is left', { leftCents: 2, taxRate: 1 }, { leftCents: 1, taxRate: 2 }],
  ['the tax is higher', { taxRate: 2, totalCents: 1 }, { taxRate: 1, totalCents: 2 }],
  ['it cost more', { totalCents: 2, unitAmountCents: 1 }, { totalCents: 1, unitAmountCents: 2 }],
  ['a unit costs more', { unitAmountCents: 2, quantity: 1 }, { unitAmountCents: 1, quantity: 2 }],
  ['there are more units', { quantity: 2, item: 2 }, { quantity: 1, item: 1 }],
  ['the article is older', { item: 1 }, { item: 2 }],
  ['there is no article', { item: null }, { item: 1 }],
])('a line comes first of which %s', (_case, first, second) => {
  const lines = [line(0, first), line(1, second)]
  for (const each of [lines, lines.toReversed()])
    expect(each.toSorted(byWorth).map(({ at }) => at)).toEqual([0, 1])
})

describe('the goods of a list', () => {
  const skus = new Map([[1, { position: 1, quantity: 1, item: 1 }]])
  const order = (...lines: readonly OpenLine[]): DiscountedOrder => ({
    lines,
    lists: new Map([[7, { isByHand: true, skus, isComplete: true }]]),
    subtotalCents: 0,
    amountCents: 0,
  })
  const inList = (more: Partial<OpenLine>, list: number | null = 7) =>
    goodsOf(order(line(0, more)), list).length === 1

  test.each<[boolean, string, Partial<OpenLine>]>([
    [true, 'a SKU of it', {}],
    [false, 'another SKU', { item: 2 }],
    [false, 'what is no SKU, with the number of one', { itemType: null }],
    [false, 'a SKU that is gone', { item: null }],
    [true, 'a bundle of it', { itemType: 'bundles', item: 2, bundleList: 7 }],
    [false, 'a bundle of another list, with the number of a SKU', { itemType: 'bundles', bundleList: 8 }],
    [false, 'a bundle that is gone', { itemType: 'bundles', item: null, bundleList: 7 }],
    [false, 'shipping', { group: 'shipping' }],
  ])('%s: has %s', (expected, _case, more) => {
    expect(inList(more)).toBe(expected)
  })

  test('are none where nothing of the order is in it', () => {
    expect(inList({}, 8)).toBe(false)
  })

  test('without a list are all goods', () => {
    expect([inList({ itemType: null, item: null }, null), inList({ group: 'shipping' }, null)]).toEqual([
      true,
      false,
    ])
  })
})

test.each([
  // 300 of 1300 are options: of 650 that are left a unit of 500 is worth 250.
  [250, 1, { totalCents: 1300, unitAmountCents: 500, quantity: 2, leftCents: 650 }],
  [500, 2, { totalCents: 1300, unitAmountCents: 500, quantity: 2, leftCents: 650 }],
  [0, 1, { totalCents: 0, unitAmountCents: 500, leftCents: 0 }],
  [0, 1, { totalCents: -100, unitAmountCents: 500, leftCents: 0 }],
  [900, 1, { totalCents: 900, unitAmountCents: 1000, leftCents: 900 }],
])('%d cents are %d units of %j worth', (cents, units, more) => {
  expect(worthOfUnits(line(0, more), units)).toBe(cents)
})
