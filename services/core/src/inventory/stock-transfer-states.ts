/** The state machine of a stock transfer's status. Stock is moved when it is completed (complete-transfer.ts). */
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface StockTransferSubject {
  readonly now: Date
}

const stamp =
  (column: string) =>
  ({ now }: StockTransferSubject) => ({ set: { [column]: now } })

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
      effects: [stamp('on_hold_at')],
      topic: 'stock_transfers.on_hold',
    },
    pick: {
      from: ['upcoming', 'on_hold'],
      to: 'picking',
      trigger: '_picking',
      only: 'integration',
      effects: [stamp('picking_at')],
      topic: 'stock_transfers.picking',
    },
    send: {
      from: ['picking'],
      to: 'in_transit',
      trigger: '_in_transit',
      only: 'integration',
      effects: [stamp('in_transit_at')],
      topic: 'stock_transfers.in_transit',
    },
    complete: {
      from: ['in_transit'],
      to: 'completed',
      trigger: '_complete',
      only: 'integration',
      effects: [stamp('completed_at')],
      topic: 'stock_transfers.complete',
    },
    cancel: {
      from: ['draft', 'upcoming', 'on_hold', 'picking', 'in_transit'],
      to: 'cancelled',
      trigger: '_cancel',
      only: 'integration',
      effects: [stamp('cancelled_at')],
      topic: 'stock_transfers.cancel',
    },
  },
})

/** Nothing is on its way any more. */
export const TRANSFER_ENDED: readonly string[] = [
  'completed',
  'cancelled',
] satisfies readonly (typeof stockTransferStates.states)[number][]
