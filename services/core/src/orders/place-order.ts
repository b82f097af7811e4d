/** Places an order. The order is locked, then its customer, then stock, then its coupon and promotions, then gift cards. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { countOrder } from '../customers/count-order.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { CommandOutcome } from '../engine/write/commands.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'
import { settleGiftCards } from '../gift-cards/settle.ts'
import { authorizeOrder } from '../payments/pay-order.ts'
import { countUses } from '../promotions/uses.ts'
import type { Start } from '../states/transition.ts'
import { transition } from '../states/transition.ts'
import { announceShipments, moveFulfillment } from './fulfillment.ts'
import { wantedGiftCards } from './gift-card-line.ts'
import { orderStates } from './order-states.ts'
import type { OrderStatus } from './order-states.ts'
import { isMoved } from './order-step.ts'
import { violationsOf } from './placeable/checks.ts'
import { readPlaceableFacts } from './placeable/facts.ts'
import { usedPromotions } from './promotion-lines.ts'
import { readOrdered } from './stock/order-stock.ts'
import { promiseStock } from './stock/promise-stock.ts'

export interface Placing {
  /** The row and its lines as they will be. */
  readonly order: RowOf<'Order'>
  readonly lines: readonly Row[]
  /** Writes of the same request that come before. */
  readonly planned: readonly RowWrite[]
}

const UNPLACED: readonly string[] = ['draft', 'pending', 'placing'] satisfies readonly OrderStatus[]

const isByJob = (start: Start<keyof typeof orderStates.transitions>): boolean =>
  typeof start === 'object' && 'transition' in start

/** A draft cannot be placed, and one answer says what else it lacks. */
const withMissing = (
  { status }: RowOf<'Order'>,
  refusals: readonly WriteViolation[],
  missing: readonly WriteViolation[],
): readonly WriteViolation[] => (status === 'draft' ? [...refusals, ...missing] : refusals)

/** Either everything that placing means, or why the order cannot be placed. */
export const placeOrder = async (
  { order, lines, planned }: Placing,
  step: ReactionStep,
  start: Start<keyof typeof orderStates.transitions> = { trigger: '_place' },
): Promise<CommandOutcome> => {
  const ordering = readOrdered(order.id, lines, step)
  const facts = UNPLACED.includes(order.status)
    ? await readPlaceableFacts(order, lines, ordering, step)
    : undefined
  const ordered = await ordering
  const unplaceable = facts === undefined ? [] : violationsOf(facts)
  const subject = { order, lines, now: step.now, unplaceable }
  const moved = await transition(orderStates, order, { start, subject })
  if (!isMoved(moved)) return { violations: withMissing(order, moved.violations, unplaceable) }
  if (moved.set['status'] === 'placing') return { set: moved.set, topics: moved.topics }
  const placed = { ...order, ...moved.set }
  const counted = await countOrder(order.customer_id, step)
  await step.run({ text: 'SAVEPOINT unpromised', values: [] })
  const promised = await promiseStock(order, lines, ordered, step)
  if (promised.violations.length > 0) return { violations: promised.violations }
  const uncounted = await countUses(order, usedPromotions(lines), step)
  if (uncounted.length > 0) return { violations: uncounted }
  const giftCards = await settleGiftCards(order, wantedGiftCards(lines), step)
  if (giftCards.violations.length > 0) return { violations: giftCards.violations }
  const payment = await authorizeOrder(placed, { isPlacing: true }, step, planned)
  if (payment.violations.length > 0) return { violations: payment.violations }
  if (payment.failure !== undefined) {
    await step.run({ text: 'ROLLBACK TO SAVEPOINT unpromised', values: [] }) // the order holds no stock and uses no promotion
    // Whoever sent _place finds the transaction that failed; a job has nobody to find it.
    return isByJob(start) ? { violations: [payment.failure] } : {}
  }
  const [fulfillment, announced] = await Promise.all([
    moveFulfillment({ ...placed, ...payment.set }, 'automatic', step),
    announceShipments(order.id, step),
  ])
  return {
    set: {
      ...promised.set,
      ...moved.set,
      customer_type: counted.isReturning ? 'returning' : 'new',
      ...payment.set,
      ...fulfillment.set,
    },
    topics: [...promised.topics, ...moved.topics, ...payment.topics, ...fulfillment.topics],
    writes: [...counted.writes, ...promised.writes, ...giftCards.writes, ...announced, ...payment.writes],
  }
}
