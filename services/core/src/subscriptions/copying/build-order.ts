/** Makes the new order of a copy with its articles: prices and stock are those of now. What it needs besides is complete-order.ts. */
import type { RowOf } from '../../engine/database/rows.ts'
import { numberOf } from '../../engine/write/persist.ts'
import { addArticle, articlesOfOrder, articlesOfSubscription } from './articles.ts'
import { hasErrors, keyOf, tryTo } from './copy-errors.ts'
import type { Copying } from './copy-errors.ts'
import { createAsShop } from './shop-writes.ts'

/** Describes the order for its customer and decides nothing about its price. */
const COPIED = [
  'affiliate_code',
  'language_code',
  'shipping_country_code_lock',
  'freight_taxable',
  'payment_method_taxable',
  'adjustment_taxable',
  'gift_card_taxable',
  'cart_url',
  'return_url',
  'terms_url',
  'privacy_url',
  'metadata',
] as const satisfies readonly (keyof RowOf<'Order'>)[]

/** The number of the order; undefined when there is none, and `errors` says why. */
export const buildOrder = async (copying: Copying): Promise<number | undefined> => {
  const { copy, source, errors, step } = copying
  const key = keyOf('orders', source.id, step)
  let target: number | undefined
  await tryTo(key, 'orders', async () => (target = await begin(copying)), copying)
  if (target === undefined) return undefined
  const order = target
  const articles =
    copy.type === 'recurring_order_copies' && copy.order_subscription_id !== null
      ? await articlesOfSubscription(copy.order_subscription_id, step)
      : await articlesOfOrder(source.id, step)
  let added = 0
  for (const article of articles) {
    const isAdded = await tryTo(article.key, 'line_items', () => addArticle(order, article, step), copying)
    if (isAdded) added += 1
    else if (copy.skip_errors !== true) return undefined
  }
  if (added === 0 && !hasErrors(errors))
    errors[key] = { line_items: ['has no article that could be ordered again'] }
  if (added === 0) return undefined
  return order
}

const begin = async ({ copy, source, step }: Copying): Promise<number> => {
  const attributes = Object.fromEntries(COPIED.map((name) => [name, source[name]]))
  const links = {
    market: ['markets', source.market_id],
    store: ['stores', source.store_id],
    customer: ['customers', source.customer_id],
  } as const
  const given = {
    order_subscription_id: copy.order_subscription_id,
    without_promotions: copy.apply_promotions !== true,
  }
  return numberOf(await createAsShop('orders', { attributes, links }, step, given))
}
