import { orderColumns, splitLines, toTotalsInput } from '../totals/order-amounts.ts'
import { computeOrderTotals } from '../totals/order-totals.ts'
import type { PlaceableCheck } from './facts.ts'

/** The total is that of the lines: an order that does not refresh itself may have another one. */
export const amounts: PlaceableCheck = ({ order, lines, ids }) => {
  const split = splitLines(lines)
  const totals = orderColumns(computeOrderTotals(toTotalsInput(order, split, ids)), split)
  const { total_amount_with_taxes_cents: stored } = order
  const total = totals['total_amount_with_taxes_cents']
  if (total === stored) return []
  const message = `is ${stored} and the line items make ${String(total)}; send _refresh first`
  return [
    {
      at: { attribute: 'total_amount_with_taxes_cents' },
      error: 'mismatched_amounts',
      message,
      value: stored,
    },
  ]
}
