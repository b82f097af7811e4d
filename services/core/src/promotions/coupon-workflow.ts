/** Writes of coupons: the length of the code, and whom the coupon is for. */
import { columnsOf } from '../engine/database/rows.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { violationOfLength } from './code-length.ts'
import { completeRecipient } from './recipients.ts'

const RECIPIENT = { type: 'coupon_recipients', relationship: 'coupon_recipient' } as const

export const couponWorkflow: WriteWorkflow = {
  completesFrom: ['code', 'recipient_email', 'coupon_recipient'],

  complete: async (after, before, request, step) => {
    const { code = '' } = columnsOf('Coupon', after)
    const isNewCode = before?.['code'] !== code
    const length = isNewCode ? await violationOfLength('coupons', code, step) : undefined
    if (length !== undefined) return { violations: [length] }
    return completeRecipient(after, request, RECIPIENT, step)
  },
}
