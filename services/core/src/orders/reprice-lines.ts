/** The prices of an order's SKUs, read again from the list of its market; amounts that were sent are overwritten. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import { unitPriceOf, volumeTiersOf } from '../catalogue/price-of-quantity.ts'
import type { VolumeTier } from '../catalogue/price-of-quantity.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { externalPriceOf, hasExternalPrice } from './external-price.ts'
import { linesAfter } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'
import { isRedeemedGiftCard } from './totals/order-amounts.ts'

const PRICES = `
  SELECT prices.sku_id, prices.amount_cents, prices.compare_at_amount_cents,
    ${volumeTiersOf('prices')} AS tiers
  FROM markets
  JOIN prices ON prices.environment_id = $1 AND prices.price_list_id = markets.price_list_id
    AND prices.currency_code = $3 AND prices.sku_id = ANY($4::bigint[])
  WHERE markets.environment_id = $1 AND markets.id = $2`

type PriceRow = Pick<RowOf<'Price'>, 'sku_id' | 'amount_cents' | 'compare_at_amount_cents'> & {
  readonly tiers: readonly VolumeTier[]
}

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
  const { run, scope } = step
  const { market_id: market, currency_code: currency } = order
  const current = linesAfter(lines)
  const skus = current.filter(isOfSku).map((line) => line['item_id'])
  const values = [scope.environmentId, market, currency, skus]
  const prices = new Map<unknown, PriceRow>(
    (await run<PriceRow>({ text: PRICES, values })).map((price) => [price.sku_id, price]),
  )
  const external = new Map<Row, Row>()
  for (const line of current.filter(hasExternalPrice)) {
    const { set, violations } = await externalPriceOf(line, line, order, step)
    throwViolations((violations ?? []).map((violation) => ({ ...violation, at })))
    if (set !== undefined) external.set(line, set)
  }
  const unpriced = current.filter(
    (line) => isOfSku(line) && !external.has(line) && !prices.has(line['item_id']),
  )
  const stranded = hasNewCurrency ? current.filter(isStrandedIn(currency)) : []
  throwViolations([...unpriced, ...stranded].map((line) => withoutPrice(line, at)))
  return lines.map(({ before, after }) => {
    const asked = after === undefined ? undefined : external.get(after)
    if (asked !== undefined) return { before, after: { ...after, ...asked, currency_code: currency } }
    const price = isOfSku(after) ? prices.get(after['item_id']) : undefined
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

const isOfSku = (line: Row | undefined): line is Row => line?.['item_type'] === 'skus'

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
    return line['item_type'] !== 'skus' || columnsOf('LineItem', line).options_amount_cents !== 0
  }

const withoutPrice = (line: Row, at: NonNullable<WriteViolation['at']>): WriteViolation => ({
  at,
  error: 'no_price',
  message: `has no price for ${nameOf(line)}, which the order has a line of`,
})

const nameOf = ({ sku_code: code, name, item_type: type, options_amount_cents: options }: Row): string => {
  const article = String(code ?? name ?? type)
  return Number(options) === 0 ? article : `${article} with options`
}
