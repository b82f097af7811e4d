/** The prices of an order's SKUs, read again from the list of its market; amounts that were sent are overwritten. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteFault } from '@merx/jsonapi/rules'
import { refuseFaults } from '@merx/jsonapi/validation-errors'
import type { RowChange, WorkflowStep } from '../engine/write/write-workflow.ts'

const REPRICE = `
  UPDATE line_items SET currency_code = orders.currency_code,
    unit_amount_cents = coalesce(prices.amount_cents, line_items.unit_amount_cents),
    compare_at_amount_cents = prices.compare_at_amount_cents
  FROM orders
  JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
  JOIN line_items AS lines ON lines.environment_id = $1 AND lines.order_id = orders.id AND lines.item_type = 'skus'
  LEFT JOIN prices ON prices.environment_id = $1 AND prices.sku_id = lines.sku_id
    AND prices.price_list_id = markets.price_list_id AND prices.currency_code = orders.currency_code
  WHERE orders.environment_id = $1 AND orders.id = $2
    AND line_items.environment_id = $1 AND line_items.id = lines.id
  RETURNING line_items.*, prices.id IS NULL AS is_without_price`

export interface Repricing {
  /** The member that asked for it. */
  readonly at: NonNullable<WriteFault['at']>
  /** The currency the order has got instead of another one, if it has. */
  readonly newCurrency?: unknown
}

/** Throws AppErrors when something has no price: an article in the list, anything else in the order's new currency. */
export const repriceLines = async (
  orderNumber: number,
  { at, newCurrency }: Repricing,
  { run, registry, scope }: WorkflowStep,
): Promise<readonly RowChange[]> => {
  const values = [scope.environmentId, orderNumber]
  const text = 'SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2'
  const before = new Map((await run({ text, values })).map((row) => [row['id'], row]))
  const rows = await run({ text: REPRICE, values })
  const stranded = newCurrency === undefined ? [] : [...before.values()].filter(isStrandedIn(newCurrency))
  const unpriced = rows.filter((row) => row['is_without_price'] === true)
  refuseFaults([...unpriced, ...stranded].map((row) => withoutPrice(row, at)))
  const definition = registry.require('line_items')
  return rows.map(({ is_without_price: _, ...after }) => ({
    definition,
    number: Number(after['id']),
    before: before.get(after['id']),
    after,
  }))
}

/**
 * What was sent with an amount has no price in another currency: lines that are of no SKU, and options of those that
 * are. The line of the payment method is written anew (payment-line.ts).
 */
const isStrandedIn =
  (currency: unknown) =>
  (line: Row): boolean => {
    if (line['currency_code'] === currency || line['item_type'] === 'payment_methods') return false
    return line['item_type'] !== 'skus' || Number(line['options_amount_cents']) !== 0
  }

const withoutPrice = (line: Row, at: NonNullable<WriteFault['at']>): WriteFault => ({
  at,
  error: 'no_price',
  message: `has no price for ${nameOf(line)}, which the order has a line of`,
})

const nameOf = ({ sku_code: code, name, item_type: type, options_amount_cents: options }: Row): string => {
  const article = String(code ?? name ?? type)
  return Number(options) === 0 ? article : `${article} with options`
}
