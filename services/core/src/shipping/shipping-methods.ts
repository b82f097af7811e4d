import {
  boolean,
  cents,
  computed,
  float,
  instant,
  integer,
  list,
  oneOf,
  text,
  trigger,
} from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { switchable } from '@merx/jsonapi/rules'
import {
  ALL_OPERATIONS,
  CIRCUIT_STATES,
  currencyCode,
  name,
  UNITS_OF_WEIGHT,
  url,
} from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'
import { regenerable, sharedSecret } from '../definitions/shared-secret.ts'
import { currencyOfMarket } from '../markets/currency-of-market.ts'
import { calledAddresses } from '../outside/called-addresses.ts'
import { externalIncludes } from '../outside/external-includes.ts'
import { schemeOfMethod } from './method-scheme.ts'
import { priceForShipment } from './price-for-shipment.ts'

export const SHIPPING_SCHEMES = ['flat', 'weight_tiered', 'external'] as const

/** A way to move a shipment, with its price. */
export const shippingMethods = defineResource('shipping_methods', {
  summary: 'A way to move a shipment, with its price.',
  model: 'shippingMethod',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    scheme: oneOf(SHIPPING_SCHEMES, { write: 'always', default: 'flat', filter: true, sort: true }),
    currency_code: currencyCode({ write: 'always', filter: true, sort: true }),
    external_prices_url: url(),
    price_amount_cents: cents({ write: 'always', required: true, min: 0, filter: true, sort: true }),
    free_over_amount_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    use_subtotal: boolean({ write: 'always', default: false }),
    // Of a shipment, where the method is one of its available methods; null elsewhere.
    price_amount_for_shipment_cents: computed((row) => priceForShipment(row).cents),
    price_amount_for_shipment_float: computed((row) => priceForShipment(row).float),
    formatted_price_amount_for_shipment: computed((row) => priceForShipment(row).formatted),
    min_weight: float({ write: 'always', min: 0 }),
    max_weight: float({ write: 'always', min: 0 }),
    unit_of_weight: oneOf(UNITS_OF_WEIGHT, { write: 'always' }),
    tax_code: text({ write: 'always', max: 255 }),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
    disabled_at: instant({ filter: true, sort: true }),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
    _reset_circuit: trigger({ prohibited: true }),
    shared_secret: sharedSecret(),
    _regenerate_shared_secret: trigger(),
    external_includes: list({ write: 'always', max: 50, default: [] }),
    ...tagTriggers,
  },
  relationships: {
    market: toOne('markets', { write: 'always', include: true, filter: true, sort: true }),
    shipping_zone: toOne('shipping_zones', { write: 'always', include: true, filter: true, sort: true }),
    shipping_category: toOne('shipping_categories', {
      write: 'always',
      include: true,
      filter: true,
      sort: true,
    }),
    stock_location: toOne('stock_locations', { write: 'always', include: true, filter: true, sort: true }),
    delivery_lead_time_for_shipment: toOne('delivery_lead_times', {
      virtual: 'lead_time_of_method',
      include: true,
    }),
    shipping_method_tiers: toMany('shipping_method_tiers', {
      inverse: 'shipping_method',
      include: true,
      filter: true,
    }),
    shipping_weight_tiers: toMany('shipping_weight_tiers', { inverse: 'shipping_method', include: true }),
    notifications: toMany('notifications', { inverse: 'notifiable', include: true, filter: true }),
    ...attachable,
    ...observed,
    ...tagged('shipping_method_id'),
    ...versioned,
  },
  actions: {
    ...tagAction,
    ...switchable,
    reset_circuit: () => ({ circuit_state: 'closed', circuit_failure_count: 0 }),
    ...regenerable,
  },
  rules: [
    currencyOfMarket,
    schemeOfMethod,
    calledAddresses('external_prices_url'),
    externalIncludes('shipments'),
  ],
})
