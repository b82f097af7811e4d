import {
  boolean,
  cents,
  computed,
  float,
  instant,
  integer,
  object,
  oneOf,
  text,
  trigger,
} from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toMany, toOne } from '@merx/jsonapi/relationships'
import { refuseWhile } from '@merx/jsonapi/rules'
import { hashPassword } from '../customers/hash-password.ts'
import { COUNTRIES } from '../definitions/countries.ts'
import { noneOf } from '../definitions/placeholder-types.ts'
import { ALL_OPERATIONS, CIRCUIT_STATES, currencyCode, email, url } from '../definitions/shapes.ts'
import {
  attachable,
  observed,
  tagAction,
  tagTriggers,
  tagged,
  versioned,
} from '../definitions/shared-relationships.ts'
import { rowOf } from '../engine/database/rows.ts'
import { isBeingPaid } from '../payments/outside/in-flight.ts'
import { PAYMENT_SOURCE_TYPES } from '../payments/payment-methods.ts'
import { paymentStates } from '../payments/payment-states.ts'
import { oneSourcePerAddress } from './address-sources.ts'
import { giftCardOrCouponCode } from './codes-of-order.ts'
import { enabledMarket } from './enabled-market.ts'
import { fulfillmentStates } from './fulfillment-states.ts'
import { oneCommand } from './one-command.ts'
import { oneSourceOfPayment } from './one-source-of-payment.ts'
import { changesOfOrder } from './order-changes.ts'
import { emailOfOrder } from './order-email.ts'
import { linksOfOrder } from './order-links.ts'
import { orderOfScope } from './order-market.ts'
import { EDITABLE, IN_THE_MAKING, orderStates } from './order-states.ts'
import { needsOrderWorkflow, WORKFLOW_TRIGGERS } from './unsupported-triggers.ts'

/** A cart and, once placed, the order it became. Its totals follow its lines; commands move its states (commands/). */
export const orders = defineResource('orders', {
  summary: 'A cart and, once placed, the order it became.',
  model: 'order',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: text({ write: 'always', max: 255, unique: true, prohibited: true, filter: true, sort: true }),
    affiliate_code: text({ write: 'always', max: 255, filter: true, sort: true }),
    autorefresh: boolean({ write: 'always', default: true }),
    place_async: boolean({ write: 'always', default: false, filter: true, sort: true }),
    status: oneOf(orderStates.states, { imported: true, filter: true, sort: true }),
    payment_status: oneOf(paymentStates.states, { imported: true, filter: true, sort: true }),
    fulfillment_status: oneOf(fulfillmentStates.states, { imported: true, filter: true, sort: true }),
    guest: boolean({ write: 'always', default: false, filter: true, sort: true }),
    editable: computed((row) => EDITABLE.includes(rowOf('Order', row).status) && !isBeingPaid(row), {
      columns: ['open_transaction_id'],
    }),
    customer_email: email({ filter: true }),
    // Sent in the clear, stored as the hash that the rule makes of it, never shown.
    customer_password: text({
      column: 'customer_password_hash',
      write: 'always',
      min: 6,
      max: 128,
      show: 'never',
    }),
    customer_type: oneOf(['new', 'returning']),
    language_code: text({ write: 'always', pattern: /^[a-z]{2}$/, default: 'en', filter: true, sort: true }),
    currency_code: currencyCode({ filter: true, sort: true }),
    tax_included: boolean({ filter: true, sort: true }),
    tax_rate: float({ filter: true, sort: true }),
    freight_taxable: boolean({ write: 'always', default: false }),
    payment_method_taxable: boolean({ write: 'always', default: false }),
    adjustment_taxable: boolean({ write: 'always', default: false }),
    gift_card_taxable: boolean({ write: 'always', default: false }),
    requires_billing_info: boolean(),
    country_code: oneOf(COUNTRIES, { filter: true, sort: true }),
    shipping_country_code_lock: oneOf(COUNTRIES, { write: 'always' }),
    coupon_code: text({ write: 'always', max: 255, filter: true, sort: true }),
    gift_card_code: text({ write: 'always', max: 255, filter: true, sort: true }),
    gift_card_or_coupon_code: computed(giftCardOrCouponCode, { write: 'always' }),
    subtotal_amount_cents: cents({ filter: true, sort: true }),
    shipping_amount_cents: cents({ filter: true, sort: true }),
    payment_method_amount_cents: cents({ filter: true, sort: true }),
    discount_amount_cents: cents({ filter: true, sort: true }),
    adjustment_amount_cents: cents({ filter: true, sort: true }),
    gift_card_amount_cents: cents({ filter: true, sort: true }),
    total_tax_amount_cents: cents({ filter: true, sort: true }),
    subtotal_tax_amount_cents: cents({ filter: true, sort: true }),
    shipping_tax_amount_cents: cents(),
    payment_method_tax_amount_cents: cents(),
    adjustment_tax_amount_cents: cents(),
    total_amount_cents: cents({ filter: true, sort: true }),
    total_taxable_amount_cents: cents(),
    subtotal_taxable_amount_cents: cents(),
    shipping_taxable_amount_cents: cents(),
    payment_method_taxable_amount_cents: cents(),
    adjustment_taxable_amount_cents: cents(),
    total_amount_with_taxes_cents: cents(),
    fees_amount_cents: cents({ filter: true, sort: true }),
    duty_amount_cents: cents({ filter: true, sort: true }),
    place_total_amount_cents: cents(),
    skus_count: integer(),
    line_item_options_count: integer(),
    shipments_count: integer(),
    tax_calculations_count: integer(),
    validations_count: integer(),
    errors_count: integer(),
    payment_source_details: object({ filter: true }),
    token: text({ filter: true }),
    cart_url: url(),
    return_url: url(),
    terms_url: url(),
    privacy_url: url(),
    checkout_url: text(),
    placed_at: instant({ imported: true, filter: true, sort: true }),
    approved_at: instant({ imported: true, filter: true, sort: true }),
    cancelled_at: instant({ imported: true, filter: true, sort: true }),
    payment_updated_at: instant({ imported: true, filter: true, sort: true }),
    fulfillment_updated_at: instant({ imported: true, filter: true, sort: true }),
    refreshed_at: instant({ filter: true, sort: true }),
    archived_at: instant({ filter: true, sort: true }),
    subscription_created_at: instant({ filter: true, sort: true }),
    expires_at: instant({ write: 'always', prohibited: true, filter: true, sort: true }),
    expiration_info: object({ write: 'always', prohibited: true }),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
    _pending: trigger({ prohibited: true, isCommand: true }),
    _place: trigger({ isCommand: true }),
    _start_editing: trigger({ prohibited: true, isCommand: true }),
    _stop_editing: trigger({ prohibited: true, isCommand: true }),
    _cancel: trigger({ isCommand: true }),
    _approve: trigger({ prohibited: true, isCommand: true }),
    _approve_and_capture: trigger({ prohibited: true, isCommand: true }),
    _capture: trigger({ prohibited: true, isCommand: true }),
    _refund: trigger({ prohibited: true, isCommand: true }),
    _fulfill: trigger({ prohibited: true, isCommand: true }),
    _authorize: trigger({ isCommand: true }),
    _authorization_amount_cents: trigger({ carries: 'integer', argumentOf: '_authorize' }),
    _fix_payment_source: trigger({ prohibited: true, isCommand: true }),
    _nullify_payment_source: trigger(),
    _customer_payment_source_id: trigger({ carries: 'text', action: 'use_wallet' }),
    _save_payment_source_to_customer_wallet: trigger({ isCommand: true }),
    _billing_address_clone_id: trigger({ carries: 'text', action: 'copy_address' }),
    _shipping_address_clone_id: trigger({ carries: 'text', action: 'copy_address' }),
    _billing_address_same_as_shipping: trigger({ action: 'copy_address' }),
    _shipping_address_same_as_billing: trigger({ action: 'copy_address' }),
    _save_billing_address_to_customer_address_book: trigger({ isCommand: true }),
    _save_shipping_address_to_customer_address_book: trigger({ isCommand: true }),
    _create_subscriptions: trigger({ isCommand: true }),
    _validate: trigger({ isCommand: true }),
    _archive: trigger(),
    _unarchive: trigger(),
    _reset_circuit: trigger({ prohibited: true }),
    _refresh: trigger({ action: 'recalculate' }),
    _refresh_prices: trigger({ prohibited: true, action: 'recalculate' }),
    _update_taxes: trigger({ action: 'recalculate' }),
    ...Object.fromEntries(
      Object.entries(WORKFLOW_TRIGGERS).map(([name, options]) => [
        name,
        trigger({ ...options, action: 'wait_for_workflow' }),
      ]),
    ),
    ...tagTriggers,
  },
  relationships: {
    market: toOne('markets', { write: 'always', include: true, filter: true, sort: true }),
    customer: toOne('customers', { write: 'always', include: true, filter: true, sort: true }),
    shipping_address: toOne('addresses', { write: 'always', include: true, filter: true }),
    billing_address: toOne('addresses', { write: 'always', include: true, filter: true }),
    store: toOne('stores', { write: 'always', include: true, filter: true, sort: true }),
    payment_method: toOne('payment_methods', { write: 'always', include: true, filter: true }),
    available_payment_methods: toMany('payment_methods', {
      virtual: 'order_available_payment_methods',
      include: true,
    }),
    default_payment_method: toOne('payment_methods', {
      virtual: 'order_default_payment_method',
      include: true,
    }),
    available_free_skus: toMany('skus', { virtual: 'order_available_free_skus', include: true }),
    payment_source: polymorphicToOne(PAYMENT_SOURCE_TYPES, { write: 'always', include: true, filter: true }),
    line_items: toMany('line_items', { inverse: 'order', include: true, filter: true }),
    default_shipping_method: toOne('shipping_methods', {
      virtual: 'order_default_shipping_method',
      include: true,
    }),
    available_customer_payment_sources: toMany('customer_payment_sources', {
      virtual: 'order_available_customer_payment_sources',
      include: true,
    }),
    available_free_bundles: noneOf('bundles', {}),
    discount_engine_item: toOne('discount_engine_items', {
      virtual: 'discount_engine_item_of_order',
      include: true,
      filter: true,
    }),
    line_item_options: toMany('line_item_options', {
      virtual: 'options_of_order',
      include: true,
      filter: true,
    }),
    stock_reservations: toMany('stock_reservations', { inverse: 'order', include: true, filter: true }),
    stock_line_items: toMany('stock_line_items', {
      virtual: 'of_shipments_of_order',
      include: true,
      filter: true,
    }),
    stock_transfers: toMany('stock_transfers', {
      virtual: 'of_shipments_of_order',
      include: true,
      filter: true,
    }),
    shipments: toMany('shipments', { inverse: 'order', include: true, filter: true }),
    payment_options: toMany('payment_options', { inverse: 'order', include: true, filter: true }),
    transactions: toMany('transactions', { inverse: 'order', include: true, filter: true, endpoint: false }),
    authorizations: toMany('authorizations', { inverse: 'order', include: true, filter: true }),
    captures: toMany('captures', { inverse: 'order', include: true, filter: true }),
    voids: toMany('voids', { inverse: 'order', include: true, filter: true }),
    refunds: toMany('refunds', { inverse: 'order', include: true, filter: true }),
    returns: toMany('returns', { inverse: 'order', include: true, filter: true }),
    order_subscription: toOne('order_subscriptions', { include: true, filter: true }),
    order_subscriptions: toMany('order_subscriptions', {
      inverse: 'source_order',
      include: true,
      filter: true,
    }),
    order_factories: toMany('order_factories', { inverse: 'source_order', include: true }),
    order_copies: toMany('order_copies', { inverse: 'source_order', include: true, filter: true }),
    recurring_order_copies: toMany('recurring_order_copies', {
      inverse: 'source_order',
      include: true,
      filter: true,
    }),
    notifications: toMany('notifications', { inverse: 'notifiable', include: true, filter: true }),
    links: toMany('links', { inverse: 'item', include: true, filter: true }),
    resource_errors: toMany('resource_errors', { inverse: 'resource', include: true, filter: true }),
    ...attachable,
    ...observed,
    ...tagged('order_id'),
    ...versioned,
  },
  actions: {
    ...tagAction,
    archive: (row, { now }) => ({ archived_at: row['archived_at'] ?? now }),
    unarchive: () => ({ archived_at: null }),
    reset_circuit: () => ({ circuit_state: 'closed', circuit_failure_count: 0 }),
    nullify_payment_source: () => ({ payment_source_type: null, payment_source_id: null }),
    // What the workflow does (order-workflow.ts).
    use_wallet: () => ({}),
    recalculate: () => ({}),
    copy_address: () => ({}),
    // The rule needsOrderWorkflow refuses every write that starts it.
    wait_for_workflow: () => ({}),
  },
  rules: [
    orderOfScope,
    changesOfOrder,
    enabledMarket,
    linksOfOrder,
    oneSourcePerAddress,
    oneSourceOfPayment,
    emailOfOrder,
    needsOrderWorkflow,
    oneCommand,
    hashPassword('customer_password', 'customer_password_hash'),
  ],
  onDelete: refuseWhile(({ status }) =>
    IN_THE_MAKING.includes(String(status))
      ? undefined
      : `An order can be deleted while it is ${IN_THE_MAKING.join(' or ')}; this one is ${String(status)}.`,
  ),
})
