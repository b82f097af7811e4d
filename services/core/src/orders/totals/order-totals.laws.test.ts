/** What holds of the totals of any order (docs/adr/0082-totals-of-an-order.md). */
import fc from 'fast-check'
import { computeOrderTotals, taxOf } from './order-totals.ts'
import type { OrderTotalsInput, TotalsGiftCard, TotalsLine, TotalsPromotion } from './order-totals.ts'

const RATE_UNIT = 100_000_000

const rate = fc.oneof(
  fc.constantFrom(0, 22_000_000, 8_875_000, 5_500_000),
  fc.integer({ min: 0, max: RATE_UNIT }),
)
const cents = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 1_000_000_000 }))

const article = fc.record({
  group: fc.constantFrom('goods', 'goods', 'goods', 'gift_cards', 'shipping', 'payment_method'),
  quantity: fc.integer({ min: 1, max: 100 }),
  unitAmountCents: cents,
  optionsAmountCents: cents,
  taxRate: rate,
}) satisfies fc.Arbitrary<TotalsLine>

const adjustment: fc.Arbitrary<TotalsLine> = fc
  .record({
    unitAmountCents: fc.integer({ min: -100_000, max: 100_000 }),
    taxRate: rate,
    isAllocated: fc.boolean(),
    key: fc.uuid(),
  })
  .map(({ isAllocated, key, ...more }) => ({
    group: 'adjustment',
    quantity: 1,
    ...more,
    ...(isAllocated ? { allocated: { key, name: 'Goodwill' } } : {}),
  }))

const promotion: fc.Arbitrary<TotalsPromotion> = fc.record({
  key: fc.uuid(),
  name: fc.constant('Spring'),
  amountCents: cents,
  couponCode: fc.constant(null),
  appliesTo: fc.constantFrom('goods', 'goods', 'shipping'),
})

const switches = {
  freightTaxable: fc.boolean(),
  paymentMethodTaxable: fc.boolean(),
  adjustmentTaxable: fc.boolean(),
  giftCardTaxable: fc.boolean(),
}

const giftCard: fc.Arbitrary<TotalsGiftCard> = fc
  .record({ balanceCents: cents, isAllocated: fc.boolean(), coversTaxes: fc.boolean() })
  .map(({ isAllocated, ...card }) => ({
    ...card,
    allocated: isAllocated ? { key: 'gift_cards-1', name: 'Gift card' } : undefined,
  }))

const order: fc.Arbitrary<OrderTotalsInput> = fc.record({
  taxIncluded: fc.boolean(),
  ...switches,
  lines: fc
    .tuple(fc.array(article, { maxLength: 8 }), fc.array(adjustment, { maxLength: 2 }))
    .map((parts) => parts.flat()),
  promotions: fc.array(promotion, { maxLength: 3 }),
  giftCard: fc.option(giftCard, { nil: undefined }),
})

const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0)

const holds = (law: (input: OrderTotalsInput) => void): void => {
  fc.assert(fc.property(order, law), { numRuns: 2000 })
}

it('the total is the sum of its parts, or nothing where they are less', () => {
  holds((input) => {
    const { totals } = computeOrderTotals(input)
    const parts = [totals.subtotal, totals.shipping, totals.paymentMethod, totals.discount, totals.adjustment]
    // A gift card may pay the added tax too, and then takes more than the prices.
    const left = Math.max(0, sum(parts)) + totals.giftCard
    expect(totals.total).toBe(Math.max(0, left))
    expect(totals.totalWithTaxes).toBe(left + (input.taxIncluded ? 0 : totals.totalTax))
  })
})

it('every part is the sum of its lines, and the discounts are those of the lines', () => {
  holds((input) => {
    const { totals, lines, promotions } = computeOrderTotals(input)
    const totalOf = (...groups: readonly string[]): number =>
      sum(
        lines
          .filter((_line, at) => groups.includes(input.lines[at]?.group ?? ''))
          .map((line) => line.totalCents),
      )
    expect(totals).toMatchObject({
      subtotal: totalOf('goods', 'gift_cards'),
      shipping: totalOf('shipping'),
      paymentMethod: totalOf('payment_method'),
      adjustment: totalOf('adjustment'),
      discount: sum(promotions),
    })
    const keys = new Set(input.promotions.map(({ key }) => key))
    const shares = lines.flatMap(({ discountBreakdown }) => Object.entries(discountBreakdown))
    expect(sum(shares.map(([, share]) => share.cents))).toBe(sum(lines.map((line) => line.discountCents)))
    expect(sum(shares.filter(([key]) => keys.has(key)).map(([, share]) => share.cents))).toBe(totals.discount)
  })
})

it('the tax is that of the parts without that of the discounts', () => {
  holds((input) => {
    const { totals, lines } = computeOrderTotals(input)
    const gross = totals.subtotalTax + totals.shippingTax + totals.paymentMethodTax + totals.adjustmentTax
    const ofDiscounts = lines.map(({ discountCents, taxRate }) =>
      taxOf(discountCents, taxRate, input.taxIncluded),
    )
    expect(totals.totalTax).toBe(gross + sum(ofDiscounts))
  })
})

it('nothing is negative that may not be, and nothing is a part of the smallest unit', () => {
  holds((input) => {
    const { totals, lines } = computeOrderTotals(input)
    const { discount, giftCard, adjustment: adjusted, adjustmentTaxable, ...others } = totals
    for (const [name, amount] of Object.entries(others)) expect([name, amount >= 0]).toEqual([name, true])
    expect(Math.max(discount, giftCard)).toBeLessThanOrEqual(0)
    const amounts: readonly number[] = Object.values({
      ...others,
      discount,
      giftCard,
      adjusted,
      adjustmentTaxable,
    })
    expect(amounts.every(Number.isSafeInteger)).toBe(true)
    for (const [at, line] of lines.entries()) {
      expect(line.discountCents).toBeLessThanOrEqual(0)
      if (input.lines[at]?.group !== 'adjustment') {
        expect(line.totalCents + line.discountCents).toBeGreaterThanOrEqual(0)
        expect(line.taxCents).toBeGreaterThanOrEqual(0)
      }
    }
  })
})

it('base and tax are what is due before a gift card pays, unless it is allocated before tax', () => {
  holds((input) => {
    const { totals } = computeOrderTotals(input)
    const isAllocated = input.giftCard?.allocated !== undefined
    const due = totals.totalWithTaxes - (isAllocated ? 0 : totals.giftCard)
    const expected = input.taxIncluded ? Math.max(due, totals.totalTax) : due
    expect(totals.totalTaxable + totals.totalTax).toBe(expected)
  })
})

it('a gift card pays what it has, or all that is due', () => {
  holds((input) => {
    const { totals, lines } = computeOrderTotals(input)
    const { balanceCents = 0, allocated } = input.giftCard ?? {}
    expect(totals.giftCard).toBeGreaterThanOrEqual(-balanceCents)
    const paysTax = input.giftCard?.coversTaxes === true && allocated === undefined
    const left = paysTax ? totals.totalWithTaxes : totals.total
    if (-totals.giftCard < balanceCents) expect(left).toBe(0)
    const shares = lines.map(({ discountBreakdown }) => discountBreakdown['gift_cards-1']?.cents ?? 0)
    expect(sum(shares)).toBe(allocated === undefined ? 0 : totals.giftCard)
  })
})

it('the order of lines does not matter', () => {
  const shuffled = order.chain((input) =>
    fc.tuple(fc.constant(input), fc.shuffledSubarray([...input.lines], { minLength: input.lines.length })),
  )
  fc.assert(
    fc.property(shuffled, ([input, lines]) => {
      expect(computeOrderTotals({ ...input, lines }).totals).toEqual(computeOrderTotals(input).totals)
    }),
    { numRuns: 2000 },
  )
})

it('prices with and without tax agree: the tax on a price is the tax inside the price with it', () => {
  const everything = {
    freightTaxable: true,
    paymentMethodTaxable: true,
    adjustmentTaxable: true,
    giftCardTaxable: true,
  }
  const lines = fc.array(
    article.map((line) => ({ ...line, quantity: 1, optionsAmountCents: 0 })),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(lines, (net) => {
      const totalsOf = (taxIncluded: boolean, its: readonly TotalsLine[]) =>
        computeOrderTotals({
          ...everything,
          taxIncluded,
          lines: its,
          promotions: [],
        }).totals
      const gross = net.map((line) => ({
        ...line,
        unitAmountCents: line.unitAmountCents + taxOf(line.unitAmountCents, line.taxRate, false),
      }))
      const { totalTax, totalTaxable, totalWithTaxes } = totalsOf(false, net)
      expect(totalsOf(true, gross)).toMatchObject({ totalTax, totalTaxable, totalWithTaxes })
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['yen', 0],
  ['euro', 2],
  ['dinar', 3],
])('the tax on an amount in %s is off by half of the smallest unit at most', (_currency, digits) => {
  const units = fc.integer({ min: 0, max: 1_000_000 }).map((count) => count * 10 ** digits)
  fc.assert(
    fc.property(
      units,
      fc.integer({ min: 0, max: 10 ** digits - 1 }),
      rate,
      fc.boolean(),
      (whole, part, its, isIncluded) => {
        const amount = whole + part
        const divisor = BigInt(isIncluded ? RATE_UNIT + its : RATE_UNIT)
        const error = BigInt(taxOf(amount, its, isIncluded)) * divisor - BigInt(amount) * BigInt(its)
        expect(2n * (error < 0n ? -error : error) <= divisor).toBe(true)
      },
    ),
  )
})
