/** What an order needs to be placed (lifecycles.md 1.3). */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { amounts } from './amounts.ts'
import { billingAddress } from './billing-address.ts'
import { ceiling } from './ceiling.ts'
import { coupon } from './coupon.ts'
import { customer } from './customer.ts'
import { expiry } from './expiry.ts'
import type { PlaceableCheck, PlaceableFacts } from './facts.ts'
import { giftCard } from './gift-card.ts'
import { goods } from './goods.ts'
import { paymentMethod } from './payment-method.ts'
import { paymentSource } from './payment-source.ts'
import { sellable } from './sellable.ts'
import { shippingAddress } from './shipping-address.ts'
import { shippingMethods } from './shipping-methods.ts'
import { stock } from './stock.ts'
import { taxes } from './taxes.ts'

/** In the order in which the violations are reported. */
const CHECKS: readonly PlaceableCheck[] = [
  goods,
  sellable,
  stock,
  customer,
  billingAddress,
  shippingAddress,
  shippingMethods,
  paymentMethod,
  paymentSource,
  taxes,
  coupon,
  giftCard,
  expiry,
  amounts,
]

/** What an order that was edited needs; who buys and how it is paid were settled when it was placed. */
const EDITED_CHECKS: readonly PlaceableCheck[] = [
  goods,
  sellable,
  stock,
  shippingAddress,
  shippingMethods,
  ceiling,
  amounts,
]

export const editedViolationsOf = (facts: PlaceableFacts): readonly WriteViolation[] =>
  EDITED_CHECKS.flatMap((check) => check(facts))

/** Of all checks, so that one answer lists everything that is missing. */
export const violationsOf = (facts: PlaceableFacts): readonly WriteViolation[] =>
  CHECKS.flatMap((check) => check(facts))
