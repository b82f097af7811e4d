import { cents, float, integer, object, oneOf, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toOne } from '@merx/jsonapi/relationships'
import { CIRCUIT_STATES, currencyCode, url } from './shapes.ts'

export const ITEM_TYPES = [
  'skus',
  'bundles',
  'gift_cards',
  'shipments',
  'payment_methods',
  'adjustments',
  'discount_engine_items',
  'percentage_discount_promotions',
  'free_shipping_promotions',
  'buy_x_pay_y_promotions',
  'free_gift_promotions',
  'fixed_price_promotions',
  'external_promotions',
  'fixed_amount_promotions',
  'flex_promotions',
] as const

/** One row of an order: an article, a shipment, a payment method, a discount. Written by the order's workflows. */
export const lineItems = defineResource('line_items', {
  summary: 'One row of an order: an article, a shipment, a payment method, a discount.',
  model: 'lineItem',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  attributes: {
    sku_code: text({ write: 'always', max: 255, filter: true }),
    bundle_code: text({ write: 'always', max: 255 }),
    quantity: integer({ write: 'always', required: true, min: 1, max: 2_147_483_647, filter: true }),
    currency_code: currencyCode({ filter: true, sort: true }),
    unit_amount_cents: cents({ write: 'always', prohibited: true, filter: true, sort: true }),
    compare_at_amount_cents: cents({ write: 'always', filter: true, sort: true }),
    options_amount_cents: cents({ write: 'update', prohibited: true, filter: true, sort: true }),
    discount_cents: cents({ filter: true, sort: true }),
    total_amount_cents: cents({ filter: true, sort: true }),
    tax_amount_cents: cents({ filter: true, sort: true }),
    name: text({ write: 'always', max: 255, filter: true, sort: true }),
    image_url: url({ filter: true }),
    discount_breakdown: object(),
    tax_rate: float(),
    tax_breakdown: object(),
    item_type: oneOf(ITEM_TYPES, { write: 'create', filter: true, sort: true }),
    frequency: text({ write: 'always', max: 255 }),
    coupon_code: text(),
    rule_outcomes: object(),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
  },
  relationships: {
    order: toOne('orders', { write: 'create', required: true, include: true, filter: true, sort: true }),
    item: polymorphicToOne(['skus', 'payment_methods'], { write: 'create', include: true }),
    // Columns that PostgreSQL generates from the item's type and number.
    sku: toOne('skus', { include: true, filter: true }),
    payment_method: toOne('payment_methods', { include: true, filter: true }),
  },
})
