/** The state machine of a stock transfer's status. Stock is moved when it is completed (complete-transfer.ts). */
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface StockTransferSubject {
  readonly now: Date
}

const recordCancellation = ({ now }: StockTransferSubject) => ({ set: { cancelled_at: now } })
const recordCompletion = ({ now }: StockTransferSubject) => ({ set: { completed_at: now } })
const recordTransit = ({ now }: StockTransferSubject) => ({ set: { in_transit_at: now } })
const recordHold = ({ now }: StockTransferSubject) => ({ set: { on_hold_at: now } })
const recordPicking = ({ now }: StockTransferSubject) => ({ set: { picking_at: now } })

export const stockTransferStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'upcoming', 'on_hold', 'picking', 'in_transit', 'completed', 'cancelled'],
  transitions: {
    upcoming: {
      from: ['draft'],
      to: 'upcoming',
      trigger: '_upcoming',
      only: 'integration',
      topic: 'stock_transfers.upcoming',
    },
    hold: {
      from: ['upcoming', 'picking'],
      to: 'on_hold',
      trigger: '_on_hold',
      only: 'integration',
      effects: [recordHold],
      topic: 'stock_transfers.on_hold',
    },
    pick: {
      from: ['upcoming', 'on_hold'],
      to: 'picking',
      trigger: '_picking',
      only: 'integration',
      effects: [recordPicking],
      topic: 'stock_transfers.picking',
    },
    send: {
      from: ['picking'],
      to: 'in_transit',
      trigger: '_in_transit',
      only: 'integration',
      effects: [recordTransit],
      topic: 'stock_transfers.in_transit',
    },
    complete: {
      from: ['in_transit'],
      to: 'completed',
      trigger: '_complete',
      only: 'integration',
      effects: [recordCompletion],
      topic: 'stock_transfers.complete',
    },
    cancel: {
      from: ['draft', 'upcoming', 'on_hold', 'picking', 'in_transit'],
      to: 'cancelled',
      trigger: '_cancel',
      only: 'integration',
      effects: [recordCancellation],
      topic: 'stock_transfers.cancel',
    },
  },
})

/** Nothing is on its way any more. */
export const TRANSFER_ENDED: readonly string[] = [
  'completed',
  'cancelled',
] satisfies readonly (typeof stockTransferStates.states)[number][]
