/** What `_update_taxes` needs: an order that a calculator can tax (lifecycles.md 1.6). Taxes follow every change anyway. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { TAX_VENDOR_TYPES, taxesNotCalled } from '../taxes/vendor-accounts.ts'

const FACTS = `SELECT markets.tax_calculator_id, calculators.type AS calculator_type, EXISTS (
    SELECT FROM line_items WHERE environment_id = $1 AND order_id = $3 AND item_type IN ('skus', 'bundles')) AS has_skus
  FROM markets
  LEFT JOIN tax_calculators AS calculators ON calculators.environment_id = $1 AND calculators.id = markets.tax_calculator_id
  WHERE markets.environment_id = $1 AND markets.id = $2`

type Facts = Pick<RowOf<'Market'>, 'tax_calculator_id'> & {
  readonly calculator_type: string | null
  readonly has_skus: boolean
}

/** `order` is the row as it will be. */
export const violationsOfTaxUpdate = async (
  order: Row,
  { run, scope }: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  const { id, market_id: market, archived_at: archivedAt = null, ...columns } = columnsOf('Order', order)
  const [facts] = await run<Facts>({ text: FACTS, values: [scope.environmentId, market, id] })
  const type = facts?.calculator_type ?? ''
  if (TAX_VENDOR_TYPES.includes(type)) return [taxesNotCalled(type, { attribute: '_update_taxes' })]
  const { shipping_address_id: shipping = null, billing_address_id: billing = null } = columns
  const needed = [
    [(facts?.tax_calculator_id ?? null) !== null, 'a tax calculator of its market'],
    [archivedAt === null, 'an order that is not archived'],
    [(shipping ?? billing) !== null, 'a shipping or billing address'],
    [(columns.total_amount_cents ?? 0) > 0, 'a positive total'],
    [facts?.has_skus === true, 'a line item of a SKU or a bundle'],
  ] as const
  const missing = needed.filter(([isThere]) => !isThere).map(([, what]) => what)
  if (missing.length === 0) return []
  const message = `needs ${missing.join(', ')}`
  return [{ at: { attribute: '_update_taxes' }, error: 'not_taxable', message }]
}
