import { shareOut } from '../../promotions/allocate.ts'
import { computeOrderTotals, taxOf } from './order-totals.ts'
import type { OrderTotalsInput, TotalsLine } from './order-totals.ts'

const VAT = 22_000_000
const goods = (unitAmountCents: number, quantity = 1, taxRate = VAT): TotalsLine => ({
  group: 'goods',
  quantity,
  unitAmountCents,
  taxRate,
})
const input = (more: Partial<OrderTotalsInput>): OrderTotalsInput => ({
  taxIncluded: true,
  freightTaxable: true,
  paymentMethodTaxable: true,
  adjustmentTaxable: false,
  giftCardTaxable: false,
  lines: [],
  promotions: [],
  ...more,
})
const promotion = (amountCents: number, appliesTo: 'goods' | 'shipping' = 'goods') => ({
  key: 'p1',
  name: 'Spring',
  amountCents,
  couponCode: 'SPRING',
  appliesTo,
})

describe('with taxes included', () => {
  const order = computeOrderTotals(
    input({
      lines: [goods(5000), { group: 'shipping', quantity: 1, unitAmountCents: 1200, taxRate: VAT }],
      promotions: [promotion(500)],
    }),
  )

  it('the sample of the facts comes out to the cent', () => {
    expect(order.totals).toMatchObject({
      subtotal: 5000,
      subtotalTax: 902,
      subtotalTaxable: 4098,
      shipping: 1200,
      shippingTax: 216,
      shippingTaxable: 984,
      discount: -500,
      total: 5700,
      totalTax: 1028,
      totalTaxable: 4672,
      totalWithTaxes: 5700,
    })
  })

  it('the line shows its share of the discount and the tax on the rest', () => {
    expect(order.lines[0]).toEqual({
      totalCents: 5000,
      discountCents: -500,
      taxCents: 811,
      taxRate: VAT,
      discountBreakdown: { p1: { name: 'Spring', cents: -500, weight: 1, coupon_code: 'SPRING' } },
    })
  })
})

describe('with taxes on top', () => {
  it('they are added to the total, and amounts are their own base', () => {
    const { totals } = computeOrderTotals(input({ taxIncluded: false, lines: [goods(999, 3, 8_875_000)] }))
    expect(totals).toMatchObject({
      subtotal: 2997,
      subtotalTax: 266,
      subtotalTaxable: 2997,
      total: 2997,
      totalTax: 266,
      totalTaxable: 2997,
      totalWithTaxes: 3263,
    })
  })
})

it('the other sample of the facts: subtotal, shipping, discount and gift card', () => {
  const { totals } = computeOrderTotals(
    input({
      lines: [goods(84_300), { group: 'shipping', quantity: 1, unitAmountCents: 1000, taxRate: VAT }],
      promotions: [promotion(8430)],
      giftCard: { balanceCents: 5000, coversTaxes: false },
    }),
  )
  expect(totals).toMatchObject({ discount: -8430, giftCard: -5000, total: 71_870 })
})

describe('limits', () => {
  it('a promotion never takes lines below zero', () => {
    const { totals, lines, promotions } = computeOrderTotals(
      input({ lines: [goods(300), goods(700)], promotions: [promotion(400), promotion(5000)] }),
    )
    expect(promotions).toEqual([-400, -600])
    expect(lines.map(({ discountCents }) => discountCents)).toEqual([-300, -700])
    expect(totals).toMatchObject({ discount: -1000, total: 0, totalTax: 0 })
  })

  it('a gift card covers no more than is due', () => {
    const giftCard = { balanceCents: 5000, coversTaxes: false }
    const { totals } = computeOrderTotals(input({ lines: [goods(300)], giftCard }))
    expect(totals).toMatchObject({ giftCard: -300, total: 0 })
  })

  it('an adjustment never makes the total negative', () => {
    const credit = { group: 'adjustment', quantity: 1, unitAmountCents: -900, taxRate: VAT } as const
    expect(computeOrderTotals(input({ lines: [goods(300), credit] })).totals).toMatchObject({
      adjustment: -900,
      total: 0,
    })
  })

  it('an order of nothing costs nothing', () => {
    expect(Object.values(computeOrderTotals(input({})).totals).every((amount) => amount === 0)).toBe(true)
  })
})

describe('what is taxed', () => {
  const of = (group: TotalsLine['group'], more: Partial<OrderTotalsInput>, unitAmountCents = 1000): number =>
    computeOrderTotals(
      input({ ...more, taxIncluded: false, lines: [{ group, quantity: 1, unitAmountCents, taxRate: VAT }] }),
    ).totals.totalTax

  it.each([
    ['shipping', { freightTaxable: true }, 220],
    ['shipping', { freightTaxable: false }, 0],
    ['payment_method', { paymentMethodTaxable: true }, 220],
    ['payment_method', { paymentMethodTaxable: false }, 0],
    ['gift_cards', { giftCardTaxable: true }, 220],
    ['gift_cards', { giftCardTaxable: false }, 0],
    ['adjustment', { adjustmentTaxable: true }, 220],
    ['adjustment', { adjustmentTaxable: false }, 0],
  ] as const)('%s with %j pays %d', (group, more, expected) => {
    expect(of(group, more)).toBe(expected)
  })

  it('a credit is not', () => {
    expect(of('adjustment', { adjustmentTaxable: true }, -1000)).toBe(0)
  })

  it('a discount on shipping is taken from its tax', () => {
    const { totals } = computeOrderTotals(
      input({
        taxIncluded: false,
        lines: [goods(1000), { group: 'shipping', quantity: 1, unitAmountCents: 500, taxRate: VAT }],
        promotions: [promotion(500, 'shipping')],
      }),
    )
    expect(totals).toMatchObject({
      shipping: 500,
      shippingTax: 110,
      discount: -500,
      totalTax: 220,
      totalWithTaxes: 1220,
    })
  })
})

describe('shares', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [10, [3, 3, 4], [3, 3, 4]],
    [1, [5, 5], [1, 0]],
    [5, [0, 7], [0, 5]],
    [2, [1, 2, 3], [0, 1, 1]],
    [0, [1, 2], [0, 0]],
    [7, [0, 0], [0, 0]],
    [999_999_999_999, [9_007_199_254_740_991, 1], [999_999_999_999, 0]],
  ])('%d over %j is %j', (amount, weights, expected) => {
    expect(shareOut(amount, weights)).toEqual(expected)
  })

  it('always add up, and none exceeds its weight', () => {
    let seed = 1
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 2000; round += 1) {
      const weights = Array.from({ length: 1 + random(9) }, () => random(10_000))
      const sum = weights.reduce((total, weight) => total + weight, 0)
      const amount = random(sum + 1)
      const shares = shareOut(amount, weights)
      expect(shares.reduce((total, share) => total + share, 0)).toBe(amount)
      expect(shares.every((share, index) => share >= 0 && share <= (weights[index] ?? 0))).toBe(true)
    }
  })
})

test('tax is exact beyond what floating point holds', () => {
  expect(taxOf(9_007_199_254_740_990, 10_000_000, false)).toBe(900_719_925_474_099)
})
