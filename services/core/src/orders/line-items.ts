import { boolean, cents, float, integer, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, CIRCUIT_STATES, currencyCode, url } from '../definitions/shapes.ts'
import { audited, observed, tagAction, tagTriggers, tagged } from '../definitions/shared-relationships.ts'
import { frequencyOfLine } from './line-item-frequency.ts'
import { itemOfLine, ORDERED_TYPES } from './line-item-item.ts'
import { orderOfLine } from './line-item-order.ts'
import { isRedeemedGiftCard } from './totals/order-amounts.ts'

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

/** The most that the column of a quantity holds. */
export const QUANTITY_MAX = 2_147_483_647

/** What an order makes by itself: its shipments, its payment method, its discounts. */
const isOfTheOrder = (itemType: unknown): itemType is string =>
  typeof itemType === 'string' && !ORDERED_TYPES.includes(itemType)

/** One row of an order: an article, a shipment, a payment method, a discount. Every write recalculates the order. */
export const lineItems = defineResource('line_items', {
  summary: 'One row of an order: an article, a shipment, a payment method, a discount.',
  model: 'lineItem',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    sku_code: text({ write: 'always', max: 255, filter: true }),
    bundle_code: text({ write: 'always', max: 255 }),
    quantity: integer({ write: 'always', required: true, min: 1, max: QUANTITY_MAX, filter: true }),
    _external_price: boolean({ column: 'external_price', write: 'always', default: false }),
    _update_quantity: trigger({ write: 'create', action: 'recalculate' }),
    _reserve_stock: trigger({ write: 'always', prohibited: true, isCommand: true }),
    _reset_restocked_quantity: trigger({ write: 'always', prohibited: true }),
    currency_code: currencyCode({ filter: true, sort: true }),
    unit_amount_cents: cents({ write: 'always', min: 0, prohibited: true, filter: true, sort: true }),
    compare_at_amount_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    options_amount_cents: cents({ write: 'update', min: 0, prohibited: true, filter: true, sort: true }),
    discount_cents: cents({ filter: true, sort: true }),
    total_amount_cents: cents({ filter: true, sort: true }),
    tax_amount_cents: cents({ filter: true, sort: true }),
    name: text({ write: 'always', max: 255, filter: true, sort: true }),
    image_url: url({ filter: true, served: true }),
    discount_breakdown: object(),
    tax_rate: float(),
    tax_breakdown: object(),
    item_type: oneOf(ITEM_TYPES, { write: 'create', filter: true, sort: true }),
    frequency: text({ write: 'always', max: 255 }),
    coupon_code: text(),
    rule_outcomes: object(),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
    _reset_circuit: trigger({ prohibited: true }),
    ...tagTriggers,
  },
  relationships: {
    order: toOne('orders', { write: 'create', required: true, include: true, filter: true, sort: true }),
    item: polymorphicToOne(ITEM_TYPES, { write: 'create', include: true }),
    // Columns that follow from the item's type and number.
    sku: toOne('skus', { include: true, filter: true }),
    payment_method: toOne('payment_methods', { include: true, filter: true }),
    bundle: toOne('bundles', { include: true, filter: true }),
    adjustment: toOne('adjustments', { include: true, filter: true }),
    gift_card: toOne('gift_cards', { include: true, filter: true }),
    shipment: toOne('shipments', { include: true, filter: true }),
    line_item_options: toMany('line_item_options', { inverse: 'line_item', include: true, filter: true }),
    return_line_items: toMany('return_line_items', { inverse: 'line_item', include: true, filter: true }),
    shipment_line_items: toMany('shipment_line_items', {
      inverse: 'line_item',
      include: true,
      endpoint: false,
    }),
    stock_reservations: toMany('stock_reservations', { inverse: 'line_item', include: true, filter: true }),
    stock_line_items: toMany('stock_line_items', { inverse: 'line_item', include: true, filter: true }),
    stock_transfers: toMany('stock_transfers', { inverse: 'line_item', include: true, filter: true }),
    notifications: toMany('notifications', { inverse: 'notifiable', include: true, filter: true }),
    ...observed,
    ...tagged('line_item_id'),
    ...audited,
  },
  actions: {
    ...tagAction,
    // What the workflow does (line-item-workflow.ts), and what the rules refuse for now.
    recalculate: () => ({}),
    reset_restocked_quantity: () => ({ restocked_quantity: 0 }),
    reset_circuit: () => ({ circuit_state: 'closed', circuit_failure_count: 0 }),
  },
  rules: [orderOfLine, itemOfLine, frequencyOfLine],
  onDelete: refuseWhile((line) => {
    const { item_type: itemType } = line
    if (isRedeemedGiftCard(line)) return 'A gift card that pays goes when its order gives up its code.'
    return isOfTheOrder(itemType)
      ? `A line item of type ${itemType} goes when its order gives it up.`
      : undefined
  }),
})
