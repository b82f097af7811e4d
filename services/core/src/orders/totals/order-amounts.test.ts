import type { Row } from '@merx/jsonapi/attributes'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import {
  groupOf,
  isPurchasable,
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
