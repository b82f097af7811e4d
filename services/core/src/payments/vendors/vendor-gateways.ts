/** The gateways of payment vendors, as one table of kinds: their credentials are sealed, and nothing calls the vendors. */
import { boolean, computed, instant, integer, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import type { Attribute, AttributeOptions } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import type { Rule } from '@merx/jsonapi/rules'
import { refuseWhileReferencedBy, switchable } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, credential, name, url } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import { gatewayTypeOf, sourceTypeOf, VENDORS } from './vendors.ts'
import type { ByVendor, Vendor } from './vendors.ts'

interface Kind {
  readonly title: string
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly forcesPayments?: true
  readonly rules?: readonly Rule[]
  /** Whether filters may follow its payments. Default: they may. */
  readonly arePaymentsFiltered?: false
}

/** No vendor is given an address to call, because nothing would listen there. */
const webhookEndpointUrl = (): Attribute => computed(() => null)

/** What only confidential credentials read. */
const endpointSecret = (options: AttributeOptions = {}): Attribute =>
  text({ max: 4096, secret: true, sealed: true, ...options })

const identifier = (options: AttributeOptions = {}): Attribute =>
  text({ write: 'always', max: 255, ...options })

/** Notifications of Adyen are signed with it. */
const secretWhenAsync: Rule = ({ after }) =>
  after['async_api'] === true && (after['sealed_webhook_endpoint_secret'] ?? null) === null
    ? {
        violations: [
          {
            at: { attribute: 'webhook_endpoint_secret' },
            error: 'blank',
            message: "can't be blank while async_api is true",
          },
        ],
      }
    : {}

const MINUTES_OF_A_YEAR = 527_040

const KINDS: ByVendor<Kind> = {
  adyen: {
    title: 'Adyen',
    attributes: {
      merchant_account: credential(),
      api_key: credential(),
      public_key: credential({ required: false }),
      live_url_prefix: identifier({ required: true }),
      api_version: integer({ write: 'always', min: 66, max: 71, default: 71 }),
      async_api: boolean({ write: 'always', default: false }),
      partial_payments: boolean({ write: 'always', default: false }),
      order_expiration_mins: integer({ write: 'always', min: 1, max: MINUTES_OF_A_YEAR, default: 1440 }),
      native_customer_payment_sources: boolean({ write: 'always', default: false }),
      webhook_endpoint_secret: endpointSecret({ write: 'always' }),
      webhook_endpoint_url: webhookEndpointUrl(),
    },
    rules: [secretWhenAsync],
  },
  axerve: {
    title: 'Axerve',
    attributes: {
      login: identifier({ required: true }),
      api_key: credential(),
      webhook_endpoint_url: webhookEndpointUrl(),
    },
  },
  braintree: {
    title: 'Braintree',
    attributes: {
      merchant_account_id: credential(),
      merchant_id: credential(),
      public_key: credential(),
      private_key: credential(),
      descriptor_name: identifier({ max: 22 }),
      descriptor_phone: identifier({ max: 14 }),
      descriptor_url: url(),
      webhook_endpoint_url: webhookEndpointUrl(),
    },
  },
  checkout_com: {
    title: 'Checkout.com',
    attributes: {
      secret_key: credential(),
      public_key: credential(),
      webhook_endpoint_id: text(),
      webhook_endpoint_secret: endpointSecret(),
      webhook_endpoint_url: webhookEndpointUrl(),
    },
  },
  klarna: {
    title: 'Klarna',
    attributes: {
      country_code: oneOf(['EU', 'US', 'OC'], {
        write: 'always',
        required: true,
        show: 'never',
        sealed: true,
      }),
      api_key: credential(),
      api_secret: credential(),
    },
  },
  paypal: {
    title: 'PayPal',
    attributes: { client_id: credential(), client_secret: credential() },
  },
  satispay: {
    title: 'Satispay',
    attributes: {
      token: endpointSecret({ write: 'create', required: true }),
      key_id: text(),
      webhook_endpoint_url: webhookEndpointUrl(),
    },
  },
  stripe: {
    title: 'Stripe',
    forcesPayments: true,
    arePaymentsFiltered: false,
    attributes: {
      login: credential({ write: 'create' }),
      publishable_key: credential({ write: 'create', required: false }),
      connected_account: identifier(),
      auto_payments: boolean({ write: 'always', default: false }),
      webhook_endpoint_id: text(),
      webhook_endpoint_secret: endpointSecret(),
      webhook_endpoint_url: webhookEndpointUrl(),
    },
  },
}

const gatewayOf = (vendor: Vendor): ResourceDefinition => {
  const { title, attributes, forcesPayments = false, rules = [], arePaymentsFiltered = true } = KINDS[vendor]
  const payments = sourceTypeOf(vendor)
  return defineResource(gatewayTypeOf(vendor), {
    summary: `The account of the shop at ${title}, which Merx stores and does not call.`,
    model: 'paymentGateway',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'payment_gateways',
    attributes: {
      name: name(),
      force_payments: boolean({ write: 'always', default: forcesPayments }),
      disabled_at: instant({ filter: true, sort: true }),
      ...attributes,
      _disable: trigger({ write: 'always' }),
      _enable: trigger({ write: 'always' }),
    },
    relationships: {
      payment_methods: toMany('payment_methods', { inverse: 'payment_gateway', include: true, filter: true }),
      [payments]: toMany(payments, {
        inverse: 'payment_gateway',
        include: true,
        filter: arePaymentsFiltered,
      }),
      ...versioned,
    },
    actions: switchable,
    rules,
    onDelete: refuseWhileReferencedBy('payment_methods', payments),
  })
}

export const vendorGateways: readonly ResourceDefinition[] = VENDORS.map(gatewayOf)
