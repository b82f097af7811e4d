import type { PlaceableCheck } from './facts.ts'

/** An order with a deadline is placed before it (lifecycles.md 1.8). */
export const expiry: PlaceableCheck = ({ order, now }) =>
  order.expires_at === null || order.expires_at > now
    ? []
    : [
        {
          at: { attribute: 'expires_at' },
          error: 'expired',
          message: 'has passed',
          value: order.expires_at.toISOString(),
        },
      ]
