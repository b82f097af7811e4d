/** What holds of the promotions of any order (docs/adr/0110-how-promotions-apply.md). */
import fc from 'fast-check'
import { discountOrder } from './discount-order.ts'
import type { AppliedPromotion } from './discount-order.ts'
import type { DiscountableLine } from './discounted-order.ts'
import { candidateOf, linesOf, listsOf, subtotalOf } from './fixtures/examples.ts'
import type { ExampleAction, ExampleLine, ExampleList, ExamplePromotion } from './fixtures/examples.ts'

const LISTS: Readonly<Record<string, ExampleList>> = {
  one: { skus: [['A', 1]] },
  two: {
    skus: [
      ['B', 2],
      ['A', 1],
    ],
  },
  many: {
    skus: [
      ['A', 3],
      ['B', 1],
      ['C', 2],
      ['D', 5],
    ],
  },
  pattern: {
    by_pattern: true,
    skus: [
      ['C', 1],
      ['D', 1],
    ],
  },
}

const cents = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 1_000_000_000 }))

const line: fc.Arbitrary<ExampleLine> = fc.tuple(
  fc.constantFrom('A', 'B', 'C', 'D', 'E', 'bundle:two', 'bundle:many', 'shipping'),
  fc.integer({ min: 1, max: 20 }),
  cents,
  fc.oneof(fc.constant(0), cents),
)

const list = fc.constantFrom(...Object.keys(LISTS))
const maybeList = fc.option(list, { nil: undefined })
const shared = {
  priority: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  rules: fc.constantFrom<ExamplePromotion['rules']>(
    {},
    {},
    {},
    { order_amount: { order_amount_cents: 5000 } },
    { order_amount: { order_amount_cents: 5000, use_subtotal: true } },
    { sku_list: { list: 'many', min_quantity: 4 } },
    { sku_list: { list: 'two', all_skus: true } },
  ),
}

const withoutAbsent = (record: Readonly<Record<string, unknown>>): ExamplePromotion =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as unknown as ExamplePromotion

const kind = (type: string, more: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({ type: fc.constant(type), ...shared, ...more }).map(withoutAbsent)

const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
const xAndY = fc.record({ x: fc.integer({ min: 3, max: 6 }), y: fc.integer({ min: 1, max: 2 }) })

/** Of all goods of the order, by any way to say so. */
const action: fc.Arbitrary<ExampleAction> = fc
  .constantFrom('order', 'order.line_items.sku')
  .chain((selector) =>
    fc.oneof(
      fc.record({
        type: fc.constant('percentage' as const),
        selector: fc.constant(selector),
        value: share,
        round: fc.boolean(),
      }),
      fc.record({
        type: fc.constantFrom('fixed_amount' as const, 'fixed_price' as const),
        selector: fc.constant(selector),
        value: cents,
      }),
      fc.record({
        type: fc.constant('buy_x_pay_y' as const),
        selector: fc.constant(selector),
        value: xAndY,
      }),
      fc.record({
        type: fc.constant('every_x_discount_y' as const),
        selector: fc.constant(selector),
        value: xAndY,
        interval: cents,
      }),
    ),
  )

const promotion: fc.Arbitrary<ExamplePromotion> = fc.oneof(
  kind('percentage_discount', { list: maybeList, percentage: fc.integer({ min: 0, max: 100 }) }),
  kind('fixed_amount', { list: maybeList, fixed_amount_cents: cents }),
  kind('fixed_price', { list, fixed_amount_cents: cents }),
  kind('free_gift', { list, max_quantity: fc.integer({ min: 1, max: 8 }) }),
  kind('buy_x_pay_y', {
    list,
    x: fc.integer({ min: 3, max: 6 }),
    y: fc.integer({ min: 1, max: 2 }),
    cheapest_free: fc.boolean(),
  }),
  kind('external', { answer: cents.map((amount) => ({ cents: amount })) }),
  kind('flex', { actions: fc.array(action, { maxLength: 3 }) }),
  kind('free_shipping', {}),
)

const order = fc.record({
  lines: fc.array(line, { maxLength: 8 }),
  promotions: fc.array(promotion, { maxLength: 6 }),
  adjustmentCents: fc.integer({ min: -5000, max: 5000 }),
})

type Drawn = typeof order extends fc.Arbitrary<infer Value> ? Value : never

const discounted = ({ lines: drawn, promotions, adjustmentCents }: Drawn) => {
  const lines = linesOf({ lines: drawn }, LISTS)
  const candidates = promotions.map((each, at) =>
    candidateOf(
      each,
      at,
      LISTS,
      lines.map(({ quantity }) => quantity),
    ),
  )
  const lists = listsOf({ lines: drawn }, LISTS)
  const applied = discountOrder(candidates, {
    lines,
    lists,
    subtotalCents: subtotalOf(lines),
    adjustmentCents,
  })
  return { lines, candidates, applied }
}

const holds = (law: (drawn: Drawn) => void): void => {
  fc.assert(fc.property(order, law), { numRuns: 2000 })
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0)

const givenTo = (at: number, applied: readonly AppliedPromotion[]): number =>
  sum(applied.map(({ shares }) => shares.get(at)?.cents ?? 0))

/** What a promotion gives, told by the lines and not by their places. */
const toldByLines = (lines: readonly DiscountableLine[], applied: readonly AppliedPromotion[]) =>
  applied.map(({ candidate, cents: taken, shares }) => [
    candidate.promotion.id,
    taken,
    [...shares]
      .map(([at, share]) => {
        const { at: _at, number: _number, item, itemType, ...its } = lines[at] ?? {}
        return JSON.stringify([itemType === 'shipments' ? null : item, its, share])
      })
      .toSorted(),
  ])

it('the shares of a promotion are what it takes, each one cent or more', () => {
  holds((drawn) => {
    for (const { cents: taken, shares } of discounted(drawn).applied) {
      expect(sum([...shares.values()].map((share) => share.cents))).toBe(taken)
      for (const share of shares.values()) {
        expect(Number.isInteger(share.cents) && share.cents > 0).toBe(true)
        // Of very little in very much, eight decimals show nothing.
        expect(share.weight >= 0 && share.weight <= 1).toBe(true)
      }
    }
  })
})

it('no line falls below zero', () => {
  holds((drawn) => {
    const { lines, applied } = discounted(drawn)
    for (const { at, totalCents } of lines) expect(givenTo(at, applied)).toBeLessThanOrEqual(totalCents)
  })
})

it('the order of the lines does not matter', () => {
  fc.assert(
    fc.property(order, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (drawn, keys) => {
      const shuffled = drawn.lines
        .map((each) => ({ each, key: keys.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ each }) => each)
      const [one, other] = [discounted(drawn), discounted({ ...drawn, lines: shuffled })]
      expect(toldByLines(other.lines, other.applied)).toEqual(toldByLines(one.lines, one.applied))
    }),
    { numRuns: 2000 },
  )
})

it('the order in which promotions are read does not matter', () => {
  holds((drawn) => {
    const { lines, candidates, applied } = discounted(drawn)
    const question = {
      lines,
      lists: listsOf(drawn, LISTS),
      subtotalCents: subtotalOf(lines),
      adjustmentCents: drawn.adjustmentCents,
    }
    expect(discountOrder(candidates.toReversed(), question)).toEqual(applied)
  })
})

it('a line gets its unit price from one promotion at most', () => {
  const deciding = ['free_gift_promotions', 'fixed_price_promotions', 'buy_x_pay_y_promotions']
  holds((drawn) => {
    const { lines, applied } = discounted(drawn)
    const priced = applied.filter(({ candidate }) => deciding.includes(candidate.promotion.type))
    for (const { at } of lines)
      expect(priced.filter(({ shares }) => shares.has(at)).length).toBeLessThanOrEqual(1)
  })
})

it('free shipping alone takes from shipping, and from nothing else', () => {
  holds((drawn) => {
    const { lines, applied } = discounted(drawn)
    for (const { candidate, shares } of applied) {
      const groups = new Set([...shares.keys()].map((at) => lines[at]?.group))
      const isFree = candidate.promotion.type === 'free_shipping_promotions'
      expect([...groups]).toEqual([isFree ? 'shipping' : 'goods'])
    }
  })
})
