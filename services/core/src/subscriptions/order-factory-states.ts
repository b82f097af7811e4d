/** The state machines of order copies: a job makes the order, places it, and says how that ended. */
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface CopySubject {
  readonly now: Date
}

const recordStart = ({ now }: CopySubject) => ({ set: { started_at: now } })
const recordCompletion = ({ now }: CopySubject) => ({ set: { completed_at: now } })
const recordFailure = ({ now }: CopySubject) => ({ set: { failed_at: now } })

const copyStates = <const Type extends 'order_copies' | 'recurring_order_copies'>(type: Type) =>
  defineStateMachine({
    column: 'status',
    initial: 'pending',
    states: ['pending', 'in_progress', 'aborted', 'failed', 'completed'],
    transitions: {
      start: { from: ['pending'], to: 'in_progress', effects: [recordStart], topic: `${type}.start` },
      complete: {
        from: ['in_progress'],
        to: 'completed',
        effects: [recordCompletion],
        topic: `${type}.complete`,
      },
      fail: { from: ['in_progress'], to: 'failed', effects: [recordFailure], topic: `${type}.fail` },
      /** Its subscription was cancelled before it began. */
      abort: { from: ['pending'], to: 'aborted' },
    },
  })

export const orderCopyStates = copyStates('order_copies')
export const recurringOrderCopyStates = copyStates('recurring_order_copies')

export const statesOfCopy = (type: string) =>
  type === 'order_copies' ? orderCopyStates : recurringOrderCopyStates
