import type { PlaceableCheck } from './facts.ts'

/** An order that costs something has a payment method that it may still use. */
export const paymentMethod: PlaceableCheck = ({ order, paymentMethod: method }) => {
  if (order.total_amount_with_taxes_cents === 0) return []
  const at = { relationship: 'payment_method' }
  if (method === undefined) return [{ at, error: 'blank', message: "can't be blank" }]
  if (method.isOffered) return []
  const message = 'is not among the available payment methods of the order'
  return [{ at, error: 'unavailable', message, value: method.name }]
}
