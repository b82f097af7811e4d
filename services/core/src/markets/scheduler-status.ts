/** What time does to a price list scheduler: when its status changes next, and which events tell of it. */
import { validityAt } from '../definitions/validity.ts'
import type { RowOf } from '../engine/database/rows.ts'

export type Scheduler = RowOf<'PriceListScheduler'>

type Period = Pick<Scheduler, 'starts_at' | 'expires_at' | 'disabled_at'>

/** Null when time alone changes nothing any more. */
export const nextChangeOf = (period: Period, now: Date): Date | null => {
  switch (validityAt(period, now)) {
    case 'pending':
      return period.starts_at
    case 'active':
      return period.expires_at
    case 'expired':
    case 'disabled':
      return null
  }
}

/** The status that was acted on when the row was written last, whatever the time is now. */
const actedOn = ({
  status_changes_at: at,
  starts_at: startsAt,
}: Scheduler): 'pending' | 'active' | 'over' => {
  if (at === null) return 'over'
  return at.getTime() === startsAt.getTime() ? 'pending' : 'active'
}

/** The topics of the change to `after`; `before` is the row as it was written last, undefined when it is new. */
export const topicsOf = (before: Scheduler | undefined, after: Period, now: Date): readonly string[] => {
  const was = before === undefined ? 'over' : actedOn(before)
  const status = validityAt(after, now)
  if (status === 'active' && was !== 'active') return ['price_list_schedulers.activated']
  return status === 'expired' && was !== 'over' ? ['price_list_schedulers.expired'] : []
}
