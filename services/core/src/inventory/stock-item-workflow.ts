import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Command } from '../engine/write/commands.ts'

/** `_validate`: fails when less is there than is promised. */
export const validateStockItem: Command = {
  trigger: '_validate',
  run: async ({ number, row, step: { run, scope } }) => {
    const text = 'SELECT quantity FROM reserved_stocks WHERE environment_id = $1 AND stock_item_id = $2'
    const [reserved] = await run<Pick<RowOf<'ReservedStock'>, 'quantity'>>({
      text,
      values: [scope.environmentId, number],
    })
    const { quantity } = rowOf('StockItem', row)
    const promised = reserved?.quantity ?? 0
    if (quantity >= promised) return {}
    const message = `must be greater than or equal to ${promised}, which is reserved`
    return {
      violations: [
        {
          at: { attribute: 'quantity' },
          error: 'greater_than_or_equal_to',
          message,
          value: quantity,
          count: promised,
        },
      ],
    }
  },
}
