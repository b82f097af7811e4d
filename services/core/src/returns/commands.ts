/** The commands of returns. A request starts one of them (one-step.ts). */
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { Command, CommandContext } from '../engine/write/commands.ts'
import { transitionCommand } from '../states/transition-command.ts'
import { transition } from '../states/transition.ts'
import { refund } from './refund.ts'
import { restockReturn } from './restock.ts'
import { placeColumns, placesOf } from './return-place.ts'
import { returnStates } from './return-states.ts'

const TRIGGER = '_request'

/** A return that has no place to go to gets the first of its market. */
const request: Command = {
  trigger: TRIGGER,
  run: async ({ number, row, before, step }) => {
    const [counted] = await step.run<{ readonly count: number }>({
      text: 'SELECT count(*)::int AS count FROM return_line_items WHERE environment_id = $1 AND return_id = $2',
      values: [step.scope.environmentId, number],
    })
    const { stock_location_id: location = null } = columnsOf('Return', row)
    const [first] = location === null ? await placesOf(rowOf('Order', step.locked ?? {}), step) : []
    const place = first === undefined ? {} : placeColumns(first)
    const stockLocation = location ?? first?.location ?? null
    const planned = await transition(returnStates, row, {
      start: { trigger: TRIGGER },
      subject: { now: step.now, linesCount: counted?.count ?? 0, stockLocation },
    })
    if (!('status' in planned.set)) return { violations: planned.violations }
    const expected = before === undefined ? {} : { status: before['status'] }
    return { ...planned, set: { ...place, ...planned.set }, expected }
  },
}

const timeOf = ({ step }: CommandContext) => ({ now: step.now })

const move = (trigger: `_${string}`): Command => transitionCommand(returnStates, trigger, timeOf)

export const returnCommands: readonly Command[] = [
  request,
  move('_approve'),
  move('_cancel'),
  move('_ship'),
  move('_reject'),
  move('_receive'),
  restockReturn,
  refund,
]
