/** `coupon_code` of an order: a code is accepted when it is that of a coupon that the order can use. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'
import { findCoupons, problemOfCode, toOrderOfCoupon } from '../promotions/valid-coupons.ts'

/** Blank and null are the same: no coupon. */
export const codeOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * What stands against the code that the order has. `at` is the member that named it. Undefined also where the setting
 * `orders_invalid_coupon_errors` is off: the code is kept, and brings nothing until it is valid.
 */
export const violationOfCoupon = async (
  order: Row,
  at: NonNullable<WriteViolation['at']>,
  step: Pick<WorkflowStep, 'run' | 'scope' | 'now'>,
): Promise<WriteViolation | undefined> => {
  const code = codeOf(columnsOf('Order', order).coupon_code)
  if (code === null) return undefined
  const problem = problemOfCode(await findCoupons(toOrderOfCoupon({ ...order, coupon_code: code }), step))
  if (problem === undefined || (await readSetting('orders_invalid_coupon_errors', step)) === false)
    return undefined
  return { at, ...problem, value: code }
}
