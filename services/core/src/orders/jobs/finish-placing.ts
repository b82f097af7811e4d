/** Places an order that asked to be placed later (place_async). What stands against it becomes resource errors of the order. */
import type { RowOf } from '../../engine/database/rows.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import { persistAndReact } from '../../engine/write/react.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { defineJob } from '../../jobs/define-job.ts'
import type { JobContext } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowPayload } from '../../jobs/row-job.ts'
import { linesAfter, readLines } from '../order-lines.ts'
import { placeOrder } from '../place-order.ts'
import { errorsOfPlacing } from '../placing-errors.ts'

export const finishPlacing = defineJob<RowPayload>({
  name: 'orders.finish-placing',
  retryDelaysSeconds: [1, 5, 30, 300],
  key: rowKey,
  run: async (payload, context) => {
    const step = await stepOf(payload, context)
    const order = step === undefined ? undefined : await lockPlacing(payload, context)
    if (step === undefined || order === undefined) return 'done'
    await context.run({ text: 'SAVEPOINT placing', values: [] })
    const writes = await planPlacing(order, step)
    await persistAndReact(writes, step)
    return 'done'
  },
  onFailed: async (payload, context) => {
    const step = await stepOf(payload, context)
    if (step === undefined || (await lockPlacing(payload, context)) === undefined) return
    await persistAndReact(errorsOfPlacing(payload.id, [FAILED], step), step)
  },
})

const FAILED = { error: 'failed', message: 'could not be placed for a reason that was logged' }

/** An order with errors waits until somebody sends `_pending`. */
const lockPlacing = async (
  { environmentId, id }: RowPayload,
  { run }: JobContext,
): Promise<RowOf<'Order'> | undefined> => {
  const text = `SELECT * FROM orders
    WHERE environment_id = $1 AND id = $2 AND status = 'placing' AND errors_count = 0 FOR NO KEY UPDATE`
  const [order] = await run<RowOf<'Order'>>({ text, values: [environmentId, id] })
  return order
}

/** A refused attempt leaves nothing behind: what it has moved already, such as stock, is undone. */
const planPlacing = async (order: RowOf<'Order'>, step: ReactionStep): Promise<readonly RowWrite[]> => {
  const lines = linesAfter(await readLines(order.id, step))
  const start = { transition: 'finishPlacing' } as const
  const outcome = await placeOrder({ order, lines, start, planned: [] }, step)
  const { violations = [], set = {}, topics = [], writes = [] } = outcome
  if (violations.length > 0) await step.run({ text: 'ROLLBACK TO SAVEPOINT placing', values: [] })
  if (violations.length > 0) return errorsOfPlacing(order.id, violations, step)
  const placed = { definition: step.registry.require('orders'), before: order, columns: set, topics }
  return [placed, ...writes]
}

type Environment = Pick<RowOf<'Environment'>, 'organization_id' | 'mode'>

/** Nobody in particular: the shop itself. */
const ACTOR = { application: null, owner: null }

const stepOf = async (
  { environmentId }: RowPayload,
  { run, registry, now }: JobContext,
): Promise<ReactionStep | undefined> => {
  const text = 'SELECT organization_id, mode FROM environments WHERE id = $1'
  const [found] = await run<Environment>({ text, values: [environmentId] })
  if (found === undefined) return undefined
  const mode = found.mode === 'live' ? ('live' as const) : ('test' as const)
  const scope = { environmentId, organizationId: found.organization_id, mode }
  return { run, registry, scope, now, actor: ACTOR }
}
