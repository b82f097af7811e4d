import type { Rule } from '@merx/jsonapi/rules'
import { addMonths } from '../definitions/months.ts'
import { columnsOf } from '../engine/database/rows.ts'

/** A link without dates, or whose dates are emptied, holds from now on, and a month from its start. */
export const datesOfLink: Rule = ({ after, sent, now }) => {
  const { starts_at: startsAt, expires_at: expiresAt } = columnsOf('Link', after)
  // A date that is no date was refused already.
  const isUnset = (name: string, value: Date | null | undefined): boolean =>
    value === null || (value === undefined && !sent.has(name))
  const start = isUnset('starts_at', startsAt) ? now : startsAt
  const end = isUnset('expires_at', expiresAt) && start instanceof Date ? addMonths(start, 1) : expiresAt
  return {
    set: {
      ...(start === startsAt ? {} : { starts_at: start }),
      ...(end === expiresAt ? {} : { expires_at: end }),
    },
  }
}
