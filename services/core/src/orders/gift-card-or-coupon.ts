/** `gift_card_or_coupon_code`: one field for a code that is looked up as a gift card, then as a coupon. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'

const NAME = 'gift_card_or_coupon_code'

/** What the order has. */
export const giftCardOrCouponCode = (row: Row): unknown => row['gift_card_code'] ?? row['coupon_code'] ?? null

/** Neither gift cards nor coupons can be made yet, so no code leads to one; the order keeps the code it has. */
export const refusedCode = (
  order: Row | undefined,
  { attributes }: Pick<WriteRequest, 'attributes'>,
): WriteViolation | undefined => {
  const value = attributes.get(NAME) ?? ''
  const code = giftCardOrCouponCode(order ?? {}) ?? ''
  if (!attributes.has(NAME) || value === code) return undefined
  const at = { attribute: NAME }
  if (typeof value !== 'string') return { at, error: 'invalid', message: 'must be a string', value }
  return value === ''
    ? { at, error: 'not_supported', message: 'cannot be changed on an order yet' }
    : { at, error: 'noent', message: "doesn't exist", value }
}
