import { cents, instant, integer, list, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagged,
  tagTriggers,
  versioned,
} from '../definitions/shared-relationships.ts'
import { placeOfShipment } from './shipment-place.ts'
import { shipmentStates } from './shipment-states.ts'

/** What leaves one stock location for one address. An order makes and remakes its shipments until it is fulfilled. */
export const shipments = defineResource('shipments', {
  summary: 'What leaves one stock location for one address.',
  model: 'shipment',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: text({
      write: 'update',
      max: 255,
      prohibited: true,
      unique: true,
      filter: true,
      sort: true,
    }),
    status: oneOf(shipmentStates.states, { filter: true, sort: true }),
    currency_code: text(),
    cost_amount_cents: cents({ filter: true, sort: true }),
    skus_count: integer(),
    _upcoming: trigger({ prohibited: true, isCommand: true }),
    _cancel: trigger({ prohibited: true, isCommand: true }),
    _on_hold: trigger({ isCommand: true }),
    _picking: trigger({ isCommand: true }),
    _packing: trigger({ isCommand: true }),
    _ready_to_ship: trigger({ isCommand: true }),
    _ship: trigger({ isCommand: true }),
    _deliver: trigger({ isCommand: true }),
    _reserve_stock: trigger({ prohibited: true, isCommand: true }),
    _release_stock: trigger({ prohibited: true, isCommand: true }),
    _decrement_stock: trigger({ prohibited: true, isCommand: true }),
    _get_rates: trigger({ isCommand: true }),
    selected_rate_id: text({ write: 'update', max: 255 }),
    rates: list(),
    _purchase: trigger({ isCommand: true }),
    purchase_error_code: text(),
    purchase_error_message: text(),
    get_rates_errors: list(),
    get_rates_started_at: instant({ filter: true, sort: true }),
    get_rates_completed_at: instant({ filter: true, sort: true }),
    purchase_started_at: instant({ filter: true, sort: true }),
    purchase_completed_at: instant({ filter: true, sort: true }),
    purchase_failed_at: instant({ filter: true, sort: true }),
    on_hold_at: instant({ filter: true, sort: true }),
    picking_at: instant({ filter: true, sort: true }),
    packing_at: instant({ filter: true, sort: true }),
    ready_to_ship_at: instant({ filter: true, sort: true }),
    shipped_at: instant({ filter: true, sort: true }),
    delivered_at: instant({ filter: true, sort: true }),
    ...tagTriggers,
  },
  relationships: {
    order: toOne('orders', { write: 'create', required: true, include: true, filter: true, sort: true }),
    shipping_category: toOne('shipping_categories', {
      write: 'always',
      include: true,
      filter: true,
      sort: true,
    }),
    inventory_stock_location: toOne('inventory_stock_locations', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    stock_location: toOne('stock_locations', { include: true, filter: true, sort: true }),
    origin_address: toOne('addresses', { virtual: 'address_of_stock_location', include: true, filter: true }),
    shipping_address: toOne('addresses', { write: 'always', include: true, filter: true }),
    shipping_method: toOne('shipping_methods', { write: 'always', include: true, filter: true, sort: true }),
    delivery_lead_time: toOne('delivery_lead_times', { virtual: 'lead_time_of_shipment', include: true }),
    pickup: toOne('pickups', { virtual: 'pickup_of_shipment', include: true }),
    shipment_line_items: toMany('shipment_line_items', {
      inverse: 'shipment',
      include: true,
      endpoint: false,
    }),
    stock_line_items: toMany('stock_line_items', { inverse: 'shipment', include: true, filter: true }),
    stock_transfers: toMany('stock_transfers', { inverse: 'shipment', include: true, filter: true }),
    line_items: toMany('line_items', { virtual: 'line_items_of_shipment', include: true }),
    available_shipping_methods: toMany('shipping_methods', {
      virtual: 'available_shipping_methods',
      include: true,
    }),
    carrier_accounts: toMany('carrier_accounts', {
      virtual: 'carrier_accounts_of_shipment',
      include: true,
    }),
    parcels: toMany('parcels', { inverse: 'shipment', include: true, filter: true }),
    ...attachable,
    ...observed,
    ...tagged('shipment_id'),
    ...versioned,
  },
  actions: tagAction,
  rules: [placeOfShipment],
  onDelete: refuseWhile(({ status }) =>
    status === 'shipped' || status === 'delivered'
      ? `A shipment that is ${String(status)} stays.`
      : undefined,
  ),
})
