/**
 * A guest buys something, from the empty cart to the placed order: goods, who and where to, how it is sent, how it is
 * paid. The payment method is a bank transfer, which needs no other service.
 */
import { getCore, market, print, requireOk, sendCore, storefrontToken } from './shared/merx.mjs'

const token = await storefrontToken(`market:id:${market.id}`)
const link = (type, id) => ({ data: { type, id } })
const create = async (type, attributes, relationships = {}) =>
  requireOk(await sendCore('POST', type, token, { type, attributes, relationships })).data
const change = async ({ type, id }, attributes, relationships = {}) =>
  requireOk(await sendCore('PATCH', `${type}/${id}`, token, { type, id, attributes, relationships })).data

/** The code of the first SKU of the market that is in stock. */
const findInStock = async () => {
  const { data } = requireOk(await getCore('skus', token, { 'page[size]': 25 }))
  for (const { id } of data) {
    const { code, inventory } = requireOk(await getCore(`skus/${id}`, token)).data.attributes
    if (inventory.available && inventory.quantity > 0) return code
  }
  throw new Error('nothing is in stock')
}

const order = await create('orders', {})
const ofOrder = { order: link('orders', order.id) }
await create('line_items', { sku_code: await findInStock(), quantity: 1 }, ofOrder)

const address = await create('addresses', {
  first_name: 'Ada',
  last_name: 'Lovelace',
  line_1: 'Via Roma 1',
  city: 'Torino',
  zip_code: '10121',
  state_code: 'TO',
  country_code: 'IT',
  phone: '+39 011 1234567',
})
await change(
  order,
  { customer_email: `guest-${order.attributes.number}@example.com` },
  { shipping_address: link('addresses', address.id), billing_address: link('addresses', address.id) },
)

const { data: shipments, included = [] } = requireOk(
  await getCore(`orders/${order.id}/shipments`, token, { include: 'available_shipping_methods' }),
)
const method = included.find(({ type }) => type === 'shipping_methods')
for (const shipment of shipments)
  await change(shipment, {}, { shipping_method: link('shipping_methods', method.id) })

const { included: offered } = requireOk(
  await getCore(`orders/${order.id}`, token, { include: 'available_payment_methods' }),
)
const transfer = offered.find(({ attributes }) => attributes.payment_source_type === 'wire_transfers')
await change(order, {}, { payment_method: link('payment_methods', transfer.id) })
await create('wire_transfers', {}, ofOrder)

const { attributes: placed } = await change(order, { _place: true })
print({
  status: placed.status,
  payment_status: placed.payment_status,
  goods: placed.formatted_subtotal_amount,
  shipping: placed.formatted_shipping_amount,
  total: placed.formatted_total_amount_with_taxes,
})
