/** Defines a state machine as data: the states of a column, and the transitions between them. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Consequences } from '../engine/write/write-workflow.ts'

/** Checks a transition before it happens. An empty list lets it pass. */
export type Guard<Subject> = (
  subject: Subject,
) => readonly WriteViolation[] | Promise<readonly WriteViolation[]>

/** Columns of the row and the values that each must have one of. */
export type Needs = Readonly<Record<string, readonly string[]>>

/** What a transition changes besides the state: columns of the row, and other rows. Nothing is written yet. */
export type Effect<Subject> = (subject: Subject) => Consequences | Promise<Consequences>

export interface Transition<State extends string, Subject> {
  readonly from: readonly State[]
  readonly to: State
  /** The attribute of a request that starts it. */
  readonly trigger?: `_${string}`
  /** Sales channels may not start it. */
  readonly only?: 'integration'
  /**
   * Without a trigger, the transition is automatic: it happens as soon as this holds. With one, it selects among the
   * transitions of the same trigger.
   */
  readonly when?: (subject: Subject) => boolean
  readonly guards?: readonly Guard<Subject>[]
  /**
   * What its guards ask of other columns, one of several, so that whoever shows the trigger knows it beforehand; the guards
   * decide (services/core/gen/triggers.ts publishes it).
   */
  readonly needs?: readonly Needs[]
  readonly effects?: readonly Effect<Subject>[]
  /** The topic of the event that the transition emits. */
  readonly topic?: string
}

export interface StateMachine<State extends string, Subject, Name extends string = string> {
  /** The column, which is the attribute of the same name too. */
  readonly column: string
  readonly initial: State
  /** Every state that a row can have, with those that no transition reaches. */
  readonly states: readonly State[]
  readonly transitions: Readonly<Record<Name, Transition<State, Subject>>>
}

/** Any machine, where only its data is read. */
export type AnyStateMachine = StateMachine<string, never>

/** `Subject`, what guards, effects and conditions receive, follows from their parameters. */
export const defineStateMachine = <const State extends string, const Name extends string, Subject>(machine: {
  readonly column: string
  readonly initial: NoInfer<State>
  readonly states: readonly State[]
  readonly transitions: Readonly<Record<Name, Transition<NoInfer<State>, Subject>>>
}): StateMachine<State, Subject, Name> => {
  const mistakes = mistakesOf(machine)
  if (mistakes.length > 0) throw new Error(`state machine of ${machine.column}: ${mistakes.join('; ')}`)
  return machine
}

/** What the compiler cannot see. */
const mistakesOf = ({ states, transitions }: AnyStateMachine): readonly string[] => {
  const repeated = states.filter((state, at) => states.indexOf(state) !== at)
  const each = Object.entries(transitions)
  const isAutomatic = ({ trigger, when }: Transition<string, never>) =>
    trigger === undefined && when !== undefined
  return [
    ...repeated.map((state) => `the state ${state} is listed twice`),
    ...each.filter(([, { from }]) => from.length === 0).map(([name]) => `${name} starts from no state`),
    ...each.filter(([, { from, to }]) => from.includes(to)).map(([name]) => `${name} ends where it starts`),
    ...each
      .filter(([, transition]) => isAutomatic(transition) && transition.only !== undefined)
      .map(([name]) => `${name} is automatic, so nobody starts it`),
  ]
}

/** The triggers of a machine, each once, in the order of its transitions. */
export const triggersOf = ({ transitions }: AnyStateMachine): readonly string[] => [
  ...new Set(Object.values(transitions).flatMap(({ trigger }) => (trigger === undefined ? [] : [trigger]))),
]
