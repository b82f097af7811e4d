/**
 * A guest fills a cart: begins an order in the market of the storefront, puts something into it, asks for more than there
 * is, and says who they are. The order adds up at every step, and is pending once somebody orders something.
 */
import { getCore, market, print, requireOk, sendCore, storefrontToken } from './shared/merx.mjs'

const token = await storefrontToken(`market:id:${market.id}`)

/** The first SKU of the market that is in stock, with how many of it there are. */
const findInStock = async () => {
  const { data } = requireOk(
    await getCore('skus', token, { 'page[size]': 25, 'filter[q][do_not_track_false]': true }),
  )
  for (const { id } of data) {
    const { attributes } = requireOk(await getCore(`skus/${id}`, token)).data
    if (attributes.inventory.quantity > 1)
      return { code: attributes.code, quantity: attributes.inventory.quantity }
  }
  throw new Error('nothing is in stock')
}

const { code, quantity } = await findInStock()
const order = requireOk(await sendCore('POST', 'orders', token, { type: 'orders' })).data

const add = (count) =>
  sendCore('POST', 'line_items', token, {
    type: 'line_items',
    attributes: { sku_code: code, quantity: count, _update_quantity: true },
    relationships: { order: { data: { type: 'orders', id: order.id } } },
  })

const line = requireOk(await add(2)).data.attributes
const tooMany = await add(quantity)
const attributes = { customer_email: `guest-${order.attributes.number}@example.com` }
const filled = requireOk(
  await sendCore('PATCH', `orders/${order.id}`, token, { type: 'orders', id: order.id, attributes }),
)

print({
  line: { name: line.name, quantity: line.quantity, total: line.formatted_total_amount },
  too_many: tooMany.body.errors.map(({ detail, meta }) => ({ detail, available: meta.count })),
  order: {
    status: filled.data.attributes.status,
    total: filled.data.attributes.formatted_total_amount_with_taxes,
    is_twice_the_price: filled.data.attributes.subtotal_amount_cents === 2 * line.unit_amount_cents,
  },
})
