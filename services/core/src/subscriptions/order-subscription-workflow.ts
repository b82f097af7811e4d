/** Writes of subscriptions: what a change means for the next run, and whether a new one begins at once. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { transition } from '../states/transition.ts'
import { orderSubscriptionStates } from './order-subscription-states.ts'
import { scheduleAfter, scheduleAt } from './schedule.ts'
import { placedAtOf } from './source-order.ts'

type Subscription = RowOf<'OrderSubscription'>

const fault = (attribute: string, error: string, message: string, value?: unknown): WriteViolation => ({
  at: { attribute },
  error,
  message,
  ...(value === undefined ? {} : { value }),
})

export const orderSubscriptionWorkflow: WriteWorkflow = {
  completesFrom: [
    'source_order',
    'market',
    'frequency',
    'next_run_at',
    'starts_at',
    'expires_at',
    'renewal_alert_period',
    'customer_payment_source',
  ],

  complete: async (row, before, request, step): Promise<Completion> => {
    const sent = sentNames(request)
    const after = rowOf('OrderSubscription', row)
    const violations = [
      ...violationsOfEnd(after),
      ...(sent.has('customer_payment_source') ? await violationsOfWallet(after, step) : []),
    ]
    if (violations.length > 0) return { violations }
    return before === undefined ? {} : reschedule(after, sent, request.triggers.has('_activate'), step.now)
  },

  consequences: async ({ before, after }, _request, step) => {
    if (before !== undefined || after === undefined) return {}
    const subscription = rowOf('OrderSubscription', { ...NEW, ...after })
    const placedAt = await placedAtOf(subscription, step)
    const initial = { status: orderSubscriptionStates.initial }
    if (subscription.activate_by_source_order !== true || placedAt === null) return { set: initial }
    const subject = { subscription, now: step.now, placedAt }
    const start = { transition: 'activate' } as const
    const { set, topics } = await transition(orderSubscriptionStates, subscription, { start, subject })
    return { set: { ...initial, ...set }, topics }
  },
}

/** What the database fills in where the schedule depends on it. */
const NEW: Row = {
  status: orderSubscriptionStates.initial,
  anchor_at: null,
  starts_at: null,
  expires_at: null,
  last_run_at: null,
  next_run_at: null,
  occurrencies: 0,
  errors_count: 0,
  retries_count: 0,
}

const violationsOfEnd = ({ starts_at: start = null, expires_at: end = null }: Subscription) =>
  start !== null && end !== null && end <= start
    ? [fault('expires_at', 'invalid', 'must be later than starts_at', end.toISOString())]
    : []

const violationsOfWallet = async (
  { customer_id: customer, customer_payment_source_id: number }: Subscription,
  { run, scope }: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  if (number === null) return []
  const statement = selectRow('customer_payment_sources', scope.environmentId, number, false)
  const [entry] = await run<RowOf<'CustomerPaymentSource'>>(statement)
  if (entry === undefined || entry.customer_id === customer) return []
  const message = 'is of another customer than the subscription'
  return [{ at: { relationship: 'customer_payment_source' }, error: 'invalid', message }]
}

const SCHEDULED: readonly string[] = ['active', 'running']

const RHYTHM = ['frequency', 'next_run_at', 'expires_at'] as const

/** `row` is the subscription as the request leaves it. */
const reschedule = (
  row: Subscription,
  sent: ReadonlySet<string>,
  isActivated: boolean,
  now: Date,
): Completion => {
  const changed = [...RHYTHM, 'renewal_alert_period'].filter((name) => sent.has(name))
  if (changed.length === 0) return {}
  if (row.status === 'cancelled')
    return {
      violations: changed.map((name) =>
        fault(name, 'not_editable', 'cannot be changed on a subscription that is cancelled'),
      ),
    }
  if (sent.has('next_run_at')) return moveRun(row, isActivated, now)
  if (!SCHEDULED.includes(row.status)) return {}
  if (sent.has('frequency') || sent.has('expires_at'))
    return { set: { ...scheduleAfter(row, now), retries_count: 0 } }
  const { renewal_alert_at: alert } = scheduleAt(row, row.next_run_at ?? undefined)
  // One that was emitted for the next run is not emitted again.
  return row.renewal_alert_at === null ? {} : { set: { renewal_alert_at: alert } }
}

/** The time that is sent is the new anchor. */
const moveRun = (row: Subscription, isActivated: boolean, now: Date): Completion => {
  const { next_run_at: next, expires_at: end, status } = row
  const refuse = (error: string, message: string): Completion => ({
    violations: [fault('next_run_at', error, message, next?.toISOString() ?? null)],
  })
  if (!SCHEDULED.includes(status) && !isActivated)
    return refuse(
      'invalid_status',
      `cannot be set on a subscription that is ${status}, unless _activate is sent too`,
    )
  if (next === null) return refuse('blank', "can't be blank; _deactivate ends the runs")
  if (next <= now) return refuse('not_in_future', 'must be in the future')
  if (end !== null && next >= end) return refuse('invalid', 'must be earlier than expires_at')
  return { set: { anchor_at: next, ...scheduleAt(row, next), retries_count: 0 } }
}
