/**
 * Makes the order of a copy, in steps that each commit: its articles, what else it needs, its payment, its placing, and the end of the source order. A worker that dies
 * between two steps leaves what the next one goes on with. What is refused is in `errors_log`, and the copy has failed.
 */
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import { persistAndReact } from '../../engine/write/react.ts'
import { defineJob } from '../../jobs/define-job.ts'
import type { JobContext, JobOutcome } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowJobs, RowPayload } from '../../jobs/row-job.ts'
import { transition } from '../../states/transition.ts'
import { buildOrder } from '../copying/build-order.ts'
import { addAddressesAndMethod, addCoupon, chooseShipping } from '../copying/complete-order.ts'
import { hasErrors, keyOf, tryTo } from '../copying/copy-errors.ts'
import type { Copying, ErrorsLog } from '../copying/copy-errors.ts'
import type { CopyStep } from '../copying/copy-step.ts'
import { choosePayment, placeOrder } from '../copying/place-order-of-copy.ts'
import { removeAsShop, updateAsShop } from '../copying/shop-writes.ts'
import { statesOfCopy } from '../order-factory-states.ts'
import { isPlaced } from '../source-order.ts'

type Copy = RowOf<'OrderFactory'>

const FIND = `SELECT copies.*, environments.organization_id, environments.mode
  FROM order_factories AS copies JOIN environments ON environments.id = copies.environment_id
  WHERE copies.environment_id = $1 AND copies.id = $2 AND copies.status IN ('pending', 'in_progress')
  FOR NO KEY UPDATE OF copies`

/** Locked before its copies, as by whoever cancels it. */
const LOCK_SUBSCRIPTION = `SELECT 1 FROM order_subscriptions WHERE environment_id = $1 AND id = (
    SELECT order_subscription_id FROM order_factories WHERE environment_id = $1 AND id = $2) FOR NO KEY UPDATE`

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

const find = async (
  { environmentId, id }: RowPayload,
  { run, registry, now, answers }: JobContext,
): Promise<Copying | undefined> => {
  await run({ text: LOCK_SUBSCRIPTION, values: [environmentId, id] })
  const [found] = await run<Copy & Pick<RowOf<'Environment'>, 'organization_id' | 'mode'>>({
    text: FIND,
    values: [environmentId, id],
  })
  if (found === undefined) return undefined
  const { organization_id: organizationId, mode, ...row } = found
  const copy = rowOf('OrderFactory', row)
  const scope = { environmentId, organizationId, mode: mode === 'live' ? 'live' : 'test' } as const
  const [source] = await run<RowOf<'Order'>>(selectRow('orders', environmentId, copy.source_order_id, false))
  if (source === undefined) throw new Error('a copy has no source order')
  const errors: ErrorsLog = { ...(copy.errors_log as ErrorsLog) }
  return { copy, source, errors, step: { run, registry, scope, actor: ACTOR, now, answers } }
}

type Move = 'start' | 'complete' | 'fail'

const move = async ({ copy, errors, step }: Copying, name: Move, more: object = {}): Promise<Copy> => {
  const start = { transition: name } as const
  const { set, topics } = await transition(statesOfCopy(copy.type), copy, {
    start,
    subject: { now: step.now },
  })
  const columns = { ...set, ...more, errors_log: errors, errors_count: Object.keys(errors).length }
  const definition = step.registry.require(copy.type)
  const [written] = await persistAndReact([{ definition, before: copy, columns, topics }], step)
  return rowOf('OrderFactory', written?.row ?? {})
}

/** Everything that was made so far is taken back when the order cannot be built, and only the reasons stay. */
const build = async (copying: Copying): Promise<JobOutcome> => {
  const { run } = copying.step
  await run({ text: 'SAVEPOINT copy', values: [] })
  const target = await buildOrder(copying)
  if (target === undefined) await run({ text: 'ROLLBACK TO SAVEPOINT copy', values: [] })
  const copy = await move(copying, 'start', target === undefined ? {} : { target_order_id: target })
  if (target !== undefined) return 'again'
  await move({ ...copying, copy }, 'fail')
  return 'done'
}

const targetOf = async ({ copy, step }: Copying): Promise<RowOf<'Order'> | undefined> => {
  const statement = selectRow('orders', step.scope.environmentId, copy.target_order_id ?? -1, false)
  const [target] = await step.run<RowOf<'Order'>>(statement)
  return target
}

const cancelSource: CopyStep = async (_target, copying) => {
  const { copy, source, step } = copying
  if (copy.cancel_source_order !== true || source.status === 'cancelled') return 'nothing'
  const cancel = () => updateAsShop('orders', source, { triggers: { _cancel: true } }, step)
  return (await tryTo(keyOf('orders', source.id, step), 'orders', cancel, copying)) ? 'changed' : 'refused'
}

/** What `skip_errors` passes over; an order that cannot be completed goes. */
const COMPLETING: readonly CopyStep[] = [addAddressesAndMethod, addCoupon, chooseShipping]

/** The first that is refused ends the copy. */
const PLACING: readonly CopyStep[] = [choosePayment, placeOrder, cancelSource]

const note = async ({ copy, errors, step }: Copying): Promise<void> => {
  const columns = { errors_log: errors, errors_count: Object.keys(errors).length }
  const definition = step.registry.require(copy.type)
  if (hasErrors(errors)) await persistAndReact([{ definition, before: copy, columns }], step)
}

const end = async (copying: Copying, name: 'complete' | 'fail', more: object = {}): Promise<JobOutcome> => {
  await move(copying, name, more)
  return 'done'
}

const finish = async (copying: Copying): Promise<JobOutcome> => {
  const { copy, source, errors, step } = copying
  const target = await targetOf(copying)
  if (target === undefined) {
    errors[keyOf('orders', source.id, step)] = { target_order: ['was deleted before it was finished'] }
    return end(copying, 'fail')
  }
  for (const complete of isPlaced(target) ? [] : COMPLETING) {
    const outcome = await complete(target, copying)
    if (outcome === 'nothing' || (outcome === 'refused' && copy.skip_errors === true)) continue
    if (outcome === 'changed') {
      await note(copying)
      return 'again'
    }
    await removeAsShop('orders', target.id, step)
    return end(copying, 'fail', { target_order_id: null })
  }
  for (const place of PLACING) {
    const outcome = await place(target, copying)
    if (outcome === 'nothing') continue
    if (outcome === 'refused') return end(copying, copy.skip_errors === true ? 'complete' : 'fail')
    await note(copying)
    return 'again'
  }
  return end(copying, 'complete')
}

export const runCopy = defineJob<RowPayload>({
  name: 'subscriptions.run-copy',
  retryDelaysSeconds: [1, 5, 30, 300],
  key: rowKey,
  run: async (payload, context) => {
    const copying = await find(payload, context)
    if (copying === undefined) return 'done'
    return copying.copy.status === 'pending' ? build(copying) : finish(copying)
  },
  onFailed: async (payload, context) => {
    const copying = await find(payload, context)
    if (copying === undefined) return
    const key = keyOf('orders', copying.source.id, copying.step)
    copying.errors[key] = { base: ['failed for a reason that was logged'] }
    const isPending = copying.copy.status === 'pending'
    const copy = isPending ? await move(copying, 'start') : copying.copy
    await move({ ...copying, copy }, 'fail')
  },
})

const isDue = ({ status }: Readonly<Record<string, unknown>>): boolean => status === 'pending'

/** A copy that waits has the job. */
export const copyRowJobs: RowJobs = {
  order_copies: { job: runCopy, isDue },
  recurring_order_copies: { job: runCopy, isDue },
}
