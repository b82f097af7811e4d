import { AppError } from '@merx/errors/app-error'
import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import { EDITABLE, IN_THE_MAKING } from './order-states.ts'

/** What describes an order and decides nothing: no total, no state. It may change at any time. */
export const DESCRIPTIVE: readonly string[] = [
  'number',
  'reference',
  'reference_origin',
  'metadata',
  'affiliate_code',
  'language_code',
  'cart_url',
  'return_url',
  'terms_url',
  'privacy_url',
  '_archive',
  '_unarchive',
  '_reset_circuit',
  'tags',
  '_add_tags',
  '_remove_tags',
]

/** Statuses in which the others may change; the order workflows have the rest (unsupported-triggers.ts). */
export const CHANGEABLE_IN: Readonly<Record<string, readonly string[]>> = {
  autorefresh: EDITABLE,
  place_async: EDITABLE,
  freight_taxable: EDITABLE,
  payment_method_taxable: EDITABLE,
  adjustment_taxable: EDITABLE,
  gift_card_taxable: EDITABLE,
  shipping_country_code_lock: EDITABLE,
  expires_at: EDITABLE,
  expiration_info: EDITABLE,
  shipping_address: EDITABLE,
  billing_address: EDITABLE,
  _billing_address_clone_id: EDITABLE,
  _shipping_address_clone_id: EDITABLE,
  _billing_address_same_as_shipping: EDITABLE,
  _shipping_address_same_as_billing: EDITABLE,
  payment_method: EDITABLE,
  payment_source: EDITABLE,
  _nullify_payment_source: EDITABLE,
  coupon_code: EDITABLE,
  gift_card_code: EDITABLE,
  gift_card_or_coupon_code: EDITABLE,
  _customer_payment_source_id: EDITABLE,
  _refresh: EDITABLE,
  _refresh_prices: EDITABLE,
  _update_taxes: EDITABLE,
  market: IN_THE_MAKING,
  guest: IN_THE_MAKING,
  customer: IN_THE_MAKING,
  customer_email: IN_THE_MAKING,
  customer_password: IN_THE_MAKING,
  store: IN_THE_MAKING,
}

const RELATIONSHIPS: readonly string[] = [
  'market',
  'customer',
  'store',
  'shipping_address',
  'billing_address',
  'payment_method',
  'payment_source',
  'tags',
]

/** Where a fault points that is about this member of an order. */
export const memberOfOrder = (name: string): NonNullable<WriteViolation['at']> =>
  RELATIONSHIPS.includes(name) ? { relationship: name } : { attribute: name }

/**
 * Sales channels change orders while they are in the making (lifecycles.md 1.2), customers only their own; what was
 * true before the row was locked is checked again here. Everybody else changes what the status leaves open.
 */
export const changesOfOrder: Rule = ({ operation, before, sent, writer }) => {
  if (operation === 'create' || writer.isImport === true) return {}
  const { status = '', customer_id: customer } = columnsOf('Order', before ?? {})
  const isOthers = writer.customer !== undefined && customer !== writer.customer
  if (writer.isSalesChannel && (isOthers || !IN_THE_MAKING.includes(status))) {
    throw new AppError('unauthorized')
  }
  const violations = Object.entries(CHANGEABLE_IN)
    .filter(([name, statuses]) => sent.has(name) && !statuses.includes(status))
    .map(([name, statuses]): WriteViolation => ({
      at: memberOfOrder(name),
      error: 'not_editable',
      message: `cannot be changed on an order that is ${status}, only while it is ${statuses.join(' or ')}`,
    }))
  return violations.length === 0 ? {} : { violations }
}
