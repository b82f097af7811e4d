/** Why an amount of money cannot be moved: it is not between 1 and what there is. */
import type { WriteViolation } from '@merx/jsonapi/rules'

/** Undefined when the amount is within. `message` says what `most` is. */
export const outOfRange = (
  wanted: number,
  most: number,
  message: string,
  attribute: string,
): WriteViolation | undefined => {
  if (wanted >= 1 && wanted <= most) return undefined
  return {
    at: { attribute },
    error: wanted < 1 ? 'greater_than_or_equal_to' : 'less_than_or_equal_to',
    message,
    value: wanted,
    count: wanted < 1 ? 1 : most,
  }
}
