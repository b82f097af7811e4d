import type { PlaceableCheck } from './facts.ts'

/** There is somebody to bill, with billing information where the order requires it. */
export const billingAddress: PlaceableCheck = ({ order, billingAddress: address }) => {
  const at = { relationship: 'billing_address' }
  if (address === undefined) return [{ at, error: 'blank', message: "can't be blank" }]
  if (!order.requires_billing_info || (address.billing_info ?? '').trim() !== '') return []
  return [{ at, error: 'billing_info_blank', message: 'must have billing_info, which the order requires' }]
}
