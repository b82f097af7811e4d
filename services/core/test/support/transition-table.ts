/** Tries every start of a state machine in every state, for a table test: state → start → what comes of it. */
import { triggersOf } from '../../src/states/define-state-machine.ts'
import type { StateMachine } from '../../src/states/define-state-machine.ts'
import { transition } from '../../src/states/transition.ts'

/** The new state, `repeated` when nothing changes, or the errors of the violations. */
export type TransitionTable<State extends string> = Readonly<Record<State, Readonly<Record<string, string>>>>

/** Columns of the table: each trigger, and `automatic` where the machine has automatic transitions. */
export const transitionTable = async <State extends string, Subject>(
  machine: StateMachine<State, Subject>,
  subject: Subject,
): Promise<TransitionTable<State>> => {
  const hasAutomatic = Object.values(machine.transitions).some(
    ({ trigger, when }) => trigger === undefined && when !== undefined,
  )
  const starts = [
    ...(hasAutomatic ? [{ name: 'automatic', start: 'automatic' as const }] : []),
    ...triggersOf(machine).map((trigger) => ({ name: trigger, start: { trigger } })),
  ]
  const outcomeOf = async (state: State, start: (typeof starts)[number]['start']): Promise<string> => {
    const { violations, set } = await transition(machine, { [machine.column]: state }, { start, subject })
    if (violations.length > 0) return violations.map(({ error }) => error).join(', ')
    const to = set[machine.column]
    return typeof to === 'string' ? to : 'repeated'
  }
  const rows = machine.states.map(async (state) => {
    const cells = starts.map(async ({ name, start }) => [name, await outcomeOf(state, start)] as const)
    return [state, Object.fromEntries(await Promise.all(cells))] as const
  })
  return Object.fromEntries(await Promise.all(rows)) as TransitionTable<State>
}
