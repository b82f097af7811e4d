/** The state machines of imports and exports. Workers start and complete them; clients interrupt them, and start exports again. */
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface JobSubject {
  readonly now: Date
}

const recordInterruption = ({ now }: JobSubject) => ({ set: { interrupted_at: now } })

const forgetInterruption = () => ({ set: { interrupted_at: null } })

export const importStates = defineStateMachine({
  column: 'status',
  initial: 'pending',
  states: ['pending', 'in_progress', 'interrupted', 'completed'],
  transitions: {
    start: { from: ['pending'], to: 'in_progress', topic: 'imports.start' },
    complete: { from: ['in_progress'], to: 'completed', topic: 'imports.complete' },
    interrupt: {
      from: ['pending', 'in_progress'],
      to: 'interrupted',
      trigger: '_interrupt',
      effects: [recordInterruption],
      topic: 'imports.interrupt',
    },
  },
})

export const exportStates = defineStateMachine({
  column: 'status',
  initial: 'pending',
  states: ['pending', 'in_progress', 'interrupted', 'completed', 'failed'],
  transitions: {
    start: { from: ['pending'], to: 'in_progress', topic: 'exports.start' },
    complete: { from: ['in_progress'], to: 'completed', topic: 'exports.complete' },
    fail: { from: ['in_progress'], to: 'failed' },
    interrupt: {
      from: ['pending', 'in_progress'],
      to: 'interrupted',
      trigger: '_interrupt',
      effects: [recordInterruption],
      topic: 'exports.interrupt',
    },
    resume: { from: ['interrupted'], to: 'pending', trigger: '_start', effects: [forgetInterruption] },
  },
})
