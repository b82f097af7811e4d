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

/** Units of a SKU in one unit of a line item. */
interface ReturnedPart extends Row {
  readonly line: number
  readonly sku_id: number
  readonly sku_code: string
  readonly per_unit: number
}

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
  const unitsOf = (item: number): number =>
    lines.reduce((sum, line) => (line.line_item_id === item ? sum + line.quantity : sum), 0)
  const movements: StockMovement[] = []
  for (const part of await readParts(lines, step))
    movements.push({
      stockItem: numberOf(await stockItemFor(owner.stock_location_id, part, step)),
      quantity: unitsOf(part.line) * part.per_unit,
    })
  await moveStock(movements, step)
  return (await readItems(lines, step)).map((before) => ({
    definition: step.registry.require('line_items'),
    before,
    columns: { restocked_quantity: before.restocked_quantity + unitsOf(before.id) },
  }))
}

const readItems = (
  lines: readonly ReturnLine[],
  { run, scope }: WorkflowStep,
): Promise<readonly RowOf<'LineItem'>[]> =>
  run<RowOf<'LineItem'>>({
    text: 'SELECT * FROM line_items WHERE environment_id = $1 AND id = ANY($2::bigint[]) ORDER BY id',
    values: [scope.environmentId, lines.map(({ line_item_id: item }) => item)],
  })

/**
 * What is not tracked, or was deleted since, has no stock to come back to. In the order of their SKUs, so that of two returns that
 * make the same stock items none waits for the other in a circle.
 */
const readParts = (
  lines: readonly ReturnLine[],
  { run, scope }: WorkflowStep,
): Promise<readonly ReturnedPart[]> =>
  run<ReturnedPart>({
    text: `SELECT items.id AS line, skus.id AS sku_id, skus.code AS sku_code, coalesce(parts.quantity, 1) AS per_unit
      FROM line_items AS items
      LEFT JOIN bundle_skus AS parts ON parts.environment_id = $1 AND parts.bundle_id = items.bundle_id
      JOIN skus ON skus.environment_id = $1 AND skus.id = coalesce(parts.sku_id, items.sku_id) AND NOT skus.do_not_track
      WHERE items.environment_id = $1 AND items.id = ANY($2::bigint[]) ORDER BY skus.id, items.id`,
    values: [scope.environmentId, lines.map(({ line_item_id: item }) => item)],
  })
