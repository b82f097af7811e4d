/** When a subscription runs next, and when that is announced: what follows from its frequency, anchor and end. */
import type { RowOf } from '../engine/database/rows.ts'
import { nextRunAfter } from './frequency.ts'

type Subscription = Pick<
  RowOf<'OrderSubscription'>,
  'frequency' | 'anchor_at' | 'expires_at' | 'renewal_alert_period'
>

export interface Schedule {
  readonly next_run_at: Date | null
  readonly renewal_alert_at: Date | null
}

export const UNSCHEDULED: Schedule = { next_run_at: null, renewal_alert_at: null }

const HOUR_MS = 3_600_000

/** The first time of the rhythm after `after`; none from `expires_at` on, or of a crontab that has no more. */
export const scheduleAfter = (subscription: Subscription, after: Date): Schedule => {
  const { frequency, anchor_at: anchor } = subscription
  if (anchor === null) return UNSCHEDULED
  return scheduleAt(subscription, nextRunAfter(frequency, anchor, after))
}

/** At this time, unless that is too late. */
export const scheduleAt = (
  { expires_at: end, renewal_alert_period: hours }: Subscription,
  next: Date | undefined,
): Schedule => {
  if (next === undefined || (end !== null && next >= end)) return UNSCHEDULED
  return { next_run_at: next, renewal_alert_at: new Date(next.getTime() - (hours ?? 1) * HOUR_MS) }
}
