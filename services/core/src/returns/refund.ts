/** `_refund`: the customer gets money back for what came back. The order keeps its status; the return is refunded once the money has moved. */
import { rowOf } from '../engine/database/rows.ts'
import type { Command } from '../engine/write/commands.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import { refundCapture } from '../payments/refund-capture.ts'
import { transition } from '../states/transition.ts'
import { returnStates } from './return-states.ts'

const TRIGGER = '_refund'

export const refund: Command = {
  trigger: TRIGGER,
  run: async ({ row, request, step }) => {
    const { locked: order } = step
    if (order === undefined) throw new Error('the order of a return is not locked')
    const allowed = await transition(returnStates, row, {
      start: { trigger: TRIGGER },
      subject: { now: step.now },
      isSalesChannel: step.scope.salesChannel !== undefined,
    })
    if (!('status' in allowed.set)) return { violations: allowed.violations }
    const owner = rowOf('Return', row)
    const sent = request.triggers.get('_refund_amount_cents')
    const {
      plan,
      capture,
      refund: made,
    } = await refundCapture(
      order,
      {
        capture: owner.reference_capture_id,
        amountCents: typeof sent === 'number' ? sent : owner.estimated_refund_amount_cents,
        attribute: typeof sent === 'number' ? '_refund_amount_cents' : TRIGGER,
      },
      step,
    )
    if (plan.violations.length > 0) return { violations: plan.violations }
    if (plan.failure !== undefined || made === undefined) return {}
    const columns = { reference_capture_id: capture, reference_refund_id: made }
    const writes: readonly RowWrite[] = [
      ...plan.writes,
      { definition: step.registry.require('returns'), before: row, columns },
      { definition: step.registry.require('orders'), before: order, columns: plan.set, topics: plan.topics },
    ]
    return { writes }
  },
}
