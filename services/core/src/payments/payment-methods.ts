import { boolean, cents, instant, oneOf, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, currencyCode, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { currencyOfMarket } from '../markets/currency-of-market.ts'
import { limitsOfPaymentMethod } from './payment-method-limits.ts'
import { nameOfPaymentMethod } from './payment-method-name.ts'

export const PAYMENT_SOURCE_TYPES = [
  'adyen_payments',
  'axerve_payments',
  'braintree_payments',
  'checkout_com_payments',
  'external_payments',
  'klarna_payments',
  'paypal_payments',
  'satispay_payments',
  'stripe_payments',
  'wire_transfers',
]

/** A way to pay: offered by a store, by a market, or everywhere in its currency. */
export const paymentMethods = defineResource('payment_methods', {
  summary: 'A way to pay, with its price.',
  model: 'paymentMethod',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name({ required: false }),
    payment_source_type: oneOf(PAYMENT_SOURCE_TYPES, {
      write: 'always',
      required: true,
      filter: true,
      sort: true,
    }),
    currency_code: currencyCode({ write: 'always', filter: true, sort: true }),
    moto: boolean({ write: 'always', default: false }),
    require_capture: boolean({ write: 'always', default: true }),
    auto_place: boolean({ write: 'always', default: false }),
    auto_capture: boolean({ write: 'always', default: false }),
    price_amount_cents: cents({ write: 'always', required: true, min: 0, filter: true, sort: true }),
    auto_capture_max_amount_cents: cents({ write: 'always', min: 0 }),
    disabled_at: instant({ filter: true, sort: true }),
    _disable: trigger({ write: 'always' }),
    _enable: trigger({ write: 'always' }),
  },
  relationships: {
    market: toOne('markets', { write: 'always', include: true, filter: true, sort: true }),
    payment_gateway: toOne('payment_gateways', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
    }),
    store: toOne('stores', { write: 'always', include: true, filter: true, sort: true }),
    ...attachable,
    ...versioned,
  },
  actions: switchable,
  rules: [nameOfPaymentMethod, currencyOfMarket, limitsOfPaymentMethod],
})
