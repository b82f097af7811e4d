/** The state machine of a gift card: from its making over the order that buys it to its last use. */
import { defineStateMachine } from '../states/define-state-machine.ts'

export const giftCardStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'inactive', 'active', 'redeemed'],
  transitions: {
    purchase: {
      from: ['draft'],
      to: 'inactive',
      trigger: '_purchase',
      only: 'integration',
      topic: 'gift_cards.purchase',
    },
    activate: {
      from: ['inactive'],
      to: 'active',
      trigger: '_activate',
      only: 'integration',
      topic: 'gift_cards.activate',
    },
    deactivate: {
      from: ['active'],
      to: 'inactive',
      trigger: '_deactivate',
      only: 'integration',
      topic: 'gift_cards.deactivate',
    },
    /** An order used it up. */
    redeem: { from: ['active'], to: 'redeemed', topic: 'gift_cards.redeem' },
    /** The order that used it up gave back what it took. */
    restore: { from: ['redeemed'], to: 'active', topic: 'gift_cards.activate' },
    /** The order that bought it was cancelled: what is given back to it later makes it no money again. */
    revoke: { from: ['redeemed'], to: 'inactive', topic: 'gift_cards.deactivate' },
  },
})
