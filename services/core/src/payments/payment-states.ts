/** The state machine of an order's payment status. Commands and other areas start its transitions by their names. */
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface PaymentSubject {
  readonly now: Date
}

const stamp = ({ now }: PaymentSubject) => ({ set: { payment_updated_at: now } })

const effects = [stamp]

export const paymentStates = defineStateMachine({
  column: 'payment_status',
  initial: 'unpaid',
  states: [
    'unpaid',
    'authorized',
    'partially_authorized',
    'paid',
    'partially_paid',
    'voided',
    'partially_voided',
    'refunded',
    'partially_refunded',
    'free',
  ],
  transitions: {
    authorize: {
      from: ['unpaid', 'partially_authorized'],
      to: 'authorized',
      effects,
      topic: 'orders.authorize',
    },
    authorizePartially: { from: ['unpaid'], to: 'partially_authorized', effects },
    pay: {
      from: ['authorized', 'partially_authorized', 'partially_paid', 'partially_voided'],
      to: 'paid',
      effects,
      topic: 'orders.pay',
    },
    payPartially: {
      from: ['authorized', 'partially_authorized', 'partially_voided'],
      to: 'partially_paid',
      effects,
    },
    /** The rest is captured of an order of which a part was refunded before. */
    payRefunded: { from: ['partially_paid'], to: 'partially_refunded', effects, topic: 'orders.pay' },
    void: {
      from: ['authorized', 'partially_authorized', 'partially_voided'],
      to: 'voided',
      effects,
      topic: 'orders.void',
    },
    voidPartially: { from: ['authorized', 'partially_authorized'], to: 'partially_voided', effects },
    refund: {
      from: ['paid', 'partially_paid', 'partially_refunded'],
      to: 'refunded',
      effects,
      topic: 'orders.refund',
    },
    refundPartially: {
      from: ['paid', 'partially_paid'],
      to: 'partially_refunded',
      effects,
      topic: 'orders.refund',
    },
    /** An order that is placed has nothing to pay. */
    free: { from: ['unpaid'], to: 'free', effects },
    /** What was authorized or paid is given back before the order is placed. */
    reset: {
      from: ['authorized', 'partially_authorized', 'paid', 'partially_paid', 'free'],
      to: 'unpaid',
      effects,
    },
    resetPartially: { from: ['authorized', 'paid', 'partially_paid'], to: 'partially_authorized', effects },
  },
})

export type PaymentStatus = (typeof paymentStates.states)[number]
export type PaymentTransition = keyof typeof paymentStates.transitions
