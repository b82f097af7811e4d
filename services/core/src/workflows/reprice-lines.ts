/** The prices of an order's articles, read again from the list of its market; amounts that were sent are overwritten. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteFault } from '@merx/jsonapi/rules'
import { refuseFaults } from '@merx/jsonapi/validation-errors'
import type { RowChange, WorkflowStep } from './write-workflow.ts'

const REPRICE = `
  UPDATE line_items SET currency_code = orders.currency_code,
    unit_amount_cents = coalesce(prices.amount_cents, line_items.unit_amount_cents),
    compare_at_amount_cents = prices.compare_at_amount_cents
  FROM orders
  JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
  JOIN line_items AS lines ON lines.environment_id = $1 AND lines.order_id = orders.id AND lines.item_type = 'skus'
  LEFT JOIN prices ON prices.environment_id = $1 AND prices.sku_id = lines.sku_id
    AND prices.price_list_id = markets.price_list_id
  WHERE orders.environment_id = $1 AND orders.id = $2
    AND line_items.environment_id = $1 AND line_items.id = lines.id
  RETURNING line_items.*, prices.id IS NULL AS is_without_price`

/** `at` is the member that asked for it. Throws AppErrors when an article has no price in the list. */
export const repriceLines = async (
  orderNumber: number,
  at: NonNullable<WriteFault['at']>,
  { run, registry, scope }: WorkflowStep,
): Promise<readonly RowChange[]> => {
  const values = [scope.environmentId, orderNumber]
  const text = 'SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2'
  const before = new Map((await run({ text, values })).map((row) => [row['id'], row]))
  const rows = await run({ text: REPRICE, values })
  refuseFaults(rows.filter((row) => row['is_without_price'] === true).map((row) => withoutPrice(row, at)))
  const definition = registry.require('line_items')
  return rows.map(({ is_without_price: _, ...after }) => ({
    definition,
    number: Number(after['id']),
    before: before.get(after['id']),
    after,
  }))
}

const withoutPrice = ({ sku_code: code }: Row, at: NonNullable<WriteFault['at']>): WriteFault => ({
  at,
  error: 'no_price',
  message: `has no price for ${String(code)}, which the order has a line of`,
})
