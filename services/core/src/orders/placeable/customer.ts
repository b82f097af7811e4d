import type { PlaceableCheck } from './facts.ts'

/** Somebody orders. */
export const customer: PlaceableCheck = ({ order }) =>
  order.customer_id !== null || (order.customer_email ?? '') !== ''
    ? []
    : [{ at: { attribute: 'customer_email' }, error: 'blank', message: "can't be blank" }]
