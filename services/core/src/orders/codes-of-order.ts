/** The codes of an order: `coupon_code`, `gift_card_code`, and `gift_card_or_coupon_code`, which may be either. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { columnsOf } from '../engine/database/rows.ts'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'
import { codeOf, violationOfCoupon } from './coupon-of-order.ts'
import { checkGiftCard } from './gift-card-of-order.ts'

const EITHER = 'gift_card_or_coupon_code'

type Step = Pick<WorkflowStep, 'run' | 'scope' | 'now'>

/** What `gift_card_or_coupon_code` shows. */
export const giftCardOrCouponCode = (row: Row): unknown => row['gift_card_code'] ?? row['coupon_code'] ?? null

/** A code that is sent must be one that the order can use. A member that says what it is wins over the one that does not. */
export const codesOfOrder = async (
  after: Row,
  before: Row | undefined,
  { attributes }: Pick<WriteRequest, 'attributes'>,
  step: Step,
): Promise<Completion> => {
  const isNamed = attributes.has('coupon_code') || attributes.has('gift_card_code')
  if (!isNamed) return attributes.has(EITHER) ? eitherCode(after, before, attributes.get(EITHER), step) : {}
  const coupon = attributes.has('coupon_code') ? await couponCode(after, before, step) : {}
  const giftCard = attributes.has('gift_card_code') ? await giftCardCode(after, before, step) : {}
  const violations = [...(coupon.violations ?? []), ...(giftCard.violations ?? [])]
  return violations.length > 0 ? { violations } : { set: { ...coupon.set, ...giftCard.set } }
}

const couponCode = async (after: Row, before: Row | undefined, step: Step): Promise<Completion> => {
  const set = { coupon_code: codeOf(after['coupon_code']) }
  if (set.coupon_code === (before?.['coupon_code'] ?? null)) return { set }
  const violation = await violationOfCoupon({ ...after, ...set }, { attribute: 'coupon_code' }, step)
  return violation === undefined ? { set } : { violations: [violation] }
}

const giftCardCode = async (after: Row, before: Row | undefined, step: Step): Promise<Completion> => {
  const sent = codeOf(after['gift_card_code'])
  if (sent === null || sent === before?.['gift_card_code']) return { set: { gift_card_code: sent } }
  const { code, violation } = await checkGiftCard(after, sent, { attribute: 'gift_card_code' }, step)
  return violation === undefined ? { set: { gift_card_code: code } } : { violations: [violation] }
}

/** Looked up as a gift card, then as a coupon. None takes away the one that is shown. */
const eitherCode = async (
  after: Row,
  before: Row | undefined,
  sent: unknown,
  step: Step,
): Promise<Completion> => {
  const value = sent ?? ''
  const at = { attribute: EITHER }
  if (value === (giftCardOrCouponCode(before ?? {}) ?? '')) return {}
  if (typeof value !== 'string') return refused({ at, error: 'invalid', message: 'must be a string', value })
  const { gift_card_code: giftCard = null } = columnsOf('Order', before ?? {})
  if (value === '') return { set: giftCard === null ? { coupon_code: null } : { gift_card_code: null } }
  const found = await checkGiftCard(after, value, at, step)
  if (found.isKnown)
    return found.violation === undefined ? { set: { gift_card_code: found.code } } : refused(found.violation)
  const set = { coupon_code: value }
  const violation = await violationOfCoupon({ ...after, ...set }, at, step)
  if (violation === undefined) return { set }
  return refused(violation.error === 'noent_coupon' ? { ...violation, error: 'noent' } : violation)
}

const refused = (violation: WriteViolation): Completion => ({ violations: [violation] })
