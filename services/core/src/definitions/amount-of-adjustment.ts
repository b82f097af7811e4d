import type { WriteViolation } from '@merx/jsonapi/rules'

/** Whatever is of an adjustment costs what the adjustment says. */
export const amountOfAdjustment: WriteViolation = {
  at: { attribute: 'unit_amount_cents' },
  error: 'invalid',
  message: 'cannot be sent, because it is the amount of the adjustment',
}
