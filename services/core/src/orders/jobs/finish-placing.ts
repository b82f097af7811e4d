/** Places an order with place_async after the request that started it; what stands against it becomes its resource_errors. */
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import { persistAndReact } from '../../engine/write/react.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { defineJob } from '../../jobs/define-job.ts'
import type { JobContext } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowJobs, RowPayload } from '../../jobs/row-job.ts'
import { linesAfter, readLines } from '../order-lines.ts'
import type { OrderStatus } from '../order-states.ts'
import { placeOrder } from '../place-order.ts'
import { withErrors, withoutErrors } from '../placing-errors.ts'

const PLACING: OrderStatus = 'placing'

type Found = RowOf<'Order'> & Pick<RowOf<'Environment'>, 'organization_id' | 'mode'>

const FIND = `SELECT orders.*, environments.organization_id, environments.mode
  FROM orders JOIN environments ON environments.id = orders.environment_id
  WHERE orders.environment_id = $1 AND orders.id = $2 AND orders.status = '${PLACING}' FOR NO KEY UPDATE OF orders`

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

const find = async (
  { environmentId, id }: RowPayload,
  { run, registry, now, answers }: Pick<JobContext, 'run' | 'registry' | 'now' | 'answers'>,
): Promise<{ readonly order: RowOf<'Order'>; readonly step: ReactionStep } | undefined> => {
  const [found] = await run<Found>({ text: FIND, values: [environmentId, id] })
  if (found === undefined) return undefined
  const { organization_id: organizationId, mode, ...order } = found
  const scope = { environmentId, organizationId, mode: mode === 'live' ? 'live' : 'test' } as const
  return { order: rowOf('Order', order), step: { run, registry, scope, actor: ACTOR, now, answers } }
}

export const finishPlacing = defineJob<RowPayload>({
  name: 'orders.finish-placing',
  retryDelaysSeconds: [1, 5, 30, 300],
  key: rowKey,
  run: async (payload, context) => {
    const found = await find(payload, context)
    if (found === undefined) return 'done'
    const { order, step } = found
    const { run, registry } = step
    await run({ text: 'SAVEPOINT attempt', values: [] })
    const lines = linesAfter(await readLines(order.id, step))
    const outcome = await placeOrder({ order, lines, planned: [] }, step, { transition: 'finishPlacing' })
    const { violations = [], set = {}, topics = [], writes = [] } = outcome
    // What was planned and moved so far is taken back, and only the reasons stay.
    if (violations.length > 0) await run({ text: 'ROLLBACK TO SAVEPOINT attempt', values: [] })
    const errors = await (violations.length > 0
      ? withErrors(order.id, violations, step)
      : withoutErrors(order.id, step))
    const columns = violations.length > 0 ? errors.set : { ...set, ...errors.set }
    const write = { definition: registry.require('orders'), before: order, columns, topics }
    await persistAndReact([write, ...writes, ...errors.writes], step)
    return 'done'
  },
  onFailed: async (payload, context) => {
    const found = await find(payload, context)
    if (found === undefined) return
    const { order, step } = found
    const message = 'could not be placed for a reason that was logged; send _pending and place it again'
    const errors = await withErrors(order.id, [{ error: 'internal_error', message }], step)
    const definition = step.registry.require('orders')
    await persistAndReact([{ definition, before: order, columns: errors.set }, ...errors.writes], step)
  },
})

/** An order that waits to be placed has the job. */
export const orderRowJobs: RowJobs = {
  orders: { job: finishPlacing, isDue: ({ status }) => status === PLACING },
}
