/** The state machine of an order's status, and what its statuses allow. The other transitions are not built yet. */
import type { Row } from '@merx/jsonapi/attributes'
import { defineStateMachine } from '../states/define-state-machine.ts'
import { isPurchasable } from './totals/order-amounts.ts'

export interface OrderSubject {
  readonly order: Row
  /** The line items as they will be. */
  readonly lines: readonly Row[]
}

/** Somebody is known to order something. */
const hasCustomerAndGoods = ({ order, lines }: OrderSubject): boolean => {
  const hasCustomer = order['customer_id'] !== null || (order['customer_email'] ?? '') !== ''
  return hasCustomer && lines.some(isPurchasable)
}

const lacksCustomerOrGoods = (subject: OrderSubject): boolean => !hasCustomerAndGoods(subject)

export const orderStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'pending', 'editing', 'placing', 'placed', 'approved', 'cancelled'],
  transitions: {
    pending: { from: ['draft'], to: 'pending', when: hasCustomerAndGoods, topic: 'orders.pending' },
    draft: { from: ['pending'], to: 'draft', when: lacksCustomerOrGoods, topic: 'orders.draft' },
  },
})

export type OrderStatus = (typeof orderStates.states)[number]

/** A status that an order has without a transition → the topic of reaching it. */
const REACHED: Readonly<Record<OrderStatus, string>> = {
  draft: 'orders.draft',
  pending: 'orders.pending',
  editing: 'orders.start_editing',
  placing: 'orders.placing',
  placed: 'orders.place',
  approved: 'orders.approve',
  cancelled: 'orders.cancel',
}

/** Of a new order, and of an imported one with another status than before: an import starts no transition. */
export const topicsWithoutTransition = (before: Row | undefined, after: Row): readonly string[] => {
  const status = orderStates.states.find((each) => each === after[orderStates.column])
  return status === undefined || before?.[orderStates.column] === status ? [] : [REACHED[status]]
}

const CART = ['draft', 'pending'] as const satisfies readonly OrderStatus[]

/** A cart: customers write it themselves, and it can be deleted. */
export const IN_THE_MAKING: readonly string[] = CART
/** An order gets there by being placed; one that is cancelled may never have been. */
export const PLACED: readonly unknown[] = ['placed', 'editing', 'approved'] satisfies readonly OrderStatus[]
/** The amounts may still change. */
export const EDITABLE: readonly string[] = [...CART, 'editing'] satisfies readonly OrderStatus[]
