/** One action for several orders: which actions that is, and what came of it for each order. */
import { triggersOfOrder } from '../data/triggers.ts'

/** Those that make sense for several at once. To refund many orders is to look at each of them. */
const BULK = [
  ...['_approve', '_approve_and_capture', '_capture', '_fulfill', '_cancel', '_archive', '_unarchive'],
]

export interface BulkAction<Order> {
  readonly trigger: string
  /** Those of the chosen that take it now. */
  readonly orders: readonly Order[]
}

/** Only actions that at least one of the chosen orders takes. */
export const bulkActions = <Order extends object>(chosen: readonly Order[]): readonly BulkAction<Order>[] =>
  BULK.map((trigger) => ({
    trigger,
    orders: chosen.filter((order) => triggersOfOrder(order).includes(trigger)),
  })).filter(({ orders }) => orders.length > 0)

export interface Outcome<Order> {
  readonly order: Order
  /** Undefined when it is done. */
  readonly error?: unknown
}

/**
 * One after the other: answers come in the order of the rows, and core has one write of ours at a time.
 * @param onOutcome after each order
 */
export const doToEach = async <Order>(
  orders: readonly Order[],
  act: (order: Order) => Promise<unknown>,
  onOutcome: (outcomes: readonly Outcome<Order>[]) => void,
): Promise<void> => {
  const outcomes: Outcome<Order>[] = []
  for (const order of orders) {
    const outcome = await act(order).then(
      (): Outcome<Order> => ({ order }),
      (error: unknown): Outcome<Order> => ({ order, error }),
    )
    outcomes.push(outcome)
    onOutcome([...outcomes])
  }
}
