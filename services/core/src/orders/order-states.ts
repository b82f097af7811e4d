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

const CART = ['draft', 'pending'] as const satisfies readonly OrderStatus[]

/** A cart: customers write it themselves, and it can be deleted. */
export const IN_THE_MAKING: readonly string[] = CART
/** The amounts may still change. */
export const EDITABLE: readonly string[] = [...CART, 'editing'] satisfies readonly OrderStatus[]
