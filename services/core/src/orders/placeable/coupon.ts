import type { PlaceableCheck } from './facts.ts'

/** A coupon that the order names can be used for it, while the setting `orders_invalid_coupon_errors` is on. */
export const coupon: PlaceableCheck = ({ coupon: violation }) => (violation === undefined ? [] : [violation])
