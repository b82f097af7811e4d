/** The state machine of a subscription. A run begins with a job and ends with its order copy. */
import type { RowOf } from '../engine/database/rows.ts'
import { defineStateMachine } from '../states/define-state-machine.ts'
import { retryAt } from './run-options.ts'
import { scheduleAfter, scheduleAt, UNSCHEDULED } from './schedule.ts'

export interface SubscriptionSubject {
  readonly subscription: RowOf<'OrderSubscription'>
  readonly now: Date
  /** When the source order was placed; needed to activate. */
  readonly placedAt?: Date | null
}

/** Whether the source order counts as the first run. */
const isRunBySource = ({ subscription, placedAt = null }: SubscriptionSubject): boolean =>
  subscription.activate_by_source_order === true && placedAt !== null

const anchorOf = ({ subscription, placedAt = null }: SubscriptionSubject): Date | null =>
  subscription.anchor_at ?? subscription.starts_at ?? placedAt

const hasStart = (subject: SubscriptionSubject) =>
  anchorOf(subject) === null
    ? [
        {
          at: { attribute: 'starts_at' },
          error: 'blank',
          message: "can't be blank, unless the source order was placed",
        },
      ]
    : []

const isNotExpired = ({ subscription: { expires_at: end }, now }: SubscriptionSubject) =>
  end !== null && end <= now
    ? [{ at: { attribute: 'expires_at' }, error: 'expired', message: 'is in the past' }]
    : []

const begin = (subject: SubscriptionSubject) => {
  const { subscription, now, placedAt = null } = subject
  const anchor = anchorOf(subject)
  const isFirst = isRunBySource(subject) && (subscription.occurrencies ?? 0) === 0
  const ran = isFirst ? { last_run_at: placedAt, occurrencies: 1, succeeded_on_last_run: true } : {}
  // A start that somebody chose is the first run, also when it is now; the placing of the source order is none.
  const isChosen = (subscription.anchor_at ?? subscription.starts_at) !== null
  const hasRun = isFirst || subscription.last_run_at !== null || !isChosen
  const after = hasRun ? now : new Date(now.getTime() - 1)
  return {
    set: {
      anchor_at: anchor,
      retries_count: 0,
      ...ran,
      ...scheduleAfter({ ...subscription, anchor_at: anchor }, after),
    },
  }
}

const rest = () => ({ set: { ...UNSCHEDULED, retries_count: 0 } })

/** The next time is set at once, so that whatever becomes of the run, the rhythm goes on. */
const beginRun = ({ subscription, now }: SubscriptionSubject) => {
  const { occurrencies, retries_count: retries } = subscription
  return {
    set: {
      last_run_at: now,
      // A retry is of the same occurrence.
      occurrencies: (occurrencies ?? 0) + (retries > 0 ? 0 : 1),
      ...scheduleAfter(subscription, now),
    },
  }
}

const recordSuccess = () => ({ set: { succeeded_on_last_run: true, retries_count: 0 } })

const recordFailure = ({ subscription, now }: SubscriptionSubject) => {
  const { options, retries_count: retries, next_run_at: next, errors_count: errors } = subscription
  const failed = { errors_count: (errors ?? 0) + 1, succeeded_on_last_run: false }
  const retry = retryAt(options, retries, now)
  // What comes before is the regular run.
  if (retry === undefined || (next !== null && next <= retry)) return { set: { ...failed, retries_count: 0 } }
  const schedule = scheduleAt(subscription, retry)
  const isLate = schedule.next_run_at === null
  return {
    set: { ...failed, ...(isLate ? { retries_count: 0 } : { ...schedule, retries_count: retries + 1 }) },
  }
}

export const orderSubscriptionStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'inactive', 'active', 'running', 'cancelled'],
  transitions: {
    activate: {
      from: ['draft', 'inactive'],
      to: 'active',
      trigger: '_activate',
      guards: [hasStart, isNotExpired],
      effects: [begin],
      topic: 'order_subscriptions.activate',
    },
    deactivate: {
      from: ['active'],
      to: 'inactive',
      trigger: '_deactivate',
      effects: [rest],
      topic: 'order_subscriptions.deactivate',
    },
    cancel: {
      from: ['draft', 'inactive', 'active', 'running'],
      to: 'cancelled',
      trigger: '_cancel',
      effects: [rest],
      topic: 'order_subscriptions.cancel',
    },
    /** It is due (jobs/run-due.ts). */
    run: { from: ['active'], to: 'running', effects: [beginRun] },
    succeed: {
      from: ['running'],
      to: 'active',
      effects: [recordSuccess],
      topic: 'order_subscriptions.last_run_succeeded',
    },
    fail: {
      from: ['running'],
      to: 'active',
      effects: [recordFailure],
      topic: 'order_subscriptions.last_run_failed',
    },
  },
})
