import type { PlaceableCheck } from './facts.ts'

/** What is shipped has an address, in the country that the order is locked to. */
export const shippingAddress: PlaceableCheck = ({ order, skus, shippingAddress: address }) => {
  if (!skus.some(({ isShipped }) => isShipped)) return []
  const at = { relationship: 'shipping_address' }
  if (address === undefined) return [{ at, error: 'blank', message: "can't be blank" }]
  const lock = order.shipping_country_code_lock
  if (lock === null || address.country_code === lock) return []
  const message = `must be in ${lock}, the shipping_country_code_lock of the order`
  return [{ at, error: 'country_locked', message, value: address.country_code }]
}
