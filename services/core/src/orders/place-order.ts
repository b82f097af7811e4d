/** Places an order. The order is locked, then its customer, then stock. */
import type { Row } from '@merx/jsonapi/attributes'
import { countOrder } from '../customers/count-order.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { CommandOutcome } from '../engine/write/commands.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'
import { authorizeOrder } from '../payments/pay-order.ts'
import { transition } from '../states/transition.ts'
import { announceShipments, moveFulfillment } from './fulfillment.ts'
import { orderStates } from './order-states.ts'
import { isMoved } from './order-step.ts'
import { violationsOf } from './placeable/checks.ts'
import { readPlaceableFacts } from './placeable/facts.ts'
import { holdStock } from './stock/hold-stock.ts'
import { lockOrderStock } from './stock/order-stock.ts'
import { coverStock } from './stock/plan-again.ts'

export interface Placing {
  /** The row and its lines as they will be. */
  readonly order: RowOf<'Order'>
  readonly lines: readonly Row[]
  /** Writes of the same request that come before. */
  readonly planned: readonly RowWrite[]
}

/** Either everything that placing means, or why the order cannot be placed. */
export const placeOrder = async (
  { order, lines, planned }: Placing,
  step: ReactionStep,
): Promise<CommandOutcome> => {
  const isOpen = order.status === 'pending'
  const facts = isOpen ? await readPlaceableFacts(order, lines, step) : undefined
  const unplaceable = facts === undefined ? [] : violationsOf(facts)
  const subject = { order, lines, now: step.now, unplaceable }
  const moved = await transition(orderStates, order, { start: { trigger: '_place' }, subject })
  if (!isMoved(moved)) return { violations: moved.violations }
  const placed = { ...order, ...moved.set }
  const counted = await countOrder(order.customer_id, step)
  const covered = await coverStock(order, lines, await lockOrderStock(order.id, lines, step), step)
  if (covered.violations.length > 0) return { violations: covered.violations }
  const held = await holdStock(covered.stock, step)
  if (held.violations.length > 0) return { violations: held.violations }
  const payment = await authorizeOrder(placed, { isPlacing: true }, step, planned)
  if (payment.violations.length > 0) return { violations: payment.violations }
  const fulfillment = await moveFulfillment({ ...placed, ...payment.set }, 'automatic', step)
  return {
    set: {
      ...covered.set,
      ...moved.set,
      customer_type: counted.isReturning ? 'returning' : 'new',
      ...payment.set,
      ...fulfillment.set,
    },
    topics: [...covered.topics, ...moved.topics, ...payment.topics, ...fulfillment.topics],
    writes: [
      ...counted.writes,
      ...held.writes,
      ...(await announceShipments(order.id, step)),
      ...payment.writes,
    ],
  }
}
