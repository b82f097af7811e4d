/** The state machine of a stock reservation's status: a draft expires, a pending one waits for its order. */
import { defineStateMachine } from '../states/define-state-machine.ts'

const withoutExpiry = () => ({ set: { expires_at: null } })

export const stockReservationStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'pending'],
  transitions: {
    pending: { from: ['draft'], to: 'pending', trigger: '_pending', effects: [withoutExpiry] },
  },
})
