/** The payment vendors whose credentials Merx keeps and whom it does not call (docs/adr/0118-vendor-types-are-stored.md). */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { notCalled } from '../../outside/not-called.ts'

export const VENDORS = [
  'adyen',
  'axerve',
  'braintree',
  'checkout_com',
  'klarna',
  'paypal',
  'satispay',
  'stripe',
] as const

export type Vendor = (typeof VENDORS)[number]

/** What one vendor's own attributes and relationships are, by vendor. */
export type ByVendor<Value> = Readonly<Record<Vendor, Value>>

export const gatewayTypeOf = (vendor: Vendor): string => `${vendor}_gateways`

export const sourceTypeOf = (vendor: Vendor): string => `${vendor}_payments`

export const VENDOR_GATEWAYS = VENDORS.map(gatewayTypeOf)

export const VENDOR_SOURCES = VENDORS.map(sourceTypeOf)

export const INSTEAD_OF_VENDORS = 'external_gateways, which call a service of your own, or manual_gateways'

/** Why the vendor of a gateway or payment source moves no money. */
export const vendorNotCalled = (type: string, at: NonNullable<WriteViolation['at']>): WriteViolation =>
  notCalled(type, at, INSTEAD_OF_VENDORS)
