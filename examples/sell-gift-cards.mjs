/**
 * A guest buys a gift card, and pays with it: the order that buys it makes it active, the next one takes what it costs from the card, and
 * gives it back when the shop cancels it.
 */
import { chooseTransfer, fillCart, link, newAddress, writer } from './shared/cart.mjs'
import { credentials, getCore, market, print, requireOk, storefrontToken, tokenFor } from './shared/merx.mjs'

const shopToken = await tokenFor(credentials.integration)
const shop = writer(shopToken)
const token = await storefrontToken(`market:id:${market.id}`)
const writes = writer(token)

const cardAs = async ({ id }) => requireOk(await getCore(`gift_cards/${id}`, shopToken)).data.attributes

/** An order of nothing but the card, paid by bank transfer. */
const buyCard = async (card) => {
  const order = await writes.create('orders', { customer_email: 'giver@example.com' })
  await writes.create(
    'line_items',
    { quantity: 1 },
    { order: link('orders', order.id), item: link('gift_cards', card.id) },
  )
  await writes.change(order, {}, { billing_address: link('addresses', (await newAddress(writes)).id) })
  await chooseTransfer(order, token)
  await writes.create('wire_transfers', {}, { order: link('orders', order.id) })
  return (await writes.change(order, { _place: true })).attributes
}

const pay = async (code) => {
  const order = await fillCart(token)
  await chooseTransfer(order, token)
  const { attributes: priced } = await writes.change(order, { gift_card_code: code })
  if (priced.total_amount_with_taxes_cents > 0)
    await writes.create('wire_transfers', {}, { order: link('orders', order.id) })
  return writes.change(order, { _place: true })
}

const card = await writes.create(
  'gift_cards',
  { balance_cents: 1000 },
  { market: link('markets', market.id) },
)
const bought = await buyCard(card)
const { status, code } = await cardAs(card)
const paid = await pay(code)
const spent = await cardAs(card)
await shop.change(paid, { _cancel: true })
const { balance_cents: given_back, usage_log } = await cardAs(card)
print({
  bought: bought.status,
  card: status,
  paid_by_card: paid.attributes.gift_card_amount_cents,
  left_on_card: spent.balance_cents,
  given_back,
  log: usage_log[paid.id].map(({ action, amount_cents }) => `${action} ${amount_cents}`),
})
