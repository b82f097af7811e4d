/**
 * The merchant's side of buy-something.mjs, which has to run first: the order is approved, paid and sent; then the money is
 * given back. Metrics shows it a moment later.
 */
import { credentials, getCore, print, requireOk, sendCore, tokenFor } from './shared/merx.mjs'

const token = await tokenFor(credentials.integration)
const start = async ({ type, id }, trigger) => {
  const { data } = requireOk(
    await sendCore('PATCH', `${type}/${id}`, token, { type, id, attributes: { [trigger]: true } }),
  )
  return data.attributes
}

const { data: placed } = requireOk(
  await getCore('orders', token, {
    'filter[q][status_eq]': 'placed',
    'filter[q][customer_email_start]': 'guest-',
    sort: '-placed_at',
    'page[size]': 1,
  }),
)
const [order] = placed
if (order === undefined) throw new Error('no guest has placed an order: run buy-something.mjs first')

const statuses = ({ status, payment_status, fulfillment_status }) =>
  `${status}, ${payment_status}, ${fulfillment_status}`

const story = { placed: statuses(order.attributes) }
story.approved = statuses(await start(order, '_approve'))
story.captured = statuses(await start(order, '_capture'))
const { data: shipments } = requireOk(await getCore(`orders/${order.id}/shipments`, token))
for (const shipment of shipments)
  for (const trigger of ['_packing', '_ready_to_ship', '_ship']) await start(shipment, trigger)
story.shipped = statuses(requireOk(await getCore(`orders/${order.id}`, token)).data.attributes)
story.refunded = statuses(await start(order, '_refund'))
print(story)
