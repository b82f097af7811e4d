/** Every transition has its event, and no event is without its transition: the change log against the state machines. Pure. */
import { stateMachines } from '../../../src/areas.ts'
import type { AnyStateMachine } from '../../../src/states/define-state-machine.ts'
import type { EventRow, Log, VersionRow } from './books.ts'

/** Types whose machines have topics. */
const TYPES: readonly string[] = ['orders', 'shipments', 'stock_transfers']

/** Topics that no transition emits. */
const OTHER: ReadonlySet<string> = new Set([
  'orders.create',
  'orders.destroy',
  'orders.rebuild_shipments',
  'orders.tagged',
  'orders.tax_calculation_failed',
  'shipments.tagged',
  'shipments.destroy',
  'stock_transfers.create',
  'stock_transfers.destroy',
])

type Topics = readonly string[]

/** The topics of the ways of at most two steps from one state to another, direct ones first. */
const waysBetween = ({ transitions }: AnyStateMachine, from: unknown, to: unknown): readonly Topics[] => {
  const each = Object.values(transitions)
  const starts = each.filter(({ from: states }) => states.some((state) => state === from))
  const direct = starts.filter((step) => step.to === to).map(({ topic }) => [topic])
  const twice = starts.flatMap((first) =>
    each
      .filter((second) => second.to === to && second.from.includes(first.to))
      .map((second) => [first.topic, second.topic]),
  )
  return [...direct, ...twice].map((topics) => topics.filter((topic) => topic !== undefined))
}

/** A new row starts in a state; draft orders have an event for that. */
const startTopics = (type: string, state: unknown): readonly Topics[] =>
  type === 'orders' ? [[`orders.${String(state)}`]] : [[]]

/** Ways that are not transitions of the machine, which is what a command says of itself. */
const EXCEPTIONS: Readonly<Record<string, Topics>> = {
  // `_fulfill`: whatever has not left counts as shipped (orders/fulfillment.ts).
  'shipments shipped': ['shipments.ship'],
}

const waysOf = ({ resource_type: type, event, changes }: VersionRow): readonly (readonly Topics[])[] =>
  (stateMachines[type] ?? []).flatMap((machine) => {
    const change = changes[machine.column]
    if (change === undefined || event === 'destroy') return []
    const [from, to] = change
    if (event === 'create') return machine.column === 'status' ? [startTopics(type, to)] : []
    const exception = EXCEPTIONS[`${type} ${String(to)}`]
    return [[...waysBetween(machine, from, to), ...(exception === undefined ? [] : [exception])]]
  })

const combine = (choices: readonly (readonly Topics[])[]): readonly Topics[] =>
  choices.reduce<readonly Topics[]>(
    (sofar, ways) => sofar.flatMap((topics) => ways.map((way) => [...topics, ...way])),
    [[]],
  )

const key = ({ resource_type: type, record_id: id }: VersionRow | EventRow): string => `${type} ${id}`

/** What of the log does not fit together. */
export const brokenEvents = ({ versions, events }: Log): readonly string[] => {
  const isWatched = (row: VersionRow | EventRow): boolean => TYPES.includes(row.resource_type)
  const changes = Map.groupBy(versions.filter(isWatched), key)
  const emitted = Map.groupBy(
    events.filter((row) => isWatched(row) && !OTHER.has(row.name)),
    key,
  )
  return [...new Set([...changes.keys(), ...emitted.keys()])].flatMap((record) => {
    const names = (emitted.get(record) ?? []).map(({ name }) => name).toSorted()
    const its = changes.get(record) ?? []
    const possible = combine(its.flatMap(waysOf)).map((topics) => topics.toSorted().join())
    if (possible.includes(names.join())) return []
    const moves = its.map(({ changes: each }) => JSON.stringify(each)).join('; ')
    return [`${record} emitted [${names.join()}], not [${possible.join('] or [')}] of ${moves}`]
  })
}
