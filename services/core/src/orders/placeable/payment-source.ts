import { VENDOR_SOURCES, vendorNotCalled } from '../../payments/vendors/vendors.ts'
import type { PlaceableCheck } from './facts.ts'

/** An order that costs something has a payment source of the type that its payment method wants, and of no vendor. */
export const paymentSource: PlaceableCheck = ({ order, paymentMethod: method }) => {
  if (order.total_amount_with_taxes_cents === 0 || method === undefined) return []
  const at = { relationship: 'payment_source' }
  const type = order.payment_source_type
  if (type === null || order.payment_source_id === null)
    return [{ at, error: 'blank', message: "can't be blank" }]
  if (type === method.sourceType) return VENDOR_SOURCES.includes(type) ? [vendorNotCalled(type, at)] : []
  const message = `must be of ${method.sourceType}, which the payment method wants; it is of ${type}`
  return [{ at, error: 'invalid', message, value: type }]
}
