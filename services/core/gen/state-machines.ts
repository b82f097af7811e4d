/** Writes docs/reference/state-machines.md from the areas: `node services/core/gen/state-machines.ts`. */
import { writeFile } from 'node:fs/promises'
import { stateMachines } from '../src/areas.ts'
import type { AnyStateMachine } from '../src/states/define-state-machine.ts'

/** Where the page is. */
export const stateMachinesPath = new URL('../../../docs/reference/state-machines.md', import.meta.url)

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
]

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
