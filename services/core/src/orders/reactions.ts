/** What happens to an order when its payment or its shipments have moved, whoever moved them. */
import type { ByName } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { Reaction, ReactionStep } from '../engine/write/react.ts'
import { giveBackGiftCards } from '../gift-cards/settle.ts'
import { giveBackUses } from '../promotions/uses.ts'
import { transition } from '../states/transition.ts'
import { moveFulfillment, startShipments } from './fulfillment.ts'
import { orderStates } from './order-states.ts'
import { giveUpStock } from './stock/stock-of-order.ts'

/** As it is stored now; whoever writes the payment or a shipment of an order has locked it already. */
const lockOrder = async (
  number: unknown,
  { run, scope }: ReactionStep,
): Promise<RowOf<'Order'> | undefined> => {
  const text = 'SELECT * FROM orders WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'
  const [order] = await run<RowOf<'Order'>>({ text, values: [scope.environmentId, number] })
  return order
}

const writeOf = (
  before: RowOf<'Order'>,
  { registry }: ReactionStep,
  { set, topics }: { readonly set: RowWrite['columns']; readonly topics: readonly string[] },
): RowWrite => ({ definition: registry.require('orders'), before, columns: set, topics })

/** An approved order that is paid for, or needs no capture, is fulfilled from now on. */
const startFulfilling: Reaction = async ({ row, step }) => {
  const order = await lockOrder(row['id'], step)
  if (order === undefined) return []
  const planned = await moveFulfillment(order, 'automatic', step)
  if (planned.set['fulfillment_status'] !== 'in_progress') return []
  return [writeOf(order, step, planned), ...(await startShipments(order.id, step))]
}

/** The last shipment left, or was cancelled. */
const completeFulfilling: Reaction = async ({ row, step }) => {
  const order = await lockOrder(columnsOf('Shipment', row).order_id, step)
  if (order?.fulfillment_status !== 'in_progress') return []
  const planned = await moveFulfillment(order, 'automatic', step)
  return planned.set['fulfillment_status'] === 'fulfilled' ? [writeOf(order, step, planned)] : []
}

const GIVEN_BACK: readonly string[] = ['refunded', 'voided']

/** The last of its money was given back for goods that came back: the order was fulfilled and stays (lifecycles.md 1.2). */
const isGivenBackByReturn = async (order: number, { run, scope }: ReactionStep): Promise<boolean> => {
  const [found] = await run({
    text: `SELECT 1 FROM returns WHERE environment_id = $1 AND order_id = $2 AND reference_refund_id = (
        SELECT max(id) FROM transactions
        WHERE environment_id = $1 AND order_id = $2 AND type = 'refunds' AND succeeded)`,
    values: [scope.environmentId, order],
  })
  return found !== undefined
}

/** Paid for and fulfilled, or without anything to ship: what is refunded then stays with the buyer. What was not paid does not. */
const wasHandedOver = (order: RowOf<'Order'>): boolean =>
  order.status === 'approved' &&
  order.payment_status === 'refunded' &&
  ['fulfilled', 'not_required'].includes(order.fulfillment_status)

/** An order whose money was all given back is cancelled; what was fulfilled stays so (lifecycles.md 1.1). */
const cancelGivenBack: Reaction = async ({ row, step }) => {
  const order = await lockOrder(row['id'], step)
  if (order === undefined || !GIVEN_BACK.includes(order.payment_status)) return []
  if (await isGivenBackByReturn(order.id, step)) return []
  const start = { transition: 'cancelGivenBack' } as const
  const subject = { order, lines: [], now: step.now }
  const cancelled = await transition(orderStates, order, { start, subject })
  if (!('status' in cancelled.set)) return []
  const isInProgress = order.fulfillment_status === 'in_progress'
  const stopped = isInProgress
    ? await moveFulfillment(order, { transition: 'cancel' }, step)
    : { set: {}, topics: [] }
  const isHandedOver = wasHandedOver(order)
  // Stock is locked before promotions, as when an order is placed.
  const stock = isHandedOver ? [] : await giveUpStock(numberOf(order), step)
  if (!isHandedOver) await giveBackUses(order.id, step)
  // A gift card paid for a part of what is given back.
  const giftCards = await giveBackGiftCards(order, step)
  return [
    writeOf(order, step, {
      set: { ...cancelled.set, ...stopped.set },
      topics: [...cancelled.topics, ...stopped.topics],
    }),
    ...stock,
    ...giftCards,
  ]
}

export const orderReactions: ByName<Reaction> = {
  'orders.approve': startFulfilling,
  'orders.pay': startFulfilling,
  'orders.refund': cancelGivenBack,
  'orders.void': cancelGivenBack,
  'shipments.ship': completeFulfilling,
  'shipments.deliver': completeFulfilling,
  'shipments.cancel': completeFulfilling,
}
