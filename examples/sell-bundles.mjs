/**
 * The shop makes a bundle of two SKUs, two of the one and one of the other, and a guest buys two: of each SKU as many are promised as are
 * in them.
 */
import { chooseTransfer, fillCart, findInStock, link, writer } from './shared/cart.mjs'
import { credentials, getCore, market, print, requireOk, storefrontToken, tokenFor } from './shared/merx.mjs'

const shop = writer(await tokenFor(credentials.integration))
const token = await storefrontToken(`market:id:${market.id}`)
const writes = writer(token)

/** SKU code → units in one bundle. */
const makeBundle = async (contents) => {
  const code = `SET-${Date.now()}`
  const list = await shop.create('sku_lists', { name: code })
  for (const [sku_code, quantity] of Object.entries(contents))
    await shop.create('sku_list_items', { sku_code, quantity }, { sku_list: link('sku_lists', list.id) })
  const computed = { _compute_price_amount: true, _compute_compare_at_amount: true }
  const relationships = { market: link('markets', market.id), sku_list: link('sku_lists', list.id) }
  const bundle = await shop.create('bundles', { code, name: 'A set', ...computed }, relationships)
  // A tenth less than its SKUs cost one by one.
  const price_amount_cents = Math.floor(bundle.attributes.price_amount_cents * 0.9)
  return shop.change(bundle, { price_amount_cents })
}

/** Two of them, paid by bank transfer. */
const buy = async (bundle) => {
  const goods = { bundle_code: bundle.attributes.code, quantity: 2 }
  const order = await fillCart(token, undefined, goods)
  await chooseTransfer(order, token)
  await writes.create('wire_transfers', {}, { order: link('orders', order.id) })
  return writes.change(order, { _place: true })
}

// More than it takes, so that the other stories still find something in stock.
const [first, second] = await findInStock(token, 2, 12)
const bundle = await makeBundle({ [first]: 2, [second]: 1 })
const order = await buy(bundle)
const lines = requireOk(await getCore(`orders/${order.id}/stock_line_items`, token)).data
const unitsOf = (code) =>
  lines
    .filter(({ attributes }) => attributes.sku_code === code)
    .reduce((sum, { attributes }) => sum + attributes.quantity, 0)
const { price_amount_cents: price, compare_at_amount_cents: apart } = bundle.attributes
print({
  order: order.attributes.status,
  costs_less_than_its_skus: price < apart,
  is_paid_twice: order.attributes.subtotal_amount_cents === 2 * price,
  units: [unitsOf(first), unitsOf(second)],
})
