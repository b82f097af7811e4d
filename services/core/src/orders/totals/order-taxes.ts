/** The taxes of an order: how the calculator of its market taxes it, on the order and on each of its lines. */
import type { Row } from '@merx/jsonapi/attributes'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import { columnsOf } from '../../engine/database/rows.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import { readSetting } from '../../markets/settings.ts'
import { UNTAXED } from '../../taxes/calculator.ts'
import { taxesOf } from '../../taxes/tax-order.ts'
import { linesAfter } from '../order-lines.ts'
import type { OrderLine } from '../order-lines.ts'
import { groupOf } from './order-amounts.ts'

export interface TaxedOrder {
  /** Columns of the order. */
  readonly set: Row
  readonly lines: readonly OrderLine[]
  /** Of the order. */
  readonly topics: readonly string[]
}

/**
 * Without a calculator an order keeps the rates that it brought from elsewhere; one that a calculator has taxed before is
 * not taxed any more. Imported orders are stored as they were taxed.
 */
export const withTaxes = async (
  order: Row,
  lines: readonly OrderLine[],
  priced: () => readonly OrderLine[],
  step: WorkflowStep,
): Promise<TaxedOrder> => {
  const unchanged = { set: {}, lines, topics: [] }
  if (step.isImport) return unchanged
  const { tax_calculations_count: count = 0 } = columnsOf('Order', order)
  const calculated = await taxesOf(order, () => linesAfter(priced()), step)
  if (calculated.isSkipped === true) return unchanged
  if (calculated.failure !== undefined) {
    await refuseWhereWanted(calculated.failure, step)
    return { ...unchanged, topics: ['orders.tax_calculation_failed'] }
  }
  if (calculated.taxation === undefined && count === 0) return unchanged
  const { tax_rate: rate, ...switches } = calculated.taxation ?? UNTAXED
  const set: Row = { ...switches, tax_rate: rate }
  const own = calculated.lines.values()
  return {
    set: calculated.taxation === undefined ? set : { ...set, tax_calculations_count: count + 1 },
    lines: lines.map(({ before, after }) => {
      if (after === undefined) return { before, after }
      const taxed = own.next().value
      if (groupOf(after) === undefined) return { before, after }
      const breakdown = taxed === undefined ? {} : { tax_breakdown: taxed.breakdown }
      return { before, after: { ...after, tax_rate: taxed?.tax_rate ?? rate, ...breakdown } }
    }),
    topics: [],
  }
}

/** With the setting `tax_calculators_errors` an order is not changed without its taxes. */
const refuseWhereWanted = async (failure: string, step: WorkflowStep): Promise<void> => {
  if ((await readSetting('tax_calculators_errors', step)) !== true) return
  const message = `were not calculated: ${failure}`
  throwViolations([{ at: { attribute: 'tax_rate' }, error: 'tax_calculation_failed', message }])
}
