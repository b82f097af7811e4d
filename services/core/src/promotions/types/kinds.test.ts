/** What no example of test/data/promotion-examples.json can have: rows without values, and lists whose places are not known. */
import type { ListedSku } from '../../catalogue/listed-skus.ts'
import { rowOf } from '../../engine/database/rows.ts'
import { discountOrder, metBy } from '../discount-order.ts'
import type { DiscountQuestion } from '../discount-order.ts'
import type { DiscountedOrder, OpenLine } from '../discounted-order.ts'
import { candidateOf } from '../fixtures/examples.ts'
import type { Candidate } from '../promotion-kind.ts'
import { couponCodes } from '../rules/coupon-codes.ts'
import { custom } from '../rules/custom.ts'
import { orderAmount } from '../rules/order-amount.ts'
import { skuList } from '../rules/sku-list.ts'
import { buyXPayY } from './buy-x-pay-y.ts'
import { external } from './external.ts'
import { flex } from './flex.ts'
import { freeGift } from './free-gift.ts'

const line = (at: number, more: Partial<OpenLine> = {}): OpenLine => ({
  at,
  number: at,
  group: 'goods',
  itemType: 'skus',
  item: at,
  bundleList: null,
  quantity: 1,
  unitAmountCents: 1000,
  totalCents: 1000,
  taxRate: 0,
  leftCents: 1000,
  isPriced: false,
  ...more,
})

const bundle = (at: number, more: Partial<OpenLine> = {}): OpenLine =>
  line(at, { itemType: 'bundles', bundleList: 7, ...more })

const order = (
  lines: readonly OpenLine[],
  skus: readonly (readonly [number, ListedSku])[] = [],
  isComplete = false,
): DiscountedOrder => ({
  lines,
  lists: new Map([[7, { isByHand: true, skus: new Map(skus), isComplete }]]),
  subtotalCents: 0,
  amountCents: 0,
})

const listed = (item: number, more: Partial<ListedSku> = {}): ListedSku => ({
  position: null,
  quantity: 1,
  item,
  ...more,
})

const candidate = (columns: object, more: Partial<Candidate> = {}): Candidate => {
  const { promotion, ...rest } = candidateOf({ type: 'free_gift' }, 0, {})
  return { ...rest, promotion: { ...promotion, sku_list_id: 7, ...columns }, ...more }
}

const given = (allocations: readonly { readonly line: OpenLine; readonly cents: number }[]) =>
  allocations.filter(({ cents }) => cents > 0).map(({ line: { at }, cents }) => [at, cents])

describe('of several gifts the one is free', () => {
  const gifts = (lines: readonly OpenLine[], skus: readonly (readonly [number, ListedSku])[], max = 1) =>
    given(freeGift.discount(candidate({ max_quantity: max }), order(lines, skus)))

  test('that the list got first, where neither has a place', () => {
    const lines = [line(1), line(2)]
    expect(
      gifts(lines, [
        [1, listed(9)],
        [2, listed(8)],
      ]),
    ).toEqual([[2, 1000]])
    expect(
      gifts(lines, [
        [1, listed(8)],
        [2, listed(9)],
      ]),
    ).toEqual([[1, 1000]])
  })

  test('that has a place', () => {
    const placed = listed(9, { position: 5 })
    expect(
      gifts(
        [line(1), line(2)],
        [
          [1, listed(8)],
          [2, placed],
        ],
      ),
    ).toEqual([[2, 1000]])
  })

  test('that is no bundle', () => {
    const lines = [bundle(3, { leftCents: 5000, totalCents: 5000, unitAmountCents: 5000 }), line(1)]
    expect(gifts(lines, [[1, listed(9)]])).toEqual([[1, 1000]])
  })

  test('that is the older bundle', () => {
    const dear = { leftCents: 5000, totalCents: 5000, unitAmountCents: 5000 }
    expect(gifts([bundle(4, dear), bundle(3)], [])).toEqual([[3, 1000]])
    expect(gifts([bundle(4), bundle(3, dear)], [])).toEqual([[3, 5000]])
  })

  test('and of bundles as many as the promotion gives, whatever SKU has their number', () => {
    const three = { quantity: 3, totalCents: 3000, leftCents: 3000 }
    expect(gifts([bundle(1, three)], [[1, listed(9)]], 5)).toEqual([[1, 3000]])
  })

  test('and none of a list that is not known', () => {
    const unknown = candidate({ max_quantity: 1, sku_list_id: 8 })
    expect(freeGift.discount(unknown, order([line(1)]))).toEqual([])
    expect(freeGift.discount(candidate({ max_quantity: 1, sku_list_id: null }), order([line(1)]))).toEqual([])
  })

  test('unless the promotion says how many', () => {
    const two = { quantity: 2, totalCents: 2000, leftCents: 2000 }
    const sku = listed(9, { quantity: 2 })
    const discount = freeGift.discount(candidate({ max_quantity: null }), order([line(1, two)], [[1, sku]]))
    expect(given(discount)).toEqual([[1, 1000]])
  })
})

describe('x for y', () => {
  const skus = [[1, listed(9)]] as const

  test.each([
    { x: null, y: 1 },
    { x: 2, y: null },
    { x: null, y: null },
  ])('takes nothing with %j', (columns) => {
    const two = { quantity: 2, totalCents: 2000, leftCents: 2000 }
    expect(buyXPayY.discount(candidate(columns), order([line(1, two)], skus))).toEqual([])
  })

  test('counts a SKU and a bundle of one number apart', () => {
    const lines = [line(1), bundle(2, { item: 1 })]
    expect(given(buyXPayY.discount(candidate({ x: 2, y: 1 }), order(lines, skus)))).toEqual([])
  })
})

test('a promotion that nobody answered or asked about takes nothing', () => {
  expect(external.discount(candidate({}), order([line(1)]))).toEqual([])
  expect(flex.discount(candidate({}), order([line(1)]))).toEqual([])
})

test('only what gives articles away, or says what they cost, decides what a unit costs', () => {
  const kinds = { freeGift, buyXPayY, external, flex }
  expect(Object.entries(kinds).map(([name, { pricesUnits }]) => [name, pricesUnits])).toEqual([
    ['freeGift', true],
    ['buyXPayY', true],
    ['external', false],
    ['flex', false],
  ])
})

describe('a rule is met', () => {
  const rule = (columns: object) =>
    rowOf('PromotionRule', {
      sku_list_id: 7,
      min_quantity: null,
      all_skus: false,
      use_subtotal: false,
      order_amount_cents: null,
      ...columns,
    })

  test('of coupons by an order with one', () => {
    expect(couponCodes.isMet(rule({}), candidate({}), order([]))).toBe(false)
    const coupon = { id: 1, code: 'HELLO' }
    expect(couponCodes.isMet(rule({}), candidate({}, { coupon }), order([]))).toBe(true)
  })

  test.each([true, false])('of filters by an order that they find: %s', (isCustomRuleMet) => {
    expect(custom.isMet(rule({}), candidate({}, { isCustomRuleMet }), order([]))).toBe(isCustomRuleMet)
  })

  test('of an amount that nobody has set', () => {
    expect(orderAmount.isMet(rule({}), candidate({}), order([]))).toBe(true)
  })

  const all = { all_skus: true }
  const skus = [[1, listed(9)]] as const
  test.each<[boolean, string, object, DiscountedOrder]>([
    [true, 'one SKU of the list', {}, order([line(1)], skus)],
    [false, 'none', {}, order([line(2)], skus)],
    [false, 'nothing', {}, order([])],
    [false, 'nothing, of all that there is', all, order([], [], true)],
    [false, 'one SKU, of all', all, order([line(1)], skus)],
    [true, 'all SKUs', all, order([line(1)], skus, true)],
    [true, 'a bundle, which has all', all, order([bundle(1)])],
    [true, 'a SKU and a bundle, which has all', all, order([line(1), bundle(2)], skus)],
    [false, 'articles of a list that is not known', { ...all, sku_list_id: 8 }, order([line(1)], skus)],
    [true, 'two units', { min_quantity: 2 }, order([line(1, { quantity: 2 })], skus)],
    [false, 'one unit of two', { min_quantity: 2 }, order([line(1)], skus)],
  ])('%s: of a list by an order with %s', (expected, _case, columns, its) => {
    expect(skuList.isMet(rule(columns), candidate({}), its)).toBe(expected)
  })

  test('of no list by any article', () => {
    const anything = candidate({ sku_list_id: null })
    const any = rule({ ...all, sku_list_id: null })
    expect(skuList.isMet(any, anything, order([line(1)]))).toBe(true)
    expect(skuList.isMet(any, anything, order([]))).toBe(false)
  })
})

describe('promotions in turn', () => {
  const question = (...lines: readonly OpenLine[]): DiscountQuestion => ({
    lines,
    lists: new Map(),
    subtotalCents: 0,
    adjustmentCents: 0,
  })
  const half = (at: number) => candidateOf({ type: 'percentage_discount', percentage: 50 }, at, {})

  test('of equal weight are applied from the oldest', () => {
    for (const candidates of [
      [2, 0, 1],
      [0, 1, 2],
      [2, 1, 0],
    ].map((ids) => ids.map(half)))
      expect(
        discountOrder(candidates, question(line(0))).map(({ candidate: { promotion }, cents }) => [
          promotion.id,
          cents,
        ]),
      ).toEqual([
        [0, 500],
        [1, 250],
        [2, 125],
      ])
  })

  test('tell what each line gets, and its part of them', () => {
    const lines = [line(0, { totalCents: 0 }), line(1), line(2, { totalCents: 3000 })]
    const [applied] = discountOrder([half(0)], question(...lines))
    expect([...(applied?.shares ?? [])]).toEqual([
      [2, { cents: 1500, weight: 0.75 }],
      [1, { cents: 500, weight: 0.25 }],
    ])
  })

  test('are met also where they have nothing to take', () => {
    const met = candidateOf({ type: 'free_shipping' }, 0, {})
    const missed = candidateOf(
      { type: 'free_shipping', rules: { order_amount: { order_amount_cents: 1 } } },
      1,
      {},
    )
    expect(metBy(question(line(0)), [met, missed])).toEqual([met])
    expect(discountOrder([met, missed], question(line(0)))).toEqual([])
  })

  test('of a type that nobody wrote are none', () => {
    const odd = candidateOf({ type: 'odd' }, 0, {})
    expect(() => discountOrder([odd], question(line(0)))).toThrow('no promotion applies for odd_promotions')
  })
})
