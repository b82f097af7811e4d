/**
 * A shop sells subscriptions: an integration gives the market a model, a customer orders an article every month and keeps the payment
 * source, the order makes a subscription, and the shop orders once more before the month is over. Then the subscription is cancelled.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { chooseTransfer, fillCart, link, newAddress, writer } from './shared/cart.mjs'
import {
  credentials,
  environment,
  getCore,
  market,
  print,
  requestToken,
  requireOk,
  tokenFor,
} from './shared/merx.mjs'

const shopToken = await tokenFor(credentials.integration)
const shop = writer(shopToken)

const readAs = async (token, path, query) => requireOk(await getCore(path, token, query)).data

/** Once for each market. */
const offerSubscriptions = async () => {
  const model = await shop.create('subscription_models', {
    name: 'Every month',
    frequencies: ['monthly', '0 8 1 * *'],
  })
  const sold = { type: 'markets', id: market.id }
  await shop.change(sold, {}, { subscription_model: link('subscription_models', model.id) })
}

const signIn = async () => {
  const { email: username, password } = environment.customer
  const { client_id } = credentials.sales_channel
  const scope = `market:id:${market.id}`
  const { access_token } = requireOk(
    await requestToken({ grant_type: 'password', client_id, username, password, scope }),
  )
  return access_token
}

/** The shop front of the customer. */
const subscribe = async (token) => {
  const writes = writer(token)
  const order = await fillCart(token, async (cart, { change }) => {
    const address = link('addresses', (await newAddress(writes)).id)
    await change(cart, {}, { shipping_address: address, billing_address: address })
  })
  const [line] = (await readAs(token, `orders/${order.id}/line_items`)).filter(
    ({ attributes }) => attributes.item_type === 'skus',
  )
  await writes.change(line, { frequency: 'monthly' })
  await chooseTransfer(order, token)
  await writes.create('wire_transfers', {}, { order: link('orders', order.id) })
  await writes.change(order, {
    _place: true,
    _save_payment_source_to_customer_wallet: true,
    _create_subscriptions: true,
  })
  const [subscription] = await readAs(token, `orders/${order.id}/order_subscriptions`)
  return { order, subscription }
}

/** What the next run will do by itself. */
const orderOnceMore = async (order, subscription) => {
  const copy = await shop.create(
    'recurring_order_copies',
    { place_target_order: true },
    {
      source_order: link('orders', order.id),
      order_subscription: link('order_subscriptions', subscription.id),
    },
  )
  for (let seconds = 0; seconds < 30; seconds += 1) {
    const { attributes } = await readAs(shopToken, `recurring_order_copies/${copy.id}`)
    if (['completed', 'failed'].includes(attributes.status)) return attributes
    await wait(1000)
  }
  throw new Error('no worker made the order')
}

await offerSubscriptions()
const { order, subscription } = await subscribe(await signIn())
const copied = await orderOnceMore(order, subscription)
const [made] = await readAs(shopToken, `order_subscriptions/${subscription.id}/orders`)
const { attributes: ended } = await shop.change(subscription, { _cancel: true })
print({
  status: subscription.attributes.status,
  next_run_in_days: Math.round((new Date(subscription.attributes.next_run_at) - Date.now()) / 86_400_000),
  copy: copied.status,
  errors: copied.errors_log,
  order_made: made?.attributes.status,
  ended: ended.status,
})
