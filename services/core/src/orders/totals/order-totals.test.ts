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

const amountsOf = (more: Partial<OrderTotalsInput>): readonly number[] =>
  computeOrderTotals(input(more)).lines.map(({ discountCents }) => discountCents)

describe('a line', () => {
  it('costs its units and its options', () => {
    const { totals, lines } = computeOrderTotals(
      input({ lines: [{ ...goods(1000, 2), optionsAmountCents: 300 }] }),
    )
    expect([totals.subtotal, lines[0]?.totalCents]).toEqual([2300, 2300])
  })

  it('of a gift card that is bought is part of the subtotal', () => {
    const card: TotalsLine = { group: 'gift_cards', quantity: 1, unitAmountCents: 5000, taxRate: 0 }
    expect(computeOrderTotals(input({ lines: [goods(1000), card] })).totals.subtotal).toBe(6000)
  })

  it('that is an adjustment of nothing shows no tax rate', () => {
    const nothing: TotalsLine = { group: 'adjustment', quantity: 1, unitAmountCents: 0, taxRate: VAT }
    const { lines } = computeOrderTotals(input({ adjustmentTaxable: true, lines: [nothing] }))
    expect(lines[0]).toMatchObject({ taxRate: 0, taxCents: 0 })
  })
})

describe('a promotion that says what each line gets', () => {
  const shares = [{ cents: 100, weight: 0.25 }, { cents: 900, weight: 0.75 }, undefined]
  const decided = { ...promotion(1000), shares }
  const order = computeOrderTotals(
    input({ lines: [goods(1000), goods(500), goods(2000)], promotions: [decided] }),
  )

  it('takes that from each, as far as it is worth it', () => {
    expect([order.promotions, order.totals.discount]).toEqual([[-600], -600])
    expect(order.lines.map(({ discountBreakdown }) => discountBreakdown)).toEqual([
      { p1: { name: 'Spring', cents: -100, weight: 0.25, coupon_code: 'SPRING' } },
      { p1: { name: 'Spring', cents: -500, weight: 0.75, coupon_code: 'SPRING' } },
      {},
    ])
  })

  it('is not shown on a line that has nothing left', () => {
    const { lines, promotions } = computeOrderTotals(
      input({ lines: [goods(0), goods(500)], promotions: [decided] }),
    )
    expect(promotions).toEqual([-500])
    expect(lines[0]?.discountBreakdown).toEqual({})
  })
})

describe('the cent left over goes, whatever the order of lines, to the line', () => {
  it('that is worth more', () => {
    // 2 over 3 and 1: 1.5 and 0.5
    expect(amountsOf({ lines: [goods(1), goods(3)], promotions: [promotion(2)] })).toEqual([0, -2])
    expect(amountsOf({ lines: [goods(3), goods(1)], promotions: [promotion(2)] })).toEqual([-2, 0])
  })

  it('of the higher tax rate', () => {
    const [free, taxed] = [goods(100, 1, 0), goods(100)]
    expect(amountsOf({ lines: [free, taxed], promotions: [promotion(1)] })).toEqual([0, -1])
    expect(amountsOf({ lines: [taxed, free], promotions: [promotion(1)] })).toEqual([-1, 0])
  })

  it('that cost more before discounts', () => {
    const half = { ...promotion(100), shares: [undefined, { cents: 100, weight: 1 }] }
    const promotions = [half, { ...promotion(1), key: 'p2' }]
    expect(amountsOf({ lines: [goods(100), goods(200)], promotions })).toEqual([0, -101])
    const other = { ...half, shares: half.shares.toReversed() }
    const reversed = { lines: [goods(200), goods(100)], promotions: [other, ...promotions.slice(1)] }
    expect(amountsOf(reversed)).toEqual([-101, 0])
  })
})

describe('an adjustment that is allocated', () => {
  const adjusted = (unitAmountCents: number, key: string): TotalsLine => ({
    group: 'adjustment',
    quantity: 1,
    unitAmountCents,
    taxRate: 0,
    allocated: { key, name: 'Goodwill' },
  })

  it('reduces the goods before tax, and nothing else', () => {
    const shipping: TotalsLine = { group: 'shipping', quantity: 1, unitAmountCents: 1000, taxRate: VAT }
    const { lines, totals } = computeOrderTotals(
      input({ lines: [goods(1000), goods(3000), shipping, adjusted(-400, 'a')] }),
    )
    expect(lines.map(({ discountCents }) => discountCents)).toEqual([-100, -300, 0, 0])
    expect(lines[0]?.discountBreakdown).toEqual({
      a: { name: 'Goodwill', cents: -100, weight: 0.25, coupon_code: null },
    })
    // 900 and 2700 with 22 % inside: 162 and 487
    expect(lines.slice(0, 2).map(({ taxCents }) => taxCents)).toEqual([162, 487])
    expect(totals).toMatchObject({ adjustment: -400, discount: 0, total: 4600 })
  })

  it('takes first when it is larger, so that the order of lines does not matter', () => {
    const credits = [adjusted(-70, 'a'), adjusted(-80, 'b')]
    for (const each of [credits, credits.toReversed()]) {
      const { lines } = computeOrderTotals(input({ lines: [goods(100), ...each] }))
      expect(lines[0]?.discountBreakdown).toMatchObject({ a: { cents: -20 }, b: { cents: -80 } })
    }
  })

  it('and adds to the order changes no line', () => {
    const { lines, totals } = computeOrderTotals(input({ lines: [goods(1000), adjusted(50, 'a')] }))
    expect([lines[0]?.discountCents, totals.total]).toEqual([0, 1050])
  })

  it('and one that is not is kept apart from the goods', () => {
    const { allocated: _none, ...apart } = adjusted(-400, 'a')
    const { lines, totals } = computeOrderTotals(input({ lines: [goods(1000), apart] }))
    expect([lines[0]?.discountCents, lines[0]?.taxCents, totals.total]).toEqual([0, 180, 600])
  })
})

describe('a gift card', () => {
  const shipping: TotalsLine = { group: 'shipping', quantity: 1, unitAmountCents: 1000, taxRate: VAT }
  const card = (balanceCents: number, coversTaxes = false) => ({ balanceCents, coversTaxes })
  const allocated = { key: 'card', name: 'Gift card' }

  it('that is allocated reduces all lines before tax', () => {
    const giftCard = { ...card(500), allocated }
    const { lines, totals } = computeOrderTotals(input({ lines: [goods(1000), shipping], giftCard }))
    const share = { name: 'Gift card', cents: -250, weight: 0.5, coupon_code: null }
    expect(lines.map(({ discountBreakdown }) => discountBreakdown)).toEqual([
      { card: share },
      { card: share },
    ])
    // 1000 with 22 % inside has 180, the 250 taken off have 45
    expect(totals).toMatchObject({ giftCard: -500, total: 1500, totalTax: 270, totalTaxable: 1230 })
  })

  it('that is allocated takes no more than is due', () => {
    const { totals } = computeOrderTotals(
      input({ lines: [goods(1000)], giftCard: { ...card(5000), allocated } }),
    )
    expect(totals).toMatchObject({ giftCard: -1000, total: 0, totalTax: 0, totalTaxable: 0 })
  })

  it.each([
    ['pays the tax that is added', 1220, 0, { taxIncluded: false, giftCard: card(5000, true) }],
    ['pays a part of it', 1100, 120, { taxIncluded: false, giftCard: card(1100, true) }],
    ['leaves the tax that is added', 1000, 220, { taxIncluded: false, giftCard: card(5000) }],
    ['has no tax to pay beside a price with tax', 1000, 0, { taxIncluded: true, giftCard: card(5000, true) }],
  ])('%s: %d, and %d are left', (_case, paid, left, more) => {
    const { totals } = computeOrderTotals(input({ ...more, lines: [goods(1000)] }))
    expect([totals.giftCard, totals.total, totals.totalWithTaxes]).toEqual([-paid, 0, left])
  })

  it('that pays takes nothing off the base', () => {
    const { totals } = computeOrderTotals(
      input({ taxIncluded: false, lines: [goods(1000)], giftCard: card(400) }),
    )
    expect(totals).toMatchObject({ total: 600, totalTax: 220, totalTaxable: 1000, totalWithTaxes: 820 })
  })
})

describe('shares', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [10, [3, 3, 4], [3, 3, 4]],
    [1, [5, 5], [1, 0]],
    [3, [2, 2, 2, 2], [1, 1, 1, 0]],
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

test.each([
  [50, 1_000_000, 1],
  [49, 1_000_000, 0],
  [-50, 1_000_000, -1],
  [-49, 1_000_000, 0],
  [0, 22_000_000, 0],
  [1000, 0, 0],
])('the tax on %d at %d hundred-millionths is %d: half a cent goes away from zero', (amount, rate, tax) => {
  expect(taxOf(amount, rate, false)).toBe(tax)
})

test('tax is exact beyond what floating point holds', () => {
  expect(taxOf(9_007_199_254_740_990, 10_000_000, false)).toBe(900_719_925_474_099)
})
