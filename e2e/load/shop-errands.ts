/** The errands of a day in a shop: a purchase, an order sent off, a return, an import. */
import {
  addToCart,
  beginOrder,
  checkOut,
  chooseShipping,
  giveAddress,
  offerShipping,
  payByTransfer,
  startOfOrder,
} from '@merx/core/load/checkout-requests'
import { linkTo, sendAs } from '@merx/core/load/core-requests'
import type { LoadRequest } from '@merx/load/exchange'
import { idOf, includedOf, resourcesOf, type Errand } from './errands.ts'
import { get, post } from './requests.ts'

/** What is sold, and orders on their way from one errand to the next. */
export interface Day {
  /** Ids of SKUs with more stock than a day sells. */
  readonly skus: readonly string[]
  readonly paymentMethod: string
  readonly placed: string[]
  readonly sent: string[]
  /** How many orders were placed, and imports begun. */
  readonly done: { placed: number; imported: number }
}

const LINES = 2
const IMPORTED = 20

export const purchase = (day: Day) =>
  function* (token: string, person: number): Errand {
    const order = idOf(yield beginOrder(token))
    const at = person + day.done.placed
    for (let line = 0; line < LINES; line += 1)
      yield addToCart(token, order, day.skus[(at + line) % day.skus.length] ?? '', 1 + (at % 3))
    const address = idOf(yield giveAddress(token))
    const email = `buyer-${at % 1_000}@example.com`
    yield checkOut(token, order, { email, address, paymentMethod: day.paymentMethod })
    const offered = yield offerShipping(token, order)
    const method = includedOf(offered, 'shipping_methods')[0]?.id ?? ''
    for (const shipment of resourcesOf(offered)) yield chooseShipping(token, shipment.id, method)
    yield payByTransfer(token, order)
    yield startOfOrder(token, order, '_place')
    day.done.placed += 1
    day.placed.push(order)
  }

const trigger = (token: string, type: string, id: string, name: string): LoadRequest =>
  sendAs(token, 'PATCH', `/api/${type}/${id}`, { type, id, attributes: { [name]: true } })

/** The oldest order that waits; a look at the newest ones while none does. */
export const sendOff = (day: Day) =>
  function* (token: string): Errand {
    const order = day.placed.shift()
    if (order === undefined) {
      yield get(token, 'orders?sort=-id&page%5Bsize%5D=10')
      return
    }
    yield startOfOrder(token, order, '_approve')
    yield startOfOrder(token, order, '_capture')
    for (const { id } of resourcesOf(yield get(token, `orders/${order}/shipments`)))
      for (const name of ['_packing', '_ready_to_ship', '_ship']) yield trigger(token, 'shipments', id, name)
    day.sent.push(order)
  }

const RETURN_STEPS = ['_request', '_approve', '_ship', '_receive', '_restock', '_refund']

/** One unit of what was sent comes back; every fifth order. */
export const takeBack = (day: Day) =>
  function* (token: string): Errand {
    const [order] = day.sent.splice(0, 5)
    if (order === undefined) {
      yield get(token, 'returns?sort=-id&page%5Bsize%5D=10')
      return
    }
    const lines = resourcesOf(yield get(token, `orders/${order}/line_items`))
    const line = lines.find(({ attributes }) => attributes['item_type'] === 'skus')?.id ?? ''
    const made = idOf(yield post(token, 'returns', { relationships: { order: linkTo('orders', order) } }))
    yield post(token, 'return_line_items', {
      attributes: { quantity: 1, return_reason: { size: 'wrong' } },
      relationships: { return: linkTo('returns', made), line_item: linkTo('line_items', line) },
    })
    for (const name of RETURN_STEPS) yield trigger(token, 'returns', made, name)
  }

/** Customers whom nobody has yet. */
export const importing = (day: Day) =>
  function* (token: string): Errand {
    day.done.imported += 1
    const inputs = Array.from({ length: IMPORTED }, (_, at) => ({
      email: `imported-${day.done.imported}-${at}@example.com`,
    }))
    yield post(token, 'imports', { attributes: { resource_type: 'customers', inputs } })
  }
