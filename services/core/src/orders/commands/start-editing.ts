/** `_start_editing`: a placed order may be changed, up to what it cost when it was placed. It keeps its money and its stock. */
import { transitionCommand } from '../../states/transition-command.ts'
import { orderStates } from '../order-states.ts'

export const startEditing = transitionCommand(orderStates, '_start_editing', ({ row, step }) => ({
  order: row,
  lines: [],
  now: step.now,
}))
