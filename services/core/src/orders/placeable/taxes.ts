import type { PlaceableCheck } from './facts.ts'

/** An order that costs something has taxes that somebody calculated. */
export const taxes: PlaceableCheck = ({ order, taxes: violation }) =>
  order.total_amount_with_taxes_cents === 0 || violation === undefined ? [] : [violation]
