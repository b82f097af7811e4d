/** The state machine of an order's fulfillment: from the approval of what is paid for until the last shipment left. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import { defineStateMachine } from '../states/define-state-machine.ts'
import { PLACED } from './order-states.ts'

export interface FulfillmentSubject {
  readonly order: Row
  readonly now: Date
  /** Whether its payment method wants the money before anything leaves. */
  readonly requiresCapture: boolean
  /** Whether it has a line of something that is shipped. */
  readonly hasGoodsToShip: boolean
  readonly shipments: readonly { readonly isEnded: boolean }[]
  /** Transfers of its shipments that are not completed or cancelled. */
  readonly openTransfers?: number
}

const isReady = ({ order, requiresCapture }: FulfillmentSubject): boolean => {
  const { status, payment_status: payment } = columnsOf('Order', order)
  if (status !== 'approved') return false
  if (payment === 'authorized') return !requiresCapture
  // Refunded in part: all that was due had been captured (payments/after-movement.ts).
  return payment === 'paid' || payment === 'free' || payment === 'partially_refunded'
}

const hasNothingToShip = ({ order, hasGoodsToShip }: FulfillmentSubject): boolean =>
  PLACED.includes(order['status']) && !hasGoodsToShip

const hasGoodsToShip = (subject: FulfillmentSubject): boolean => subject.hasGoodsToShip

const haveAllLeft = ({ shipments }: FulfillmentSubject): boolean =>
  shipments.length > 0 && shipments.every(({ isEnded }) => isEnded)

/** Goods that are still elsewhere have not left, and would stay reserved there. */
const hasNoOpenTransfers = ({ openTransfers = 0 }: FulfillmentSubject): readonly WriteViolation[] =>
  openTransfers === 0
    ? []
    : [
        {
          at: { relationship: 'stock_transfers' },
          error: 'not_completed',
          message: `must be completed or cancelled; ${openTransfers} are not`,
          count: openTransfers,
        },
      ]

const record = ({ now }: FulfillmentSubject) => ({ set: { fulfillment_updated_at: now } })

export const fulfillmentStates = defineStateMachine({
  column: 'fulfillment_status',
  initial: 'unfulfilled',
  states: ['unfulfilled', 'in_progress', 'fulfilled', 'not_required'],
  transitions: {
    waive: { from: ['unfulfilled'], to: 'not_required', when: hasNothingToShip, effects: [record] },
    /** An order that is edited got something to ship. */
    require: { from: ['not_required'], to: 'unfulfilled', when: hasGoodsToShip, effects: [record] },
    start: {
      from: ['unfulfilled'],
      to: 'in_progress',
      when: isReady,
      effects: [record],
      topic: 'orders.start_fulfilling',
    },
    complete: {
      from: ['in_progress'],
      to: 'fulfilled',
      when: haveAllLeft,
      effects: [record],
      topic: 'orders.fulfill',
    },
    fulfill: {
      from: ['in_progress'],
      to: 'fulfilled',
      trigger: '_fulfill',
      only: 'integration',
      guards: [hasNoOpenTransfers],
      effects: [record],
      topic: 'orders.fulfill',
    },
    cancel: {
      from: ['in_progress'],
      to: 'unfulfilled',
      effects: [record],
      topic: 'orders.cancel_fulfilling',
    },
  },
})
