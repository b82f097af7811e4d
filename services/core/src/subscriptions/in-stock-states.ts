/** The state machine of an in-stock subscription: it waits, rests, or has told its customer once. */
import { defineStateMachine } from '../states/define-state-machine.ts'

export const inStockStates = defineStateMachine({
  column: 'status',
  initial: 'active',
  states: ['active', 'inactive', 'notified'],
  transitions: {
    activate: {
      from: ['inactive'],
      to: 'active',
      trigger: '_activate',
      topic: 'in_stock_subscriptions.activate',
    },
    deactivate: {
      from: ['active'],
      to: 'inactive',
      trigger: '_deactivate',
      topic: 'in_stock_subscriptions.deactivate',
    },
    /** There is enough in stock again (jobs/notify-in-stock.ts). */
    notify: { from: ['active'], to: 'notified', topic: 'in_stock_subscriptions.notify' },
  },
})
