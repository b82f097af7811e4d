/** The taxes of an order: how the calculator of its market taxes it, on the order and on each of its lines. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../../engine/database/rows.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import { UNTAXED } from '../../taxes/calculator.ts'
import { taxationOf } from '../../taxes/tax-order.ts'
import type { OrderLine } from '../order-lines.ts'
import { groupOf } from './order-amounts.ts'

export interface TaxedOrder {
  /** Columns of the order. */
  readonly set: Row
  readonly lines: readonly OrderLine[]
}

/**
 * Without a calculator an order keeps the rates that it brought from elsewhere; one that a calculator has taxed before is
 * not taxed any more. Imported orders are stored as they were taxed.
 */
export const withTaxes = async (
  order: Row,
  lines: readonly OrderLine[],
  step: WorkflowStep,
): Promise<TaxedOrder> => {
  if (step.isImport) return { set: {}, lines }
  const { tax_calculations_count: count = 0 } = columnsOf('Order', order)
  const calculated = await taxationOf(order, step)
  if (calculated === undefined && count === 0) return { set: {}, lines }
  const { tax_rate: rate, ...switches } = calculated ?? UNTAXED
  const set: Row = { ...switches, tax_rate: rate }
  return {
    set: calculated === undefined ? set : { ...set, tax_calculations_count: count + 1 },
    lines: lines.map(({ before, after }) =>
      after === undefined || groupOf(after) === undefined
        ? { before, after }
        : { before, after: { ...after, tax_rate: rate } },
    ),
  }
}
