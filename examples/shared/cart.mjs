/** A cart that lacks nothing but how it is paid, and a bank transfer to pay it with. */
import { getCore, requireOk, sendCore } from './merx.mjs'

export const link = (type, id) => ({ data: { type, id } })

/** Requests with one token. */
export const writer = (token) => ({
  create: async (type, attributes, relationships = {}) =>
    requireOk(await sendCore('POST', type, token, { type, attributes, relationships })).data,
  change: async ({ type, id }, attributes, relationships = {}) =>
    requireOk(await sendCore('PATCH', `${type}/${id}`, token, { type, id, attributes, relationships })).data,
})

/** The codes of the first SKUs of the market of which so many units are in stock. */
export const findInStock = async (token, count, units) => {
  const { data } = requireOk(await getCore('skus', token, { 'page[size]': 25 }))
  const codes = []
  for (const { id } of data) {
    const { code, inventory } = requireOk(await getCore(`skus/${id}`, token)).data.attributes
    if (inventory.available && inventory.quantity >= units) codes.push(code)
    if (codes.length === count) return codes
  }
  throw new Error('too little is in stock')
}

const oneInStock = async (token) => ({ sku_code: (await findInStock(token, 1, 1))[0], quantity: 1 })

/** An address that is in no address book. */
export const newAddress = ({ create }) =>
  create('addresses', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    line_1: 'Via Roma 1',
    city: 'Torino',
    zip_code: '10121',
    state_code: 'TO',
    country_code: 'IT',
    phone: '+39 011 1234567',
  })

/** A guest says who they are with every order. */
const asGuest = async (order, writes) => {
  const address = link('addresses', (await newAddress(writes)).id)
  const attributes = { customer_email: `guest-${order.attributes.number}@example.com` }
  await writes.change(order, attributes, { shipping_address: address, billing_address: address })
}

/** Goods, who and where to, how it is sent. The order, with the token of a storefront; by default that of a guest. */
export const fillCart = async (token, sayWhoAndWhereTo = asGuest, goods = undefined) => {
  const writes = writer(token)
  const { create, change } = writes
  const order = await create('orders', {})
  const ofOrder = { order: link('orders', order.id) }
  await create('line_items', goods ?? (await oneInStock(token)), ofOrder)
  await sayWhoAndWhereTo(order, writes)
  const { data: shipments, included = [] } = requireOk(
    await getCore(`orders/${order.id}/shipments`, token, { include: 'available_shipping_methods' }),
  )
  const method = included.find(({ type }) => type === 'shipping_methods')
  for (const shipment of shipments)
    await change(shipment, {}, { shipping_method: link('shipping_methods', method.id) })
  return order
}

/** The order is to be paid by bank transfer, which needs no other service. */
export const chooseTransfer = async (order, token) => {
  const { included: offered } = requireOk(
    await getCore(`orders/${order.id}`, token, { include: 'available_payment_methods' }),
  )
  const transfer = offered.find(({ attributes }) => attributes.payment_source_type === 'wire_transfers')
  await writer(token).change(order, {}, { payment_method: link('payment_methods', transfer.id) })
}
