/**
 * A guest buys something, from the empty cart to the placed order: goods, who and where to, how it is sent
 * (shared/cart.mjs), how it is paid. Then a customer signs in and buys twice: the first time the address goes to the
 * address book and the payment source to the wallet, the second time both come from there.
 */
import { chooseTransfer, fillCart, link, newAddress, writer } from './shared/cart.mjs'
import {
  credentials,
  environment,
  getCore,
  market,
  print,
  requestToken,
  requireOk,
  storefrontToken,
} from './shared/merx.mjs'

const transferFor = (order, { create }) => create('wire_transfers', {}, { order: link('orders', order.id) })

/** Places the order, and says what it has become. */
const place = async (order, { change }) => {
  const { attributes: placed } = await change(order, { _place: true })
  return {
    status: placed.status,
    payment_status: placed.payment_status,
    goods: placed.formatted_subtotal_amount,
    shipping: placed.formatted_shipping_amount,
    total: placed.formatted_total_amount_with_taxes,
    paid_with: placed.payment_source_details.type,
  }
}

const buyAsGuest = async () => {
  const token = await storefrontToken(`market:id:${market.id}`)
  const order = await fillCart(token)
  await chooseTransfer(order, token)
  await transferFor(order, writer(token))
  return place(order, writer(token))
}

const signIn = async () => {
  const { email: username, password } = environment.customer
  const { client_id } = credentials.sales_channel
  const scope = `market:id:${market.id}`
  return requireOk(await requestToken({ grant_type: 'password', client_id, username, password, scope }))
}

const { access_token: token, owner_id: customer } = await signIn()
const writes = writer(token)

/** What the customer has of a kind, the newest first. */
const listOwn = async (name, include) =>
  requireOk(await getCore(`customers/${customer}/${name}`, token, { include, sort: '-created_at' })).data

/** A new address for both, and a new payment source; both are kept. */
const buyTheFirstTime = async () => {
  const order = await fillCart(token, async (cart, { change }) => {
    const keep = {
      _shipping_address_same_as_billing: true,
      _save_billing_address_to_customer_address_book: true,
    }
    const billing_address = link('addresses', (await newAddress(writes)).id)
    await change(cart, keep, { billing_address })
  })
  await chooseTransfer(order, token)
  await transferFor(order, writes)
  await writes.change(order, { _save_payment_source_to_customer_wallet: true })
  return place(order, writes)
}

/** Nothing is typed again. */
const buyAgain = async () => {
  const [entry] = await listOwn('customer_addresses', 'address')
  const order = await fillCart(token, (cart, { change }) =>
    change(cart, {
      _billing_address_clone_id: entry.relationships.address.data.id,
      _shipping_address_same_as_billing: true,
    }),
  )
  await chooseTransfer(order, token)
  const [source] = await listOwn('customer_payment_sources', 'payment_source')
  await writes.change(order, { _customer_payment_source_id: source.id })
  return place(order, writes)
}

print({
  guest: await buyAsGuest(),
  customer_the_first_time: await buyTheFirstTime(),
  customer_again: await buyAgain(),
  address_book: (await listOwn('customer_addresses', 'address')).map(({ attributes }) => attributes.name),
  wallet: (await listOwn('customer_payment_sources', 'payment_source')).map(
    ({ attributes }) => attributes.name,
  ),
})
