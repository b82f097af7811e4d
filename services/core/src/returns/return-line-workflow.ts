/** Writes of return line items: what has left can come back, once; the return counts what it has. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { ratioOf } from '../definitions/ratio.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { Consequences, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { lockOrder } from '../orders/order-part.ts'
import { GIVEN_UP } from './return-states.ts'
import { returnableUnits } from './returnable.ts'

/** Lines that are articles; shipping, payment and discounts do not come back by themselves. */
const RETURNED_TYPES: readonly unknown[] = ['skus', 'bundles']

export const returnLineWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('return') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('returns', identifier.id)
    if (number === undefined) return undefined
    return lockOrder('(SELECT order_id FROM returns WHERE environment_id = $1 AND id = $2)', number, step)
  },

  lockForChange: (number, step) =>
    lockOrder(
      `(SELECT returns.order_id FROM return_line_items AS lines
        JOIN returns ON returns.environment_id = $1 AND returns.id = lines.return_id
        WHERE lines.environment_id = $1 AND lines.id = $2)`,
      number,
      step,
    ),

  completesFrom: ['return', 'line_item', 'quantity'],

  complete: async (after, before, _request, step) => {
    if (before !== undefined && before['quantity'] === after['quantity']) return {}
    const {
      id = null,
      return_id: number,
      line_item_id: line,
      quantity = 0,
    } = columnsOf('ReturnLineItem', after)
    const owner = await readRow<RowOf<'Return'>>('returns', number, step)
    const item = await readRow<RowOf<'LineItem'>>('line_items', line, step)
    if (owner === undefined || item === undefined) return {}
    const refusal = refusalOf(owner, item, before) ?? (await tooMany(item, id, quantity, step))
    if (refusal !== undefined) return { violations: [refusal] }
    const { sku_code, bundle_code, name, image_url, currency_code } = item
    const total_amount_cents = await shareOf(item, id, quantity, step)
    return { set: { sku_code, bundle_code, name, image_url, currency_code, total_amount_cents } }
  },

  refuseDelete: async (row, step) => {
    const owner = await readRow<RowOf<'Return'>>('returns', row['return_id'], step)
    if (owner === undefined || owner.status === 'draft') return
    const detail = `Cannot be deleted because its return is ${owner.status}; it can be while the return is draft`
    throw new AppError('locked', { detail })
  },

  consequences: async ({ number, before, after }, _request, step): Promise<Consequences> => {
    const isSame =
      before?.['quantity'] === after?.['quantity'] &&
      before?.['total_amount_cents'] === after?.['total_amount_cents']
    const owner = isSame
      ? undefined
      : await readRow<RowOf<'Return'>>('returns', (after ?? before)?.['return_id'], step)
    if (owner === undefined) return {}
    const others = await step.run<RowOf<'ReturnLineItem'>>({
      text: 'SELECT * FROM return_line_items WHERE environment_id = $1 AND return_id = $2 AND id <> $3',
      values: [step.scope.environmentId, owner.id, number],
    })
    const lines = after === undefined ? others : [...others, rowOf('ReturnLineItem', after)]
    const columns = {
      skus_count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      estimated_refund_amount_cents: lines.reduce((sum, { total_amount_cents: cents }) => sum + cents, 0),
    }
    return { writes: [{ definition: step.registry.require('returns'), before: owner, columns }] }
  },
}

const readRow = async <Found extends Row>(
  table: 'returns' | 'line_items',
  number: unknown,
  { run, scope }: WorkflowStep,
): Promise<Found | undefined> => {
  if (typeof number !== 'number') return undefined
  const [row] = await run<Found>(selectRow(table, scope.environmentId, number, false))
  return row
}

const refusalOf = (
  owner: RowOf<'Return'>,
  item: RowOf<'LineItem'>,
  before: Row | undefined,
): WriteViolation | undefined => {
  if (owner.status !== 'draft') {
    const at = before === undefined ? { relationship: 'return' } : { attribute: 'quantity' }
    const message = `is of a return that is ${owner.status}; what it returns is written while it is draft`
    return { at, error: 'not_editable', message }
  }
  const at = { relationship: 'line_item' }
  if (item.order_id !== owner.order_id)
    return { at, error: 'invalid', message: 'must be of the order that is returned' }
  if (RETURNED_TYPES.includes(item.item_type)) return undefined
  return {
    at,
    error: 'invalid',
    message: `is of ${item.item_type ?? 'no item'}; only skus and bundles come back`,
  }
}

const tooMany = async (
  item: RowOf<'LineItem'>,
  own: number | null,
  quantity: number,
  step: WorkflowStep,
): Promise<WriteViolation | undefined> => {
  const units = await returnableUnits(item.id, own, step)
  if (quantity <= units) return undefined
  const message = `must be less than or equal to ${units}, what of it has left and is not returned yet`
  return {
    at: { attribute: 'quantity' },
    error: 'less_than_or_equal_to',
    message,
    value: quantity,
    count: units,
  }
}

/** What the units of a line item in other returns come to. */
const OTHERS = `SELECT coalesce(sum(others.quantity), 0)::int AS units,
    coalesce(sum(others.total_amount_cents), 0)::bigint AS cents
  FROM return_line_items AS others
  JOIN returns ON returns.environment_id = $1 AND returns.id = others.return_id
  WHERE others.environment_id = $1 AND others.line_item_id = $2 AND others.id IS DISTINCT FROM $3
    AND returns.status <> ALL($4::text[])`

/**
 * What so many units cost after discounts. The last ones cost what the others leave, so that all of them bring what was paid for
 * the line, to the cent. More units than the line has were restocked before and may come back again.
 */
const shareOf = async (
  item: RowOf<'LineItem'>,
  own: number | null,
  quantity: number,
  { run, scope }: WorkflowStep,
): Promise<number> => {
  const values = [scope.environmentId, item.id, own, GIVEN_UP]
  const [others] = await run<{ readonly units: number; readonly cents: number }>({ text: OTHERS, values })
  const { units = 0, cents = 0 } = others ?? {}
  const paid = Math.max(0, item.total_amount_cents + item.discount_cents)
  const part = ratioOf(paid, quantity, item.quantity)
  const left = Math.max(0, paid - cents)
  if (units + quantity > item.quantity) return part
  return units + quantity === item.quantity ? left : Math.min(part, left)
}
