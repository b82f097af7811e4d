import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name, url } from '../definitions/shapes.ts'
import { audited } from '../definitions/shared-relationships.ts'

const ATTACHABLE = [
  'geocoders',
  'price_lists',
  'payment_methods',
  'markets',
  'customer_groups',
  'promotions',
  'orders',
  'transactions',
  'tax_calculators',
  'tax_categories',
  'skus',
  'shipping_categories',
  'order_validation_rules',
  'bundles',
  'sku_lists',
  'stock_items',
  'stock_locations',
  'returns',
  'carrier_accounts',
  'coupon_recipients',
  'customers',
  'delivery_lead_times',
  'shipping_methods',
  'shipments',
  'discount_engines',
  'parcels',
  'gift_card_recipients',
  'gift_cards',
  'inventory_models',
  'stock_transfers',
  'sku_options',
  'merchants',
  'subscription_models',
  'payment_options',
  'packages',
  'prices',
  'price_tiers',
  'shipping_method_tiers',
  'shipping_zones',
]

/** A link to a file, attached to a record; it goes when the record goes. */
export const attachments = defineResource('attachments', {
  summary: 'A link to a file, attached to a record.',
  model: 'attachment',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    description: text({ write: 'always', filter: true }),
    url: url(),
  },
  relationships: {
    attachable: polymorphicToOne(ATTACHABLE, { write: 'always', required: true, include: true }),
    ...audited,
  },
})
