/** A benchmark's result → Markdown. */
import type { Bench, BenchResult } from './bench.ts'
import { machineLine, type Machine } from './machine.ts'
import { renderTable } from './markdown-table.ts'
import { toTable } from './present-comparison.ts'

const section = (title: string, table: string, note = ''): string => `### ${title}\n\n${table}\n${note}`

const checksTable = (checks: NonNullable<BenchResult['checks']>): string =>
  renderTable({
    columns: ['check', 'found', ''],
    rows: checks.map(({ name, found, isMet }) => [name, found, isMet ? 'met' : 'MISSED']),
  })

export const renderBench = (
  name: string,
  { summary }: Pick<Bench, 'summary'>,
  { comparisons = [], tables = [], checks = [], notes = [] }: BenchResult,
  machine: Machine,
): string =>
  [
    `## ${name}`,
    summary,
    machineLine(machine),
    ...comparisons.map((each) =>
      section(
        each.name,
        renderTable(toTable(each)),
        `\nMedians of ${each.alternatives[0]?.rounds.length ?? 0} rounds of ${each.roundSeconds} s, ${each.connections} connections; the ratio with its range.\n`,
      ),
    ),
    ...tables.map((each) => section(each.title, renderTable(each))),
    ...(checks.length === 0 ? [] : [checksTable(checks)]),
    ...notes,
  ].join('\n\n') + '\n'
