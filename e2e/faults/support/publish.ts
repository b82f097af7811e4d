/** The last result of each fault → docs/reference/faults.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { machineLine, type Machine } from '@merx/load/machine'
import { renderTable } from '@merx/load/markdown-table'
import { faults } from '../list/index.ts'
import type { FaultResult } from './run-fault.ts'
import { SERVICES } from './service-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
export const RESULTS = join(ROOT, '.merx', 'faults')
const PAGE = join(ROOT, 'docs/reference/faults.md')

type StoredResult = FaultResult & { readonly machine: Machine }

const HEAD = `# Faults survived

Written by \`npm run faults -- --publish\` from the last run of each; the row of a fault that was not run since stays. Every part is a process of its own: nginx with
\`infra/gateway\`, auth, core, metrics, PostgreSQL, Redis, and chdb behind ClickHouse's HTTP interface. While two
organizations fill carts, change orders, read lists, reports and tokens (nine clients, fixed seed), the fault is injected
and repaired; a killed part is started again at once, as a container engine does. Why it is done so:
[ADR 42](../adr/0042-faults-and-the-ledger.md); three of them and the crashes at random moments run in \`npm test\`.

- **Lasted**: from the injection until the part was back (a killed one: until it answered again).
- **Failed**: requests without a good answer, with what came instead. Any status that is not listed for the fault, any
  refusal in the wrong dialect, without \`Retry-After\` or with words of the inside makes the run fail.
- **Longest gap**: longest time without any good answer, for each interface.
- **Recovered**: last failed request after the repair; 0 when nothing failed any more.
- **Acknowledged, lost**: writes that were answered 2xx, and those of them that were not there afterwards; every cart adds up
  to the cent to its acknowledged lines, in core and in metrics; count and sum of all orders and carts by currency, in
  core's database and in metrics, are the same.
- **Compared, wrong**: good answers whose content was compared (organization, environment, exact totals of metrics), and
  those that were false, foreign or partial.
- **Metrics**: how long after the end of the load metrics agreed with core to the cent.
`

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const failuresOf = ({ failures }: StoredResult): string =>
  SERVICES.flatMap((name) =>
    Object.entries(failures[name]).map(
      ([outcome, count]) => `${name} ${outcome === 'none' ? 'no answer' : outcome} ×${count}`,
    ),
  ).join(', ')

const rowOf = (result: StoredResult): readonly string[] => {
  const { title, lastedMs, requests, failed, longestGapMs, recoveredMs } = result
  const share = ((100 * failed) / requests).toFixed(1)
  return [
    title,
    seconds(lastedMs),
    failed === 0 ? `0 of ${requests}` : `${failed} of ${requests} (${share} %): ${failuresOf(result)}`,
    SERVICES.map((name) => `${name} ${seconds(longestGapMs[name])}`).join(', '),
    seconds(recoveredMs),
    `${result.acknowledged}, **${result.lost.length}**`,
    `${result.compared}, **${result.wrong.length}**`,
    seconds(result.caughtUpMs),
  ]
}

const COLUMNS = [
  'Fault',
  'Lasted',
  'Failed',
  'Longest gap',
  'Recovered',
  'Acknowledged, lost',
  'Compared, wrong',
  'Metrics',
]

/** The row that the page has already, cell by cell. */
const findRow = (page: string, title: string): readonly string[] | undefined =>
  page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, first]) => first === title)
    ?.slice(1, -1)

/** @returns the page, relative to the root. @throws Error when nothing was run yet. */
export const publishFaults = (): string => {
  const before = readFileSync(PAGE, 'utf8')
  const results = new Map(
    faults.flatMap(({ name }): [string, StoredResult][] => {
      const file = join(RESULTS, `${name}.json`)
      return existsSync(file) ? [[name, JSON.parse(readFileSync(file, 'utf8')) as StoredResult]] : []
    }),
  )
  const [last] = [...results.values()].sort((one, other) =>
    other.machine.measuredAt.localeCompare(one.machine.measuredAt),
  )
  if (last === undefined) throw new Error('no fault was run yet: npm run faults')
  const rows = faults.flatMap(({ name, title }) => {
    const result = results.get(name)
    const row = result === undefined ? findRow(before, title) : rowOf(result)
    return row === undefined ? [] : [row]
  })
  const table = renderTable({ columns: COLUMNS, rows })
  writeFileSync(
    PAGE,
    `${HEAD}\n${table}\n\nLast measured ${machineLine(last.machine)}, with other work running.\n`,
  )
  return relative(ROOT, PAGE)
}
