/** Starts every transition of a state machine by its name in every state, for a table test of what each of them changes. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { StateMachine } from '../../src/states/define-state-machine.ts'
import { transition } from '../../src/states/transition.ts'

/** Who starts it: `anybody` and `integrations` by its trigger, `code` otherwise. */
type Starter = 'anybody' | 'integrations' | 'code'

/** Starter, the states where it changes something, the columns that it sets, its topics. */
export type TransitionEffect = readonly [by: Starter, from: string, set: Row, topics: string]

/** `initial` and one entry for each transition. */
export const transitionEffects = async <State extends string, Subject, Name extends string>(
  machine: StateMachine<State, Subject, Name>,
  subject: Subject,
): Promise<Readonly<Record<string, TransitionEffect | State>>> => {
  const names = Object.keys(machine.transitions) as Name[]
  const effects = names.map(async (name) => {
    const outcomes = machine.states.map(async (state) => {
      const row = { [machine.column]: state }
      const { set, topics } = await transition(machine, row, { start: { transition: name }, subject })
      return { state, set, topics, isChanged: Object.keys(set).length > 0 }
    })
    const changing = (await Promise.all(outcomes)).filter(({ isChanged }) => isChanged)
    const [first = { set: {}, topics: [] }] = changing
    const from = changing.map(({ state }) => state).join(' ')
    const by = await starterOf(machine, name, subject)
    return [name, [by, from, first.set, first.topics.join(' ')] as const] as const
  })
  return { initial: machine.initial, ...Object.fromEntries(await Promise.all(effects)) }
}

const starterOf = async <State extends string, Subject, Name extends string>(
  machine: StateMachine<State, Subject, Name>,
  name: Name,
  subject: Subject,
): Promise<Starter> => {
  const { trigger } = machine.transitions[name]
  if (trigger === undefined) return 'code'
  const row = { [machine.column]: machine.initial }
  try {
    await transition(machine, row, { start: { trigger }, subject, isSalesChannel: true })
    return 'anybody'
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return 'integrations'
    throw error
  }
}
