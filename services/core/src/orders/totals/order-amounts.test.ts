import type { Row } from '@merx/jsonapi/attributes'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import {
  discountKeyOf,
  groupOf,
  isPurchasable,
  isRedeemedGiftCard,
  lineColumns,
  orderColumns,
  promotionColumns,
  splitLines,
  toTotalsInput,
} from './order-amounts.ts'
import { computeOrderTotals } from './order-totals.ts'

const line = (itemType: string | null, unit: number, more: Row = {}): Row => ({
  id: 1,
  item_type: itemType,
  item_id: 9,
  quantity: 1,
  unit_amount_cents: unit,
  options_amount_cents: 0,
  tax_rate: '0.00000000',
  name: 'A line',
  coupon_code: null,
  ...more,
})

const order = (more: Row = {}): Row => ({
  tax_included: true,
  freight_taxable: false,
  payment_method_taxable: false,
  adjustment_taxable: false,
  gift_card_taxable: false,
  gift_card_amount_cents: 0,
  tax_rate: null,
  ...more,
})

const recalculate = (row: Row, lines: readonly Row[]) => {
  const split = splitLines(lines)
  const computed = computeOrderTotals(toTotalsInput(row, split, testIds))
  return { computed, sums: orderColumns(computed, split) }
}

test.each<[string | null, number, string | undefined, boolean]>([
  ['skus', 100, 'goods', true],
  ['bundles', 100, 'goods', true],
  [null, 100, 'goods', true],
  ['gift_cards', 100, 'gift_cards', true],
  ['gift_cards', -100, undefined, false],
  ['gift_cards', 0, 'gift_cards', true],
  ['shipments', 100, 'shipping', false],
  ['payment_methods', 100, 'payment_method', false],
  ['adjustments', -100, 'adjustment', false],
  ['percentage_discount_promotions', -100, undefined, false],
])('a line of %s of %d counts as %s', (itemType, unit, group, isChosen) => {
  expect([groupOf(line(itemType, unit)), isPurchasable(line(itemType, unit))]).toEqual([group, isChosen])
})

test('the sums are those of the sample order (lifecycles.md 1.7)', () => {
  const { sums } = recalculate(order({ freight_taxable: true, tax_rate: '0.22000000' }), [
    line('skus', 2500, { quantity: 2, tax_rate: '0.22000000' }),
    line('shipments', 1200),
    line('percentage_discount_promotions', -500),
  ])
  expect(sums).toMatchObject({
    subtotal_amount_cents: 5000,
    subtotal_tax_amount_cents: 902,
    subtotal_taxable_amount_cents: 4098,
    shipping_amount_cents: 1200,
    shipping_tax_amount_cents: 216,
    discount_amount_cents: -500,
    total_amount_cents: 5700,
    total_tax_amount_cents: 1028,
    total_taxable_amount_cents: 4672,
    total_amount_with_taxes_cents: 5700,
    skus_count: 2,
  })
})

test('a promotion takes what it took, as far as the lines are worth it', () => {
  const promotion = line('fixed_amount_promotions', -500, { name: 'Welcome', coupon_code: 'HELLO' })
  const { computed, sums } = recalculate(order(), [line('skus', 300), promotion])
  expect(computed.promotions.map(promotionColumns)).toEqual([{ total_amount_cents: -300 }])
  expect(computed.lines.map(lineColumns)).toEqual([
    {
      total_amount_cents: 300,
      discount_cents: -300,
      tax_amount_cents: 0,
      tax_rate: '0.00000000',
      discount_breakdown: {
        [`fixed_amount_promotions-${encodeId('promotions', 9)}`]: {
          name: 'Welcome',
          cents: -300,
          weight: 1,
          coupon_code: 'HELLO',
        },
      },
    },
  ])
  expect(sums).toMatchObject({ discount_amount_cents: -300, total_amount_cents: 0 })
})

test('free shipping takes from shipping, a gift card pays what is due', () => {
  const { sums } = recalculate(order({ gift_card_amount_cents: -700 }), [
    line('skus', 500),
    line('shipments', 400),
    line('free_shipping_promotions', -400),
    line('gift_cards', -700),
  ])
  expect(sums).toMatchObject({
    discount_amount_cents: -400,
    gift_card_amount_cents: -500,
    total_amount_cents: 0,
  })
})

test('only what the order says is taxed besides goods, at its own rate or that of the order', () => {
  const lines = [line('shipments', 1000), line('payment_methods', 1000, { tax_rate: '0.10000000' })]
  const untaxed = recalculate(order({ tax_included: false, tax_rate: '0.22000000' }), lines)
  expect(untaxed.sums).toMatchObject({ shipping_tax_amount_cents: 0, payment_method_tax_amount_cents: 0 })
  const switches = { freight_taxable: true, payment_method_taxable: true }
  const taxed = recalculate(order({ tax_included: false, tax_rate: '0.22000000', ...switches }), lines)
  expect(taxed.sums).toMatchObject({ shipping_tax_amount_cents: 220, payment_method_tax_amount_cents: 100 })
  expect(taxed.computed.lines.map((amounts) => lineColumns(amounts)['tax_rate'])).toEqual([
    '0.22000000',
    '0.10000000',
  ])
})

test.each<[boolean, string, Row]>([
  [true, 'that the order pays with', {}],
  [false, 'of another system', { gift_card_id: null }],
  [false, 'that names none', { gift_card_id: undefined }],
  [false, 'that is bought', { unit_amount_cents: 700 }],
  [false, 'of nothing', { unit_amount_cents: 0 }],
  [false, 'of something else', { item_type: 'adjustments' }],
])('%s: a gift card of the shop is redeemed by a line %s', (expected, _case, more) => {
  expect(isRedeemedGiftCard(line('gift_cards', -700, { gift_card_id: 5, ...more }))).toBe(expected)
})

test.each<[string, Parameters<typeof discountKeyOf>[0]]>([
  [
    `free_gift_promotions-${encodeId('promotions', 9)}`,
    { id: 3, item_type: 'free_gift_promotions', item_id: 9 },
  ],
  [`gift_cards-${encodeId('gift_cards', 9)}`, { id: 3, item_type: 'gift_cards', item_id: 9 }],
  [`line_items-${encodeId('line_items', 3)}`, { id: 3, item_type: 'adjustments', item_id: null }],
  [`line_items-${encodeId('line_items', 3)}`, { id: 3, item_type: 'adjustments' }],
  [`line_items-${encodeId('line_items', 3)}`, { id: 3, item_type: null, item_id: 9 }],
  ['line_items-new', { item_type: 'adjustments', item_id: null }],
])('the key of a discount is %s', (key, columns) => {
  expect(discountKeyOf(columns, testIds)).toBe(key)
})

describe('what the arithmetic gets', () => {
  const inputOf = (row: Row, ...lines: readonly Row[]) => toTotalsInput(row, splitLines(lines), testIds)

  test.each([
    ['tax_included', 'taxIncluded'],
    ['freight_taxable', 'freightTaxable'],
    ['payment_method_taxable', 'paymentMethodTaxable'],
    ['adjustment_taxable', 'adjustmentTaxable'],
    ['gift_card_taxable', 'giftCardTaxable'],
  ])('the switch %s', (column, name) => {
    const none = { tax_included: false }
    const off = {
      taxIncluded: false,
      freightTaxable: false,
      paymentMethodTaxable: false,
      adjustmentTaxable: false,
      giftCardTaxable: false,
    }
    expect(inputOf(order(none))).toMatchObject(off)
    expect(inputOf(order({ ...none, [column]: true }))).toMatchObject({ ...off, [name]: true })
  })

  test('a line, with zero for what it lacks', () => {
    const row = {
      item_type: 'skus',
      unit_amount_cents: 250,
      options_amount_cents: 30,
      tax_rate: '0.22000000',
    }
    expect(inputOf(order(), row).lines).toEqual([
      { group: 'goods', quantity: 0, unitAmountCents: 250, optionsAmountCents: 30, taxRate: 22_000_000 },
    ])
  })

  test('the rate of the order is not that of goods', () => {
    const rates = inputOf(order({ tax_rate: '0.22000000' }), line('skus', 1), line('shipments', 1)).lines
    expect(rates.map(({ taxRate }) => taxRate)).toEqual([0, 22_000_000])
  })

  test('an adjustment that is allocated, by its line', () => {
    const allocated = { item_id: null, distribute_discount: true }
    const lines = [line('adjustments', -100, { ...allocated, name: null }), line('adjustments', -100)]
    expect(inputOf(order(), ...lines).lines.map((each) => each.allocated)).toEqual([
      { key: `line_items-${encodeId('line_items', 1)}`, name: '' },
      undefined,
    ])
  })

  test.each(['free_gift_promotions', 'discount_engine_items'])('%s take something off', (type) => {
    const { promotions, lines } = inputOf(order(), line(type, -300, { coupon_code: undefined }))
    expect(lines).toEqual([])
    expect(promotions).toMatchObject([
      { name: 'A line', amountCents: 300, couponCode: null, appliesTo: 'goods' },
    ])
  })

  describe('what a promotion took of each line', () => {
    const key = `fixed_amount_promotions-${encodeId('promotions', 9)}`
    const promotion = line('fixed_amount_promotions', -500)
    const goods = (share: unknown): Row => line('skus', 1000, { discount_breakdown: { [key]: share } })
    const sharesOf = (...lines: readonly Row[]) => inputOf(order(), ...lines, promotion).promotions[0]?.shares

    test('is what the breakdown of the line says', () => {
      const lines = [goods({ cents: -100, weight: 0.25 }), line('skus', 1000), goods({ cents: 5, weight: 1 })]
      expect(sharesOf(...lines)).toEqual([{ cents: 100, weight: 0.25 }, undefined, { cents: 0, weight: 1 }])
    })

    test.each([{ cents: -100 }, { weight: 1 }, { cents: '-100', weight: 1 }, { cents: -100, weight: '1' }])(
      'is not known of %j',
      (share) => {
        expect(inputOf(order(), goods(share), promotion).promotions[0]).not.toHaveProperty('shares')
      },
    )
  })

  test('a gift card of another system, by what it paid', () => {
    const none = { balanceCents: 0, coversTaxes: false }
    expect(inputOf(order({ gift_card_amount_cents: -700 })).giftCard).toEqual({ ...none, balanceCents: 700 })
    expect(inputOf(order({ gift_card_amount_cents: 700 })).giftCard).toEqual(none)
  })

  test.each([
    [
      true,
      { allocated: { key: `gift_cards-${encodeId('gift_cards', 9)}`, name: 'A line' }, coversTaxes: false },
    ],
    [false, { allocated: undefined, coversTaxes: true }],
  ])('a gift card of the shop, allocated: %s', (isAllocated, expected) => {
    const card = line('gift_cards', -700, { gift_card_id: 9, distribute_discount: isAllocated })
    expect(inputOf(order({ gift_card_amount_cents: -50 }), card).giftCard).toEqual({
      balanceCents: 700,
      ...expected,
    })
  })
})

test('free shipping takes from the shipping alone, where goods are worth more', () => {
  const { computed } = recalculate(order(), [
    line('skus', 5000),
    line('shipments', 400),
    line('free_shipping_promotions', -400),
  ])
  expect(computed.lines.map(({ discountCents }) => discountCents)).toEqual([0, -400])
})

test('a line without discounts has no breakdown', () => {
  const { computed } = recalculate(order(), [line('skus', 5000)])
  expect(computed.lines.map((amounts) => lineColumns(amounts)['discount_breakdown'])).toEqual([null])
})

test('SKUs and bundles are counted by their units', () => {
  const { sums } = recalculate(order(), [
    line(null, 100, { quantity: 1 }),
    line('skus', 100, { quantity: 2 }),
    line('bundles', 100, { quantity: 3 }),
    line('gift_cards', 100, { quantity: 4 }),
  ])
  expect(sums['skus_count']).toBe(5)
})
