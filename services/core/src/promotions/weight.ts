/** What promotions are sorted by: exclusive ones first, then priority, then type, then the earlier start (docs/adr/0110). */
import type { Rule } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import { PROMOTION_TYPES } from './promotion-types.ts'
import type { PromotionType } from './promotion-types.ts'

/** A lower number goes before; without one a promotion goes after all that have one. */
export const PRIORITY_MAX = 999_999

const PRIORITIES = PRIORITY_MAX + 2
/** Places for types, so that a new one changes no weight of the others. */
const TYPES = 10
/** Minutes since 1970, up to the year 2160. */
const MINUTES = 100_000_000

export interface Weighed {
  readonly exclusive: boolean
  readonly priority: number | null
  readonly type: PromotionType
  readonly startsAt: Date
}

/** A whole number below 2^53; the promotion with the higher one applies first. */
export const weightOf = ({ exclusive, priority, type, startsAt }: Weighed): number => {
  const minute = Math.min(MINUTES - 1, Math.max(0, Math.floor(startsAt.getTime() / 60_000)))
  const byPriority = PRIORITIES - 1 - (priority ?? PRIORITY_MAX + 1)
  const byType = TYPES - 1 - PROMOTION_TYPES.indexOf(type)
  const isFirst = exclusive ? 1 : 0
  return ((isFirst * PRIORITIES + byPriority) * TYPES + byType) * MINUTES + (MINUTES - 1 - minute)
}

/** Keeps the weight of a promotion of this type in step with what it follows from. */
export const weighed =
  (type: PromotionType): Rule =>
  ({ after }) => {
    const { exclusive, priority = null, starts_at: startsAt } = columnsOf('Promotion', after)
    // That a start is missing or none was said already.
    if (!(startsAt instanceof Date)) return {}
    return { set: { weight: weightOf({ exclusive: exclusive ?? false, priority, type, startsAt }) } }
  }
