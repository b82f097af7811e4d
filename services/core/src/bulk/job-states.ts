/** The state machines of imports, cleanups and exports. Workers start and complete them; clients interrupt them, and start exports again. */
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface JobSubject {
  readonly now: Date
}

const recordInterruption = ({ now }: JobSubject) => ({ set: { interrupted_at: now } })

const forgetInterruption = () => ({ set: { interrupted_at: null } })

/** Imports and cleanups end in the same way: none of them is started again. */
const oneRun = <Type extends 'imports' | 'cleanups'>(type: Type) =>
  defineStateMachine({
    column: 'status',
    initial: 'pending',
    states: ['pending', 'in_progress', 'interrupted', 'completed'],
    transitions: {
      start: { from: ['pending'], to: 'in_progress', topic: `${type}.start` },
      complete: { from: ['in_progress'], to: 'completed', topic: `${type}.complete` },
      interrupt: {
        from: ['pending', 'in_progress'],
        to: 'interrupted',
        trigger: '_interrupt',
        effects: [recordInterruption],
        topic: `${type}.interrupt`,
      },
    },
  })

export const importStates = oneRun('imports')

export const cleanupStates = oneRun('cleanups')

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
