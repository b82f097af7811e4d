/** Writes of line item options: the order is locked first, and recalculated with what the options of the line cost. */
import { rowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { readOptions } from './options-of-order.ts'
import { readLines } from './order-lines.ts'
import { lockOrder, refuseDeleteOfPart } from './order-part.ts'
import { orderWrites, recalculateOrder } from './totals/recalculate-order.ts'

const ORDER_OF_LINE = '(SELECT order_id FROM line_items WHERE environment_id = $1 AND id = $2)'

const ORDER_OF_OPTION = `(SELECT line_items.order_id FROM line_item_options AS options
  JOIN line_items ON line_items.environment_id = $1 AND line_items.id = options.line_item_id
  WHERE options.environment_id = $1 AND options.id = $2)`

export const optionWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('line_item') ?? undefined
    const number =
      identifier === undefined ? undefined : step.registry.ids.decode('line_items', identifier.id)
    return number === undefined ? undefined : lockOrder(ORDER_OF_LINE, number, step)
  },

  /** An option never changes its line, so the order can be found before anything is locked. */
  lockForChange: (number, step) => lockOrder(ORDER_OF_OPTION, number, step),

  refuseDelete: (_option, step) => refuseDeleteOfPart(step),

  consequences: async ({ before, after, number }, _request, step) => {
    const order = step.locked
    if (order === undefined) return {}
    const others = (await readOptions(numberOf(order), step)).filter(({ id }) => id !== number)
    const options = after === undefined ? others : [...others, rowOf('LineItemOption', after)]
    const changed = rowOf('LineItemOption', after ?? before ?? {}).line_item_id
    const cents = options
      .filter(({ line_item_id: line }) => line === changed)
      .reduce((sum, { total_amount_cents: total }) => sum + total, 0)
    const lines = (await readLines(numberOf(order), step)).map((line) =>
      line.before?.['id'] === changed
        ? { before: line.before, after: { ...line.after, options_amount_cents: cents } }
        : line,
    )
    const result = await recalculateOrder(order, lines, step)
    const set = { ...result.set, line_item_options_count: options.length }
    return orderWrites(order, { ...result, set }, step.registry)
  },
}
