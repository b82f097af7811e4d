/**
 * A customer buys something and sends it back: the shop agrees, takes it in, puts it into stock and gives the money back. Metrics counts
 * the return a moment later.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { chooseTransfer, fillCart, link, newAddress, writer } from './shared/cart.mjs'
import {
  credentials,
  environment,
  getCore,
  market,
  print,
  queryMetrics,
  requestToken,
  requireOk,
  tokenFor,
} from './shared/merx.mjs'

const shopToken = await tokenFor(credentials.integration)
const shop = writer(shopToken)
const readAsShop = async (path) => requireOk(await getCore(path, shopToken)).data

const signIn = async () => {
  const { email: username, password } = environment.customer
  const { client_id } = credentials.sales_channel
  const scope = `market:id:${market.id}`
  const { access_token } = requireOk(
    await requestToken({ grant_type: 'password', client_id, username, password, scope }),
  )
  return access_token
}

/** The customer buys, and the shop sends it. */
const buy = async (token) => {
  const writes = writer(token)
  const order = await fillCart(token, async (cart, { change }) => {
    const address = link('addresses', (await newAddress(writes)).id)
    await change(cart, {}, { shipping_address: address, billing_address: address })
  })
  await chooseTransfer(order, token)
  await writes.create('wire_transfers', {}, { order: link('orders', order.id) })
  await writes.change(order, { _place: true })
  for (const trigger of ['_approve_and_capture', '_fulfill']) await shop.change(order, { [trigger]: true })
  return order
}

/** The customer says what comes back, and why. */
const askFor = async (order, token) => {
  const { create, change } = writer(token)
  const lines = requireOk(await getCore(`orders/${order.id}/line_items`, token)).data
  const bought = lines.find(({ attributes }) => attributes.item_type === 'skus')
  const asked = await create('returns', {}, { order: link('orders', order.id) })
  await create(
    'return_line_items',
    { quantity: 1, return_reason: { kind: 'does not fit' } },
    { return: link('returns', asked.id), line_item: link('line_items', bought.id) },
  )
  return change(asked, { _request: true })
}

/** What metrics says of it, as soon as it has heard of the refund. */
const countedStatus = async ({ id }) => {
  const body = {
    breakdown: { by: 'return.status', field: 'return.id', operator: 'value_count', sort: 'desc', limit: 1 },
    filter: { return: { ids: { in: [id] } } },
  }
  let status
  for (let second = 0; second < 30 && status !== 'refunded'; second += 1) {
    if (second > 0) await wait(1000)
    const { data } = requireOk(await queryMetrics('breakdown', body, shopToken, 'returns'))
    status = data['return.status']?.[0]?.label
  }
  return status
}

const order = await buy(await signIn())
const requested = await askFor(order, await signIn())
const story = { requested: requested.attributes.status }
for (const trigger of ['_approve', '_ship', '_receive', '_restock', '_refund'])
  await shop.change(requested, { [trigger]: true })
const { attributes: taken } = await readAsShop(`returns/${requested.id}`)
const [refund] = await readAsShop(`orders/${order.id}/refunds`)
const { attributes: after } = await readAsShop(`orders/${order.id}`)
print({
  ...story,
  return: taken.status,
  is_refund_what_was_paid: refund.attributes.amount_cents === taken.estimated_refund_amount_cents,
  order: `${after.status}, ${after.payment_status}, ${after.fulfillment_status}`,
  metrics: await countedStatus(requested),
})
