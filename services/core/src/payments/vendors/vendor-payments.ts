/**
 * What is to be paid with a vendor, as one table of kinds. What only a reply of the vendor would say has a column, so that it can be
 * shown and filtered, and stays null: nothing calls the vendor.
 */
import { boolean, instant, integer, list, object, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import type { Attribute, AttributeOptions } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, email, url } from '../../definitions/shapes.ts'
import { versioned } from '../../definitions/shared-relationships.ts'
import type { Command } from '../../engine/write/commands.ts'
import { refusedCommand } from '../../outside/not-called.ts'
import { noCardNumbers } from '../wallet/no-card-numbers.ts'
import { INSTEAD_OF_VENDORS, sourceTypeOf, VENDORS } from './vendors.ts'
import type { ByVendor, Vendor } from './vendors.ts'

interface Kind {
  readonly title: string
  readonly attributes: Readonly<Record<string, Attribute>>
  /** What the vendor would be called for. */
  readonly triggers?: readonly `_${string}`[]
  /** Whether filters may follow its gateway. Default: they may not. */
  readonly isGatewayFiltered?: true
}

/** A token, or a name that the vendor gave. */
const token = (options: AttributeOptions = {}): Attribute => text({ max: 4096, ...options })

const KINDS: ByVendor<Kind> = {
  adyen: {
    title: 'Adyen',
    attributes: {
      public_key: token(),
      payment_methods: object(),
      payment_request_data: object({ write: 'update' }),
      payment_request_details: object({ write: 'update' }),
      payment_response: object(),
      mismatched_amounts: boolean(),
      balance: integer({ default: 0 }),
      expires_at: instant(),
    },
    triggers: ['_authorize', '_details', '_balance'],
  },
  axerve: {
    title: 'Axerve',
    attributes: {
      login: token(),
      return_url: url({ write: 'create', required: true }),
      payment_request_data: object({ write: 'update' }),
      client_ip: text({ write: 'create', max: 45, pattern: /^[0-9a-fA-F.:]+$/ }),
      buyer_details: object({ write: 'create' }),
      request_token: boolean({ write: 'create', default: false }),
      mismatched_amounts: boolean(),
    },
    triggers: ['_update'],
  },
  braintree: {
    title: 'Braintree',
    attributes: {
      client_token: token(),
      payment_method_nonce: token({ write: 'update' }),
      payment_id: token({ write: 'always' }),
      local: boolean({ write: 'always' }),
      options: object({ write: 'always' }),
    },
  },
  checkout_com: {
    title: 'Checkout.com',
    attributes: {
      public_key: token(),
      token: token({ write: 'always', required: true }),
      payment_session: object(),
      success_url: url({ write: 'create', required: true }),
      failure_url: url({ write: 'create', required: true }),
      source_id: token(),
      customer_token: token(),
      redirect_uri: token(),
      payment_response: object(),
      mismatched_amounts: boolean(),
    },
    triggers: ['_authorize', '_details', '_refresh'],
  },
  klarna: {
    title: 'Klarna',
    attributes: {
      session_id: token(),
      client_token: token(),
      payment_methods: list(),
      auth_token: token({ write: 'update' }),
      mismatched_amounts: boolean({ filter: true }),
    },
    triggers: ['_update'],
  },
  paypal: {
    title: 'PayPal',
    attributes: {
      return_url: url({ write: 'create', required: true }),
      cancel_url: url({ write: 'create', required: true }),
      note_to_payer: text({ write: 'create', max: 255 }),
      paypal_payer_id: token({ write: 'update' }),
      name: text(),
      paypal_id: token(),
      status: oneOf(['created', 'approved']),
      approval_url: url({ write: 'never' }),
      mismatched_amounts: boolean(),
    },
    isGatewayFiltered: true,
  },
  satispay: {
    title: 'Satispay',
    attributes: {
      payment_id: token({ filter: true, sort: true }),
      flow: text({ write: 'create', max: 255, default: 'MATCH_CODE', filter: true, sort: true }),
      status: text({ filter: true, sort: true }),
      redirect_url: url(),
      payment_url: url({ write: 'never' }),
      payment_response: object(),
    },
    triggers: ['_refresh'],
    isGatewayFiltered: true,
  },
  stripe: {
    title: 'Stripe',
    attributes: {
      stripe_id: token({ write: 'create' }),
      client_secret: token({ write: 'create' }),
      connected_account: token(),
      charge_id: token(),
      publishable_key: token(),
      on_behalf_of: token(),
      transfer_group: token(),
      options: object({ write: 'always' }),
      payment_method: object(),
      mismatched_amounts: boolean(),
      return_url: url(),
      receipt_email: email({ write: 'create' }),
    },
    triggers: ['_update', '_refresh'],
  },
}

const paymentOf = (vendor: Vendor): ResourceDefinition => {
  const { title, attributes, triggers = [], isGatewayFiltered = false } = KINDS[vendor]
  const type = sourceTypeOf(vendor)
  return defineResource(type, {
    summary: `A payment source of ${title}, which Merx stores and does not call.`,
    model: type.slice(0, -1).replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase()),
    operations: ALL_OPERATIONS,
    scope: 'environment',
    attributes: {
      ...attributes,
      payment_instrument: object(),
      ...Object.fromEntries(triggers.map((name) => [name, trigger({ isCommand: true })])),
    },
    relationships: {
      order: toOne('orders', { write: 'always', required: true, include: true, filter: true, sort: true }),
      payment_gateway: toOne('payment_gateways', { include: true, filter: isGatewayFiltered }),
      ...versioned,
    },
    rules: [noCardNumbers],
  })
}

export const vendorPayments: readonly ResourceDefinition[] = VENDORS.map(paymentOf)

/** Type → its commands, all of which are refused: each would call the vendor. */
export const vendorCommands: Readonly<Record<string, readonly Command[]>> = Object.fromEntries(
  VENDORS.map((vendor) => {
    const type = sourceTypeOf(vendor)
    const triggers = KINDS[vendor].triggers ?? []
    return [type, triggers.map((name) => refusedCommand(type, name, INSTEAD_OF_VENDORS))]
  }),
)
