/**
 * The merchant's side of buy-something.mjs, which has to run first: the order is approved, paid in two parts and sent;
 * then the money is given back, first a part. Metrics shows it a moment later.
 */
import { credentials, getCore, print, requireOk, sendCore, tokenFor } from './shared/merx.mjs'

const token = await tokenFor(credentials.integration)
const change = async ({ type, id }, attributes) =>
  requireOk(await sendCore('PATCH', `${type}/${id}`, token, { type, id, attributes })).data.attributes
const start = (record, trigger) => change(record, { [trigger]: true })
const related = async (name) => requireOk(await getCore(`orders/${order.id}/${name}`, token)).data

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

const now = async () => statuses(requireOk(await getCore(`orders/${order.id}`, token)).data.attributes)

const story = { placed: statuses(order.attributes) }
story.approved = statuses(await start(order, '_approve'))
const [authorization] = await related('authorizations')
const half = Math.floor(authorization.attributes.amount_cents / 2)
const { capture_balance_cents } = await change(authorization, { _capture: true, _capture_amount_cents: half })
story.captured_in_part = `${await now()}; ${capture_balance_cents} left`
story.captured = statuses(await start(order, '_capture'))
for (const shipment of await related('shipments'))
  for (const trigger of ['_packing', '_ready_to_ship', '_ship']) await start(shipment, trigger)
story.shipped = await now()
const [capture] = await related('captures')
const part = Math.ceil(capture.attributes.amount_cents / 2)
const { refund_balance_cents } = await change(capture, { _refund: true, _refund_amount_cents: part })
story.refunded_in_part = `${await now()}; ${refund_balance_cents} left`
story.refunded = statuses(await start(order, '_refund'))
print(story)
