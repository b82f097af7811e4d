/**
 * The prices of an order's SKUs and bundles, read again from the list of its market; amounts that were sent are overwritten.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import { priceInForce } from '../catalogue/price-in-force.ts'
import { unitPriceOf, volumeTiersOf } from '../catalogue/price-of-quantity.ts'
import type { VolumeTier } from '../catalogue/price-of-quantity.ts'
import { pricesForBuyer } from '../catalogue/price-rules/price-for-buyer.ts'
import type { PriceWithRules } from '../catalogue/price-rules/price-for-buyer.ts'
import { rulesInForce } from '../catalogue/price-rules/rules-in-force.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { externalPriceOf, hasExternalPrice } from './external-price.ts'
import { linesAfter } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'
import { isRedeemedGiftCard } from './totals/order-amounts.ts'

const PRICES = `
  SELECT prices.sku_id, prices.amount_cents, prices.compare_at_amount_cents, prices.id AS price_id,
    ${volumeTiersOf('prices')} AS tiers, ${rulesInForce('prices')} AS documents
  FROM markets CROSS JOIN unnest($4::bigint[]) AS wanted (sku_id)
  CROSS JOIN ${priceInForce({ sku: 'wanted.sku_id', currency: '$3' })}
  WHERE markets.environment_id = $1 AND markets.id = $2`

/** A bundle is of the market, or of none and in its currency. */
const BUNDLES = `
  SELECT id AS bundle_id, price_amount_cents AS amount_cents, compare_at_amount_cents, '[]'::jsonb AS tiers FROM bundles
  WHERE environment_id = $1 AND (market_id = $2 OR market_id IS NULL) AND currency_code = $3 AND id = ANY($4::bigint[])`

interface Priced {
  readonly amount_cents: number
  readonly compare_at_amount_cents: number | null
  readonly tiers: readonly VolumeTier[]
}

type PriceOf = (line: Row) => Priced | undefined

export interface Repricing {
  /** The member whose change reprices the lines. */
  readonly at: NonNullable<WriteViolation['at']>
  /** Whether the order gets another currency. */
  readonly hasNewCurrency: boolean
}

/**
 * The lines with their prices; `order` is the row as it will be. Throws AppErrors when something has no price: an article
 * in the list, anything else in the order's new currency.
 */
export const repriceLines = async (
  order: Row,
  lines: readonly OrderLine[],
  { at, hasNewCurrency }: Repricing,
  step: WorkflowStep,
): Promise<readonly OrderLine[]> => {
  const { currency_code: currency } = order
  const current = linesAfter(lines)
  const priceOf = await readPrices(order, current, step)
  const external = new Map<Row, Row>()
  for (const line of current.filter(hasExternalPrice)) {
    const { set, violations } = await externalPriceOf(line, line, order, step)
    throwViolations((violations ?? []).map((violation) => ({ ...violation, at })))
    if (set !== undefined) external.set(line, set)
  }
  const unpriced = current.filter(
    (line) => isPriced(line) && !external.has(line) && priceOf(line) === undefined,
  )
  const stranded = hasNewCurrency ? current.filter(isStrandedIn(currency)) : []
  throwViolations([...unpriced, ...stranded].map((line) => withoutPrice(line, at)))
  return lines.map(({ before, after }) => {
    const asked = after === undefined ? undefined : external.get(after)
    if (asked !== undefined) return { before, after: { ...after, ...asked, currency_code: currency } }
    const price = after === undefined ? undefined : priceOf(after)
    if (price === undefined) return { before, after }
    const { quantity = 0 } = columnsOf('LineItem', after ?? {})
    const amounts = {
      unit_amount_cents: unitPriceOf(price.amount_cents, price.tiers, quantity),
      compare_at_amount_cents: price.compare_at_amount_cents,
      has_own_amount: false,
    }
    return { before, after: { ...after, ...amounts, currency_code: currency } }
  })
}

const numbersOf = (type: string, lines: readonly Row[]): readonly unknown[] =>
  lines.filter((line) => line['item_type'] === type).map((line) => line['item_id'])

const readPrices = async (order: Row, lines: readonly Row[], step: WorkflowStep): Promise<PriceOf> => {
  const { run, scope } = step
  const { customer_id: customer, market_id: market, currency_code: currency } = rowOf('Order', order)
  const read = async <R extends Priced>(text: string, numbers: readonly unknown[]): Promise<readonly R[]> =>
    numbers.length === 0
      ? []
      : run<R & Row>({ text, values: [scope.environmentId, market, currency, numbers] })
  const listed = await read<Priced & PriceWithRules & Pick<RowOf<'Price'>, 'sku_id'>>(
    PRICES,
    numbersOf('skus', lines),
  )
  const skus = await pricesForBuyer(listed, { customer_id: customer, market_id: market }, step)
  const bundles = await read<Priced & { readonly bundle_id: number }>(BUNDLES, numbersOf('bundles', lines))
  const bySku = new Map<unknown, Priced>(skus.map((price) => [price.sku_id, price]))
  const byBundle = new Map<unknown, Priced>(bundles.map((price) => [price.bundle_id, price]))
  return ({ item_type: type, item_id: item }) =>
    type === 'skus' ? bySku.get(item) : type === 'bundles' ? byBundle.get(item) : undefined
}

const isPriced = ({ item_type: type }: Row): boolean => type === 'skus' || type === 'bundles'

/** Types of lines that the order makes again when its currency changes. */
const FOLLOWING: readonly unknown[] = ['payment_methods', 'shipments']

/**
 * What was sent with an amount has no price in another currency: lines that are of no SKU, and options of those that
 * are. The lines of payment method, shipments and a gift card that pays follow these (payment-line.ts, shipping-lines.ts).
 */
const isStrandedIn =
  (currency: unknown) =>
  (line: Row): boolean => {
    if (line['currency_code'] === currency || FOLLOWING.includes(line['item_type'])) return false
    if (isRedeemedGiftCard(line)) return false
    return !isPriced(line) || columnsOf('LineItem', line).options_amount_cents !== 0
  }

const withoutPrice = (line: Row, at: NonNullable<WriteViolation['at']>): WriteViolation => ({
  at,
  error: 'no_price',
  message: `has no price for ${nameOf(line)}, which the order has a line of`,
})

const nameOf = (line: Row): string => {
  const { sku_code: code, bundle_code: bundle, name, item_type: type, options_amount_cents: options } = line
  const article = String(code ?? bundle ?? name ?? type)
  return Number(options) === 0 ? article : `${article} with options`
}
