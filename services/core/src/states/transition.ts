/** Plans a transition of a state machine: which one it is, why it is refused, and what it changes. Nothing is written. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Consequences } from '../engine/write/write-workflow.ts'
import type { StateMachine, Transition } from './define-state-machine.ts'

/** What starts a transition: a trigger of the request, other code by its name, or the condition of an automatic one. */
export type Start<Name extends string> =
  { readonly trigger: string } | { readonly transition: Name } | 'automatic'

export interface TransitionRequest<Subject, Name extends string> {
  readonly start: Start<Name>
  readonly subject: Subject
  readonly isSalesChannel?: boolean
}

export interface PlannedTransition {
  /** Why the transition is refused; then nothing else is set. */
  readonly violations: readonly WriteViolation[]
  /** Columns of the row, with the new state. Empty when nothing changes. */
  readonly set: Row
  /** The state that the row must still have when `set` is written. */
  readonly expected: Row
  readonly writes: NonNullable<Consequences['writes']>
  /** The topic of the transition, then those of its effects. */
  readonly topics: readonly string[]
}

const NO_CHANGE: PlannedTransition = { violations: [], set: {}, expected: {}, writes: [], topics: [] }

/**
 * `row` is the row before the transition. A repeated transition succeeds and changes nothing. Throws AppError
 * `unauthorized` when a sales channel starts what only integrations may.
 */
export const transition = async <State extends string, Subject, Name extends string>(
  machine: StateMachine<State, Subject, Name>,
  row: Row,
  { start, subject, isSalesChannel = false }: TransitionRequest<Subject, Name>,
): Promise<PlannedTransition> => {
  const { column } = machine
  const state = stateOf(machine, row)
  const candidates = candidatesOf(machine, start)
  if (isSalesChannel && candidates.some(({ only }) => only === 'integration')) {
    throw new AppError('unauthorized')
  }
  const found = candidates.find(({ from, when }) => from.includes(state) && (when?.(subject) ?? true))
  if (found !== undefined) return planned(found, { column, state }, subject)
  const isRepeated = candidates.some(({ to }) => to === state)
  const [first] = candidates
  if (start === 'automatic' || isRepeated || first === undefined) return NO_CHANGE
  return { ...NO_CHANGE, violations: [notAllowed(column, state, first.to)] }
}

const stateOf = <State extends string>({ column, states }: StateMachine<State, never>, row: Row): State => {
  const state = states.find((each) => each === row[column])
  if (state === undefined) throw new Error(`${column} has no state of its machine: ${String(row[column])}`)
  return state
}

const candidatesOf = <State extends string, Subject, Name extends string>(
  { column, transitions }: StateMachine<State, Subject, Name>,
  start: Start<Name>,
): readonly Transition<State, Subject>[] => {
  if (start !== 'automatic' && 'transition' in start) return [transitions[start.transition]]
  const all = Object.values<Transition<State, Subject>>(transitions)
  if (start === 'automatic')
    return all.filter(({ trigger, when }) => trigger === undefined && when !== undefined)
  const triggered = all.filter(({ trigger }) => trigger === start.trigger)
  if (triggered.length === 0) throw new Error(`${start.trigger} is no trigger of the machine of ${column}`)
  return triggered
}

const notAllowed = (attribute: string, from: string, to: string): WriteViolation => ({
  at: { attribute },
  error: 'invalid_transition',
  message: `cannot transition from ${from} to ${to}`,
})

/** Guards run first, all of them, so that one answer lists every violation. */
const planned = async <State extends string, Subject>(
  { to, guards = [], effects = [], topic }: Transition<State, Subject>,
  { column, state }: { readonly column: string; readonly state: State },
  subject: Subject,
): Promise<PlannedTransition> => {
  const violations: WriteViolation[] = []
  for (const guard of guards) violations.push(...(await guard(subject)))
  if (violations.length > 0) return { ...NO_CHANGE, violations }
  const outcomes: Consequences[] = []
  for (const effect of effects) outcomes.push(await effect(subject))
  return {
    violations,
    set: Object.assign({}, ...outcomes.map(({ set = {} }) => set), { [column]: to }) as Row,
    expected: { [column]: state },
    writes: outcomes.flatMap(({ writes = [] }) => writes),
    topics: [...(topic === undefined ? [] : [topic]), ...outcomes.flatMap(({ topics = [] }) => topics)],
  }
}
