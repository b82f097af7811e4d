/** A refund that succeeded, at once or when its gateway says so, ends the return that it is of. */
import type { ByName } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Reaction } from '../engine/write/react.ts'
import { transition } from '../states/transition.ts'
import { returnStates } from './return-states.ts'

const markRefunded: Reaction = async ({ row, step }) => {
  const text = `SELECT * FROM returns WHERE environment_id = $1 AND reference_refund_id = $2 AND status = 'received'
    FOR NO KEY UPDATE`
  const [owner] = await step.run<RowOf<'Return'>>({ text, values: [step.scope.environmentId, row['id']] })
  if (owner === undefined) return []
  const start = { transition: 'refund' } as const
  const { set, topics } = await transition(returnStates, owner, { start, subject: { now: step.now } })
  return [{ definition: step.registry.require('returns'), before: owner, columns: set, topics }]
}

export const returnReactions: ByName<Reaction> = { 'refunds.succeeded': markRefunded }
