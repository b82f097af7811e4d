/** Writes docs/reference/state-machines.md from the areas: `node services/core/gen/state-machines.ts`. */
import { writeFile } from 'node:fs/promises'
import { stateMachines } from '../src/areas.ts'
import type { AnyStateMachine } from '../src/states/define-state-machine.ts'
import { ORDER_PATHS, OTHER_WAYS, UNTAKEN } from '../test/http/states/transition-paths.ts'

/** Where the page is. */
export const stateMachinesPath = new URL('../../../docs/reference/state-machines.md', import.meta.url)

/**
 * Type and column → the tests that prove the machine: its table of every state with every trigger, beside the source, and what
 * drives it over HTTP. state-machines.test.ts checks that each exists and names the machine or its column's type.
 */
export const PROOFS: Readonly<Record<string, readonly string[]>> = {
  'orders.status': ['src/orders/order-states.test.ts', ...['order-model', 'any-requests'].map(ofOrders)],
  'orders.payment_status': [
    'src/payments/payment-states.test.ts',
    'test/http/payments/money-model.test.ts',
    ...['order-model', 'any-requests'].map(ofOrders),
  ],
  'orders.fulfillment_status': [
    'src/orders/fulfillment-states.test.ts',
    ...['order-model', 'any-requests'].map(ofOrders),
  ],
  'imports.status': ['src/bulk/job-states.test.ts', 'test/http/bulk/imports.test.ts'],
  'cleanups.status': ['src/bulk/job-states.test.ts', 'test/http/bulk/cleanups.test.ts'],
  'exports.status': ['src/bulk/job-states.test.ts', 'test/http/bulk/exports.test.ts'],
  'shipments.status': ['src/shipping/shipment-states.test.ts', ofOrders('any-requests')],
  'stock_reservations.status': ['src/inventory/stock-transfer-states.test.ts', ofOrders('any-requests')],
  'stock_transfers.status': ['src/inventory/stock-transfer-states.test.ts', ofOrders('any-requests')],
  'order_subscriptions.status': [
    'src/subscriptions/subscription-states.test.ts',
    'test/http/subscriptions/order-subscriptions.test.ts',
  ],
  'order_copies.status': [
    'src/subscriptions/subscription-states.test.ts',
    'test/http/subscriptions/order-copies.test.ts',
  ],
  'recurring_order_copies.status': [
    'src/subscriptions/subscription-states.test.ts',
    'test/http/subscriptions/subscription-runs.test.ts',
  ],
  'gift_cards.status': [
    'src/gift-cards/gift-card-states.test.ts',
    'test/http/gift-cards/gift-cards-of-orders.test.ts',
  ],
  'returns.status': ['src/returns/return-states.test.ts', 'test/http/returns/returns.test.ts'],
  'in_stock_subscriptions.status': [
    'src/subscriptions/subscription-states.test.ts',
    'test/http/subscriptions/in-stock-subscriptions.test.ts',
  ],
}

/** The whole page as Markdown; `machines` is type → its state machines. */
export const renderStateMachines = (
  machines: Readonly<Record<string, readonly AnyStateMachine[]>> = stateMachines,
): string =>
  [
    '# State machines',
    '',
    'Generated from the areas in `services/core/src/` by services/core/gen/state-machines.ts; do not edit. Clients never write a',
    'state: triggers and other changes move it. A transition that is not allowed is 422 `VALIDATION_ERROR` at the attribute:',
    '"cannot transition from … to …". A repeated transition succeeds and changes nothing.',
    '[Add a state](../how-to/add-a-state.md) says how to change this page.',
    '',
    ...Object.entries(machines).flatMap(([type, list]) => list.flatMap((machine) => section(type, machine))),
  ].join('\n')

function ofOrders(name: string): string {
  return `test/http/orders/${name}.long.test.ts`
}

const section = (type: string, machine: AnyStateMachine): readonly string[] => [
  `## ${type}.${machine.column}`,
  '',
  '```mermaid',
  'stateDiagram-v2',
  `  [*] --> ${machine.initial}`,
  ...diagramLines(machine),
  '```',
  '',
  ...statesWithout(machine),
  '| Transition | From | To | Started by | Condition | Guards | Effects | Event |',
  '|---|---|---|---|---|---|---|---|',
  ...rows(machine),
  '',
  ...proved(`${type}.${machine.column}`),
  ...ways(`${type}.${machine.column}`, machine),
]

/** A story of steps is code. */
const wayText = (name: string, way = ''): string => (name in ORDER_PATHS ? codes([way]) : way)

/** How a test takes each transition from each state. */
const ways = (name: string, { transitions }: AnyStateMachine): readonly string[] => {
  const known = { ...ORDER_PATHS, ...OTHER_WAYS }[name]
  if (known === undefined) return []
  const lines = Object.entries(transitions).flatMap(([transition, { from, to }]) =>
    from.map((state) => {
      const reason = UNTAKEN[name]?.[transition]?.[state]
      const way = reason === undefined ? wayText(name, known[transition]?.[state]) : `nobody: ${reason}`
      return `| ${codes([transition])} | ${codes([state])} | ${codes([to])} | ${way} |`
    }),
  )
  return [
    'Each transition over HTTP, with its event, and each trigger in every other state: `test/http/states/every-transition.long.test.ts`.',
    '',
    '| Transition | From | To | Taken by |',
    '|---|---|---|---|',
    ...lines,
    '',
  ]
}

/** A machine of a test has none. */
const proved = (name: string): readonly string[] => {
  const [table, ...others] = PROOFS[name] ?? []
  if (table === undefined) return []
  return [`Every state with every trigger: ${codes([table])}. Over HTTP: ${codes(others)}.`, '']
}

const diagramLines = ({ transitions }: AnyStateMachine): readonly string[] =>
  Object.entries(transitions).flatMap(([name, { from, to, trigger }]) =>
    from.map((state) => `  ${state} --> ${to}: ${trigger ?? name}`),
  )

/** States that only imports set. */
const statesWithout = ({ initial, states, transitions }: AnyStateMachine): readonly string[] => {
  const used = Object.values(transitions).flatMap(({ from, to }) => [...from, to])
  const unused = states.filter((state) => state !== initial && !used.includes(state))
  return unused.length === 0 ? [] : [`States that no transition reaches yet: ${codes(unused)}.`, '']
}

const rows = ({ transitions }: AnyStateMachine): readonly string[] =>
  Object.entries(transitions).map(([name, transition]) => {
    const { from, to, trigger, only, when, guards = [], effects = [], topic } = transition
    const started =
      trigger === undefined ? (when === undefined ? 'other changes' : 'automatic') : codes([trigger])
    const cells = [
      codes([name]),
      codes(from),
      codes([to]),
      only === undefined ? started : `${started}, integrations only`,
      when === undefined ? '' : codes([when.name]),
      codes(guards.map((guard) => guard.name)),
      codes(effects.map((effect) => effect.name)),
      topic === undefined ? '' : codes([topic]),
    ]
    return `| ${cells.join(' | ')} |`
  })

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ')

if (import.meta.main) await writeFile(stateMachinesPath, renderStateMachines())
