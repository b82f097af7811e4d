/** Whether a promotion is in force, as its attributes `status` and `active` say it (lifecycles.md 7). */
import type { Row } from '@merx/jsonapi/attributes'
import { VALIDITY_STATUSES, validityAt } from '../definitions/validity.ts'
import { rowOf } from '../engine/database/rows.ts'

export const PROMOTION_STATUSES = [...VALIDITY_STATUSES, 'inactive'] as const

/** A promotion that was used as often as it may be is inactive. */
export const statusOf = (row: Row, now: Date): (typeof PROMOTION_STATUSES)[number] => {
  const promotion = rowOf('Promotion', row)
  const status = validityAt(promotion, now)
  return status === 'active' && promotion.total_usage_reached === true ? 'inactive' : status
}
