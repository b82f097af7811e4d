/**
 * Types that resources refer to and that are not built yet. Relationships to them are answered as they will be: with
 * links, null or empty, to be included and filtered by. Building a type is its own definition in place of its name here.
 */
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import type { ToMany, ToOne } from '@merx/jsonapi/relationships'

const NAMES = [
  'adjustments',
  'adyen_payments',
  'authorizations',
  'axerve_payments',
  'braintree_payments',
  'bundles',
  'buy_x_pay_y_promotions',
  'captures',
  'carrier_accounts',
  'checkout_com_payments',
  'coupon_recipients',
  'customer_payment_sources',
  'discount_engine_items',
  'discount_engines',
  'event_callbacks',
  'external_payments',
  'external_promotions',
  'fixed_amount_promotions',
  'fixed_price_promotions',
  'flex_promotions',
  'free_gift_promotions',
  'free_shipping_promotions',
  'geocoders',
  'gift_card_recipients',
  'gift_cards',
  'inventory_return_locations',
  'klarna_payments',
  'line_item_options',
  'links',
  'notifications',
  'order_copies',
  'order_factories',
  'order_subscriptions',
  'order_validation_rules',
  'payment_options',
  'paypal_payments',
  'percentage_discount_promotions',
  'pickups',
  'price_frequency_tiers',
  'price_list_schedulers',
  'price_tiers',
  'price_volume_tiers',
  'promotions',
  'recurring_order_copies',
  'refunds',
  'return_line_items',
  'returns',
  'satispay_payments',
  'shipment_line_items',
  'sku_list_items',
  'sku_lists',
  'sku_options',
  'stripe_payments',
  'subscription_models',
  'tax_calculators',
  'tax_categories',
  'transactions',
  'voids',
  'webhooks',
  'wire_transfers',
] as const

type PlaceholderType = (typeof NAMES)[number]

/** No operation, no route, no rows. */
const placeholder = (type: PlaceholderType): ResourceDefinition =>
  defineResource(type, {
    summary: 'Not built yet.',
    model: 'plannedRecord',
    table: 'planned_records',
    planned: true,
    operations: [],
    scope: 'environment',
    attributes: {},
  })

/** Definitions without operations, so that relationships have a target. */
export const placeholders: readonly ResourceDefinition[] = NAMES.map(placeholder)

/** A to-many that stays empty until its type is built. */
export const noneOf = (
  target: PlaceholderType,
  flags: { readonly filter?: boolean } = { filter: true },
): ToMany => toMany(target, { virtual: 'planned', include: true, ...flags })

/** A to-one that stays null until its type is built, and that nobody sends. */
export const noOne = (
  target: PlaceholderType,
  flags: { readonly filter?: boolean } = { filter: true },
): ToOne => toOne(target, { virtual: 'planned', include: true, ...flags })
