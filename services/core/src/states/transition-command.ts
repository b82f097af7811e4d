/** The command of a trigger that starts a transition of a state machine. */
import type { Command, CommandContext } from '../engine/write/commands.ts'
import type { StateMachine } from './define-state-machine.ts'
import { transition } from './transition.ts'

/**
 * `subjectOf` gives what guards, effects and conditions receive. An existing row must still have the old state when it is
 * written.
 *
 * @example transitionCommand(parcelStates, '_hold', ({ row, step }) => ({ parcel: row, now: step.now }))
 */
export const transitionCommand = <State extends string, Subject>(
  machine: StateMachine<State, Subject>,
  trigger: `_${string}`,
  subjectOf: (context: CommandContext) => Subject | Promise<Subject>,
): Command => ({
  trigger,
  run: async (context) => {
    const { before, row, step } = context
    const { expected, ...planned } = await transition(machine, row, {
      start: { trigger },
      subject: await subjectOf(context),
      isSalesChannel: step.scope.salesChannel !== undefined,
    })
    const { column } = machine
    const isChanged = column in expected && before !== undefined
    // The rest of the request may have moved the state already: what is stored is what must still be there.
    return { ...planned, expected: isChanged ? { [column]: before[column] } : {} }
  },
})
