/** The state machine of an order's status, and what its statuses allow. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import { defineStateMachine } from '../states/define-state-machine.ts'
import { isPurchasable } from './totals/order-amounts.ts'

export interface OrderSubject {
  readonly order: Row
  /** The line items as they will be. */
  readonly lines: readonly Row[]
  /** When a command starts the transition. */
  readonly now?: Date
  /** Why the order cannot be placed (placeable/); found only when it is to be placed. */
  readonly unplaceable?: readonly WriteViolation[]
}

const hasCustomer = (order: Row): boolean =>
  (order['customer_id'] ?? null) !== null || (order['customer_email'] ?? '') !== ''

/** Somebody is known to order something. */
const hasCustomerAndGoods = ({ order, lines }: OrderSubject): boolean =>
  hasCustomer(order) && lines.some(isPurchasable)

const lacksCustomerOrGoods = (subject: OrderSubject): boolean => !hasCustomerAndGoods(subject)

const requirePlaceable = ({ unplaceable }: OrderSubject): readonly WriteViolation[] => {
  if (unplaceable === undefined) throw new Error('nobody checked whether the order can be placed')
  return unplaceable
}

/** Without them the order would become a draft again with its next change. */
const requireCustomerAndGoods = ({ order, lines }: OrderSubject): readonly WriteViolation[] => [
  ...(hasCustomer(order)
    ? []
    : [{ at: { attribute: 'customer_email' }, error: 'blank', message: "can't be blank" }]),
  ...(lines.some(isPurchasable)
    ? []
    : [{ at: { relationship: 'line_items' }, error: 'blank', message: 'must have something to sell' }]),
]

const isPlacedLater = ({ order }: OrderSubject): boolean => columnsOf('Order', order).place_async === true

const isPlacedAtOnce = (subject: OrderSubject): boolean => !isPlacedLater(subject)

const PAID_FOR = ['authorized', 'paid', 'partially_refunded', 'free'] as const
const AUTHORIZED = ['authorized'] as const

const requirePayment = (
  { order }: OrderSubject,
  trigger: `_${string}`,
  statuses: readonly string[],
): readonly WriteViolation[] => {
  const { payment_status: status = 'unpaid' } = columnsOf('Order', order)
  if (statuses.includes(status)) return []
  const message = `needs a payment that is ${statuses.join(' or ')}; it is ${status}`
  return [{ at: { attribute: trigger }, error: 'invalid_payment_status', message, value: status }]
}

const requirePaidFor = (subject: OrderSubject) => requirePayment(subject, '_approve', PAID_FOR)

const requireAuthorized = (subject: OrderSubject) =>
  requirePayment(subject, '_approve_and_capture', AUTHORIZED)

const UNTOUCHED = {
  payment_status: AUTHORIZED,
  fulfillment_status: ['unfulfilled', 'not_required'],
} as const

const isOneOf = (value: unknown, values: readonly string[]): boolean => values.some((each) => each === value)

/** An approved order is cancelled while nothing of it is paid or on its way; otherwise it is refunded (commerce.md 1.4). */
const requireUntouched = ({ order }: OrderSubject): readonly WriteViolation[] => {
  const columns = columnsOf('Order', order)
  const { status, payment_status: payment, fulfillment_status: fulfillment } = columns
  const isUntouched =
    isOneOf(payment, UNTOUCHED.payment_status) && isOneOf(fulfillment, UNTOUCHED.fulfillment_status)
  if (status !== 'approved' || isUntouched) return []
  const message = `cannot be sent for an approved order that is ${payment} and ${fulfillment}; it can while it is authorized and unfulfilled or not_required, later use _refund`
  return [{ at: { attribute: '_cancel' }, error: 'not_cancellable', message }]
}

const recordApproval = ({ now }: OrderSubject) => ({ set: { approved_at: now } })

const recordCancellation = ({ now }: OrderSubject) => ({ set: { cancelled_at: now } })

const recordPlacing = ({ order, now }: OrderSubject) => ({
  set: {
    placed_at: now,
    place_total_amount_cents: columnsOf('Order', order).total_amount_with_taxes_cents,
  },
})

export const orderStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'pending', 'editing', 'placing', 'placed', 'approved', 'cancelled'],
  transitions: {
    pending: { from: ['draft'], to: 'pending', when: hasCustomerAndGoods, topic: 'orders.pending' },
    draft: { from: ['pending'], to: 'draft', when: lacksCustomerOrGoods, topic: 'orders.draft' },
    resume: {
      from: ['draft', 'placing'],
      to: 'pending',
      trigger: '_pending',
      only: 'integration',
      guards: [requireCustomerAndGoods],
      topic: 'orders.pending',
    },
    place: {
      from: ['pending'],
      to: 'placed',
      trigger: '_place',
      when: isPlacedAtOnce,
      guards: [requirePlaceable],
      effects: [recordPlacing],
      topic: 'orders.place',
    },
    /** With place_async, a job places it (jobs/finish-placing.ts). */
    beginPlacing: {
      from: ['pending'],
      to: 'placing',
      trigger: '_place',
      when: isPlacedLater,
      guards: [requirePlaceable],
      topic: 'orders.placing',
    },
    finishPlacing: {
      from: ['placing'],
      to: 'placed',
      guards: [requirePlaceable],
      effects: [recordPlacing],
      topic: 'orders.place',
    },
    startEditing: {
      from: ['placed'],
      to: 'editing',
      trigger: '_start_editing',
      only: 'integration',
      topic: 'orders.start_editing',
    },
    stopEditing: {
      from: ['editing'],
      to: 'placed',
      trigger: '_stop_editing',
      only: 'integration',
      guards: [requirePlaceable],
      topic: 'orders.stop_editing',
    },
    approve: {
      from: ['placed'],
      to: 'approved',
      trigger: '_approve',
      only: 'integration',
      guards: [requirePaidFor],
      needs: [{ payment_status: PAID_FOR }],
      effects: [recordApproval],
      topic: 'orders.approve',
    },
    approveAndCapture: {
      from: ['placed'],
      to: 'approved',
      trigger: '_approve_and_capture',
      only: 'integration',
      guards: [requireAuthorized],
      needs: [{ payment_status: AUTHORIZED }],
      effects: [recordApproval],
      topic: 'orders.approve',
    },
    cancel: {
      from: ['pending', 'placed', 'editing', 'approved'],
      to: 'cancelled',
      trigger: '_cancel',
      guards: [requireUntouched],
      needs: [{ status: ['pending', 'placed', 'editing'] }, { status: ['approved'], ...UNTOUCHED }],
      effects: [recordCancellation],
      topic: 'orders.cancel',
    },
    /** Everything that was authorized or paid was given back. */
    cancelGivenBack: {
      from: ['placed', 'editing', 'approved'],
      to: 'cancelled',
      effects: [recordCancellation],
      topic: 'orders.cancel',
    },
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
