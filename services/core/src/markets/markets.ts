import { computed, instant, integer, list, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy, switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, name, url } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { regenerable, sharedSecret } from '../definitions/shared-secret.ts'
import { calledAddresses } from '../outside/called-addresses.ts'
import { externalIncludes } from '../outside/external-includes.ts'

/** What a token is scoped to: which prices, which stock and, for private markets, which customers. */
export const markets = defineResource('markets', {
  summary: 'A price list, an inventory model and a merchant, sold to everybody or to one customer group.',
  model: 'market',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: integer(),
    name: name(),
    code: code(),
    facebook_pixel_id: text({ write: 'always', max: 255 }),
    checkout_url: url(),
    external_prices_url: url(),
    external_order_validation_url: url(),
    private: computed((row) => row['customer_group_id'] !== null, { columns: ['customer_group_id'] }),
    shipping_cost_cutoff: integer({ write: 'always', min: 0, max: 1000 }),
    disabled_at: instant({ filter: true, sort: true }),
    shared_secret: sharedSecret(),
    external_includes: list({ write: 'always', max: 50, default: [] }),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
    _regenerate_shared_secret: trigger(),
  },
  relationships: {
    merchant: toOne('merchants', { write: 'always', required: true, include: true, filter: true }),
    price_list: toOne('price_lists', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    base_price_list: toOne('price_lists', { include: true }),
    inventory_model: toOne('inventory_models', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    customer_group: toOne('customer_groups', { write: 'always', include: true, filter: true, sort: true }),
    default_payment_method: toOne('payment_methods', {
      write: 'always',
      include: true,
      filter: true,
      sort: true,
    }),
    stores: toMany('stores', { inverse: 'market', include: true, filter: true }),
    subscription_model: toOne('subscription_models', {
      write: 'always',
      include: true,
      filter: true,
      sort: true,
    }),
    discount_engine: toOne('discount_engines', { write: 'always', include: true, filter: true, sort: true }),
    tax_calculator: toOne('tax_calculators', { write: 'always', include: true, filter: true, sort: true }),
    geocoder: toOne('geocoders', { write: 'always', include: true, filter: true, sort: true }),
    default_shipping_method: toOne('shipping_methods', {
      write: 'always',
      include: true,
      filter: true,
      sort: true,
    }),
    price_list_schedulers: toMany('price_list_schedulers', {
      inverse: 'market',
      include: true,
      filter: true,
    }),
    order_validation_rules: toMany('order_validation_rules', {
      inverse: 'market',
      include: true,
      filter: true,
    }),
    ...attachable,
    ...versioned,
  },
  actions: {
    ...switchable,
    ...regenerable,
  },
  rules: [
    calledAddresses('external_prices_url', 'external_order_validation_url'),
    externalIncludes('line_items', 'orders'),
  ],
  onDelete: refuseWhileReferencedBy('stores', 'price_list_schedulers'),
})
