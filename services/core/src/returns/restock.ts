/** What came back is in stock again: at the stock location of the return, once for each of its lines. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import type { Command, CommandOutcome } from '../engine/write/commands.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { moveStock } from '../inventory/move-stock.ts'
import type { StockMovement } from '../inventory/move-stock.ts'
import { stockItemFor } from '../inventory/origin-item.ts'
import { TAKEN_BACK } from './return-states.ts'

const TRIGGER = '_restock'

type ReturnLine = RowOf<'ReturnLineItem'>
type ReturnedItem = RowOf<'LineItem'> & { readonly do_not_track: boolean | null }

export const restockReturn: Command = {
  trigger: TRIGGER,
  run: async ({ row, step }) => {
    const owner = rowOf('Return', row)
    const refusal = refusalOf(owner, step)
    if (refusal !== undefined) return refusal
    const text = `SELECT * FROM return_line_items
      WHERE environment_id = $1 AND return_id = $2 AND restocked_at IS NULL ORDER BY id`
    const lines = await step.run<ReturnLine>({ text, values: [step.scope.environmentId, owner.id] })
    if (lines.length === 0) return {}
    const definition = step.registry.require('return_line_items')
    const restocked = lines.map((before) => ({ definition, before, columns: { restocked_at: step.now } }))
    return { topics: ['returns.restock'], writes: [...restocked, ...(await toStock(owner, lines, step))] }
  },
}

export const restockLine: Command = {
  trigger: TRIGGER,
  run: async ({ row, step }) => {
    const line = rowOf('ReturnLineItem', row)
    const text = 'SELECT * FROM returns WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
    const [owner] = await step.run<RowOf<'Return'>>({
      text,
      values: [step.scope.environmentId, line.return_id],
    })
    if (owner === undefined) return {}
    const refusal = refusalOf(owner, step)
    if (refusal !== undefined) return refusal
    if (line.restocked_at !== null) return {}
    const event = {
      definition: step.registry.require('returns'),
      before: owner,
      columns: {},
      topics: ['returns.restock'],
    }
    return { set: { restocked_at: step.now }, writes: [event, ...(await toStock(owner, [line], step))] }
  },
}

const refusalOf = ({ status }: RowOf<'Return'>, { scope }: WorkflowStep): CommandOutcome | undefined => {
  if (scope.salesChannel !== undefined) throw new AppError('unauthorized')
  if (TAKEN_BACK.includes(status)) return undefined
  const message = `cannot be done to a return that is ${status}, only while it is ${TAKEN_BACK.join(' or ')}`
  return { violations: [{ at: { attribute: TRIGGER }, error: 'invalid_status', message, value: status }] }
}

/** The stock is moved at once; what is returned counts it on the line items of the order, which is locked. */
const toStock = async (
  owner: RowOf<'Return'>,
  lines: readonly ReturnLine[],
  step: WorkflowStep,
): Promise<readonly RowWrite[]> => {
  const items = await readItems(lines, step)
  const movements: StockMovement[] = []
  const writes: RowWrite[] = []
  for (const item of items) {
    const { do_not_track: isUntracked, ...before } = item
    const units = lines.reduce((sum, line) => (line.line_item_id === item.id ? sum + line.quantity : sum), 0)
    const columns = { restocked_quantity: item.restocked_quantity + units }
    writes.push({ definition: step.registry.require('line_items'), before, columns })
    // What is not tracked, or was deleted since, has no stock to come back to.
    if (isUntracked !== false || item.sku_id === null) continue
    movements.push({
      stockItem: numberOf(await stockItemFor(owner.stock_location_id, before, step)),
      quantity: units,
    })
  }
  await moveStock(movements, step)
  return writes
}

/** In the order of their SKUs, so that of two returns that make the same stock items none waits for the other in a circle. */
const readItems = (
  lines: readonly ReturnLine[],
  { run, scope }: WorkflowStep,
): Promise<readonly (ReturnedItem & Row)[]> =>
  run<ReturnedItem>({
    text: `SELECT items.*, skus.do_not_track FROM line_items AS items
      LEFT JOIN skus ON skus.environment_id = $1 AND skus.id = items.sku_id
      WHERE items.environment_id = $1 AND items.id = ANY($2::bigint[]) ORDER BY items.sku_id, items.id`,
    values: [scope.environmentId, lines.map(({ line_item_id: item }) => item)],
  })
