/** Promotions in force in a shop that fillShop and fillCheckout filled. */
import { linkTo, sendAs } from '@merx/core/load/core-requests'
import { encodeId } from '@merx/core/load/load-ids'
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'

/** As many as apply to one order at most. */
export const PROMOTIONS = 10

/** SKUs of a list by hand, of as many as an order has lines. */
const LISTED = 50

type Attributes = Readonly<Record<string, unknown>>

/** @returns the answer with its body */
type Send = (request: LoadRequest) => Promise<LoadAnswer>

/** @throws Error when it was refused */
const idOf = ({ status, body = '' }: LoadAnswer): string => {
  if (status !== 201) throw new Error(`a promotion answers ${status}: ${body}`)
  return (JSON.parse(body) as { readonly data: { readonly id: string } }).data.id
}

/** One of each type that asks nobody outside, with rules and lists, and then percentages up to ten. */
export const fillPromotions = async (adminToken: string, send: Send): Promise<void> => {
  const make = async (
    type: string,
    attributes: Attributes,
    relationships: Attributes = {},
  ): Promise<string> =>
    idOf(await send(sendAs(adminToken, 'POST', `/api/${type}`, { type, attributes, relationships })))
  const list = await make('sku_lists', { name: 'Listed' })
  for (let sku = 1; sku <= LISTED; sku += 1) {
    const relationships = { sku_list: linkTo('sku_lists', list), sku: linkTo('skus', encodeId('skus', sku)) }
    await make('sku_list_items', { position: sku, quantity: 1 }, relationships)
  }
  const pattern = await make('sku_lists', { name: 'Pattern', manual: false, sku_code_regex: '[02468]$' })
  const dates = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }
  const ofList = (id: string) => ({ sku_list: linkTo('sku_lists', id) })
  const made: readonly (readonly [string, Attributes, Attributes])[] = [
    ['free_gift_promotions', { max_quantity: 2 }, ofList(list)],
    ['fixed_price_promotions', { fixed_amount_cents: 900, currency_code: 'EUR' }, ofList(pattern)],
    ['buy_x_pay_y_promotions', { x: 3, y: 2, cheapest_free: true }, ofList(list)],
    ['fixed_amount_promotions', { fixed_amount_cents: 1000, currency_code: 'EUR' }, {}],
    ['free_shipping_promotions', {}, {}],
    ...Array.from({ length: PROMOTIONS - 5 }, (_none, at): readonly [string, Attributes, Attributes] => [
      'percentage_discount_promotions',
      { percentage: at + 1 },
      at % 2 === 0 ? {} : ofList(pattern),
    ]),
  ]
  for (const [at, [type, attributes, relationships]] of made.entries()) {
    const id = await make(type, { name: `Promotion ${at}`, ...dates, ...attributes }, relationships)
    const promotion = { promotion: linkTo(type, id) }
    await make('order_amount_promotion_rules', { order_amount_cents: 100 }, promotion)
    if (at % 3 === 0)
      await make('sku_list_promotion_rules', { min_quantity: 1 }, { ...promotion, ...ofList(pattern) })
    if (at % 4 === 0)
      await make('custom_promotion_rules', { filters: { market_id_in: encodeId('markets', 1) } }, promotion)
  }
}
