/**
 * The port between orders and tax calculators. A calculator says how an order is taxed; the amounts are the order's own
 * arithmetic (orders/totals). It runs in the transaction of the write; one that is asked outside ends that transaction
 * until its answer is known (external.ts).
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export type TaxStep = Pick<WorkflowStep, 'run' | 'scope'>

/** How an order is taxed, as its columns. */
export type Taxation = Readonly<
  Pick<
    RowOf<'Order'>,
    'tax_rate' | 'freight_taxable' | 'payment_method_taxable' | 'gift_card_taxable' | 'adjustment_taxable'
  >
>

/** A line with a rate of its own. */
export interface TaxedLine {
  readonly tax_rate: string
  /** What else the calculator says of the line. */
  readonly breakdown: Row
}

export interface TaxCalculator {
  /** `order` is the row as it will be. */
  readonly taxationOf: (calculator: number, order: Row, step: TaxStep) => Promise<Taxation>
}

/** Nothing is taxed. */
export const UNTAXED: Taxation = {
  tax_rate: '0.00000000',
  freight_taxable: false,
  payment_method_taxable: false,
  gift_card_taxable: false,
  adjustment_taxable: false,
}
