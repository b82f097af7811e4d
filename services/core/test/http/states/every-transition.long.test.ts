/**
 * Every transition of every state machine is taken over HTTP, from every state that it starts from, with its event; and every trigger
 * in every other state is refused, or repeated and changes nothing. The machines are read, so that a new transition fails this test
 * until it has a way here.
 */
import { stateMachines } from '../../../src/areas.ts'
import { triggersOf } from '../../../src/states/define-state-machine.ts'
import type { AnyStateMachine } from '../../../src/states/define-state-machine.ts'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { orderSteps } from './order-steps.ts'
import { otherRecords } from './other-paths.ts'
import { familyOf, idOf, numberOf } from './subscription-paths.ts'
import { ORDER_PATHS, OTHER_WAYS, UNTAKEN } from './transition-paths.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('every_transition')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await paymentCalls(() => core).freeShipping()
})
afterAll(() => core.close())

const { patch } = paymentCalls(() => core)
const orders = orderSteps(() => core)
const others = otherRecords(() => core)

const machines = Object.entries(stateMachines).flatMap(([type, list]) =>
  list.map((machine) => ({ name: `${type}.${machine.column}`, type, machine })),
)

interface Arrow {
  readonly name: string
  readonly type: string
  readonly machine: AnyStateMachine
  readonly transition: string
  readonly from: string
}

const arrows: readonly Arrow[] = machines.flatMap((each) =>
  Object.entries(each.machine.transitions).flatMap(([transition, { from }]) =>
    from.map((state) => ({ ...each, transition, from: state })),
  ),
)

const isUntaken = ({ name, transition, from }: Arrow): boolean =>
  UNTAKEN[name]?.[transition]?.[from] !== undefined

interface Taken {
  readonly number: number
  /** The last step of the way. */
  readonly take: () => Promise<unknown>
}

const wayOf = async (arrow: Arrow): Promise<Taken> => {
  const { name, transition, from, type } = arrow
  if (type !== 'orders') return others.bring(arrow)
  const story = ORDER_PATHS[name]?.[transition]?.[from]
  if (story === undefined) throw new Error(`${transition} of ${name} has no way from ${from}`)
  const [beginning = '', ...steps] = story.split(', ')
  const order = await orders.begin(beginning)
  for (const step of steps.slice(0, -1)) await orders.take(order, step)
  return { number: orders.numberOf(order), take: () => orders.take(order, steps.at(-1) ?? '') }
}

const logSize = async (): Promise<readonly [number, number]> => {
  const { rows } = await core.pool.query<{ versions: number; events: number }>(
    `SELECT coalesce((SELECT max(id) FROM versions), 0)::int AS versions,
      coalesce((SELECT max(id) FROM events), 0)::int AS events`,
  )
  return [rows[0]?.versions ?? 0, rows[0]?.events ?? 0]
}

const stateOf = async (type: string, column: string, number: number): Promise<unknown> => {
  const { rows } = await core.pool.query<Record<string, unknown>>(
    `SELECT ${column} FROM ${familyOf(type)} WHERE environment_id = 1 AND id = $1`,
    [number],
  )
  return rows[0]?.[column]
}

/** Changes of the column, and events of the record, since then. */
const loggedSince = async (
  [version, event]: readonly [number, number],
  type: string,
  column: string,
  number: number,
) => {
  const [changes, events] = await Promise.all([
    core.pool.query<{ change: unknown }>(
      `SELECT changes -> $3 AS change FROM versions
        WHERE resource_type = $1 AND record_id = $2 AND id > $4 AND changes ? $3 ORDER BY id`,
      [type, number, column, version],
    ),
    core.pool.query<{ name: string }>(
      'SELECT name FROM events WHERE resource_type = $1 AND record_id = $2 AND id > $3',
      [type, number, event],
    ),
  ])
  return { changes: changes.rows.map(({ change }) => change), events: events.rows.map(({ name }) => name) }
}

test('every transition has one way, or one reason why nobody takes it', () => {
  const key = ({ name, transition, from }: Pick<Arrow, 'name' | 'transition' | 'from'>) =>
    `${name} ${transition} ${from}`
  const keysOf = (paths: typeof UNTAKEN) =>
    Object.entries(paths).flatMap(([name, byTransition]) =>
      Object.entries(byTransition).flatMap(([transition, byState]) =>
        Object.keys(byState).map((from) => key({ name, transition, from })),
      ),
    )
  const known = [...keysOf(ORDER_PATHS), ...keysOf(OTHER_WAYS), ...keysOf(UNTAKEN)]
  expect(known.toSorted()).toEqual(arrows.map(key).toSorted())
})

describe.each(machines)('$name', ({ name, type, machine }) => {
  const { column } = machine

  it.each(arrows.filter((arrow) => arrow.name === name && !isUntaken(arrow)))(
    '$transition is taken from $from',
    async (arrow) => {
      const { number, take } = await wayOf(arrow)
      const { to, topic } = machine.transitions[arrow.transition] ?? {}
      expect(await stateOf(type, column, number)).toBe(arrow.from)
      const before = await logSize()
      await take()
      const { changes, events } = await loggedSince(before, type, column, number)
      expect(changes).toContainEqual([arrow.from, to])
      if (topic !== undefined) expect(events).toContain(topic)
    },
  )

  const triggers = triggersOf(machine)
  const endsOf = (trigger: string): readonly string[] =>
    Object.values(machine.transitions).flatMap((each) => (each.trigger === trigger ? [each.to] : []))
  const starts = (trigger: string, state: string): boolean =>
    Object.values(machine.transitions).some((each) => each.trigger === trigger && each.from.includes(state))

  if (triggers.length > 0)
    it.each(machine.states)('%s refuses each trigger that does not start from it', async (state) => {
      const record = type === 'orders' ? await orders.begin('payable') : await others.create(type)
      const number = numberOf(type, record)
      const outcomes: unknown[] = []
      const expected: unknown[] = []
      for (const trigger of triggers.filter((each) => !starts(each, state))) {
        await core.pool.query(
          `UPDATE ${familyOf(type)} SET ${column} = $2 WHERE environment_id = 1 AND id = $1`,
          [number, state],
        )
        const before = await logSize()
        const response = await patch(type, idOf(type, number), { [trigger]: true })
        const { changes, events } = await loggedSince(before, type, column, number)
        const isRepeated = endsOf(trigger).includes(state)
        outcomes.push([trigger, response.status, isRepeated ? [] : at(response), changes, events])
        const refused = [['422', `/data/attributes/${column}`, 'invalid_transition']]
        expected.push([trigger, isRepeated ? 200 : 422, isRepeated ? [] : refused, [], []])
        if (!isRepeated) expect(response.text).toContain(`cannot transition from ${state} to `)
      }
      expect(outcomes).toEqual(expected)
    })
})
