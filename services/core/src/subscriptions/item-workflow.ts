/** What an item costs: the price of its SKU in the market of the subscription, or of its bundle, unless an amount is sent. */
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import { priceInForce } from '../catalogue/price-in-force.ts'
import { unitPriceOf, volumeTiersOf } from '../catalogue/price-of-quantity.ts'
import type { VolumeTier } from '../catalogue/price-of-quantity.ts'
import { pricesForBuyer } from '../catalogue/price-rules/price-for-buyer.ts'
import type { Buyer, PriceWithRules } from '../catalogue/price-rules/price-for-buyer.ts'
import { rulesInForce } from '../catalogue/price-rules/rules-in-force.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'

const PRICE = `
  SELECT prices.amount_cents, ${volumeTiersOf('prices')} AS tiers, prices.id AS price_id,
    prices.compare_at_amount_cents, ${rulesInForce('prices')} AS documents,
    subscriptions.customer_id, subscriptions.market_id
  FROM order_subscriptions AS subscriptions
  JOIN markets ON markets.environment_id = $1 AND markets.id = subscriptions.market_id
  CROSS JOIN ${priceInForce({ sku: '$3' })}
  WHERE subscriptions.environment_id = $1 AND subscriptions.id = $2`

const BUNDLE_PRICE = `SELECT price_amount_cents AS amount_cents FROM bundles
  WHERE environment_id = $1 AND id = $2`

interface Price extends PriceWithRules, Buyer {
  readonly tiers: readonly VolumeTier[]
}

export const itemWorkflow: WriteWorkflow = {
  completesFrom: ['order_subscription', 'item', 'sku_code', 'bundle_code', 'quantity', 'unit_amount_cents'],

  complete: async (after, before, request, step): Promise<Completion> => {
    const sent = sentNames(request)
    const isSent = sent.has('unit_amount_cents')
    const hasOwn = isSent
      ? after['unit_amount_cents'] !== null
      : columnsOf('OrderSubscriptionItem', after).has_own_amount === true
    const isNewItem = ['item_type', 'item_id'].some((column) => before?.[column] !== after[column])
    const isPriced = after['item_type'] !== 'adjustments' && !hasOwn
    const isSame = !isNewItem && !isSent && before?.['quantity'] === after['quantity']
    const unit =
      isPriced && !isSame
        ? await priceOf(after, step)
        : columnsOf('OrderSubscriptionItem', after).unit_amount_cents
    if (typeof unit !== 'number') return { violations: [withoutPrice(after['sku_code'])] }
    const total = unit * (columnsOf('OrderSubscriptionItem', after).quantity ?? 1)
    const currency = columnsOf('OrderSubscriptionItem', after).currency_code ?? ''
    if (Math.abs(total) > amountCentsMaxOf(currency)) return { violations: [tooMuch(currency)] }
    return { set: { unit_amount_cents: unit, total_amount_cents: total, has_own_amount: hasOwn } }
  },
}

const priceOf = async (item: Row, step: WorkflowStep): Promise<number | undefined> => {
  const { run, scope } = step
  const {
    order_subscription_id: subscription,
    item_type: type,
    item_id: number,
    quantity = 1,
  } = columnsOf('OrderSubscriptionItem', item)
  const { environmentId } = scope
  if (type === 'bundles') {
    const text = BUNDLE_PRICE
    const [bundle] = await run<Pick<Price, 'amount_cents'>>({ text, values: [environmentId, number] })
    return bundle?.amount_cents
  }
  const [listed] = await run<Price & Row>({ text: PRICE, values: [environmentId, subscription, number] })
  if (listed === undefined) return undefined
  const [price = listed] = await pricesForBuyer([listed], listed, step)
  return unitPriceOf(price.amount_cents, price.tiers, quantity)
}

const withoutPrice = (value: unknown): WriteViolation => ({
  at: { attribute: 'sku_code' },
  error: 'no_price',
  message: "has no price in the price list of the subscription's market",
  value,
})

const tooMuch = (currency: string): WriteViolation => ({
  at: { attribute: 'quantity' },
  error: 'amount_too_large',
  message: `makes the total exceed ${amountCentsMaxOf(currency)}, the most in ${currency}`,
})
