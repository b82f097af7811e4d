/** A load run → Markdown, and an HTML page with plots. */
import { machineLine, type Machine } from './machine.ts'
import { renderTable, type Table } from './markdown-table.ts'
import type { LoadResult, ProfileRun } from './run-load.ts'
import { renderPlot, type Plot } from './svg-plot.ts'
import { summarize, type Second } from './timeline.ts'

/** Everything a report says besides the figures. */
export interface LoadReportHead {
  readonly service: string
  readonly summary: string
  readonly machine: Machine
}

const BYTES_PER_MB = 1_048_576

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0)

const summaryTable = ({ capacity, runs }: LoadResult): Table => ({
  columns: ['profile', 'requests', 'answered', 'offered/s', 'share of capacity', 'p50 ms', 'p99 ms'],
  rows: runs.map(({ name, timeline }) => {
    const { offered, answered, perSecond, p50Ms, p99Ms } = summarize(timeline.seconds)
    return [
      name,
      offered.toString(),
      answered.toString(),
      Math.round(perSecond).toString(),
      (perSecond / capacity.requestsPerSecond).toFixed(2),
      ms(p50Ms),
      ms(p99Ms),
    ]
  }),
})

const checksTable = ({ checks }: ProfileRun): Table => ({
  columns: ['check', 'found', ''],
  rows: checks.map(({ name, found, isMet }) => [name, found, isMet ? 'met' : 'MISSED']),
})

const operationsTable = ({ timeline }: ProfileRun): Table => ({
  columns: ['operation', 'answered', 'failures', 'p50 ms', 'p99 ms'],
  rows: timeline.operations
    .toSorted((one, other) => other.answered - one.answered)
    .map((each) => [
      each.name,
      each.answered.toString(),
      each.failures.toString(),
      ms(each.p50Ms),
      ms(each.p99Ms),
    ]),
})

const capacityLine = ({ capacity, mix }: LoadResult): string =>
  `Capacity, the mix in a closed loop: ${Math.round(capacity.requestsPerSecond)} requests/s, p50 ${ms(capacity.p50Ms)} ms, p99 ${ms(capacity.p99Ms)} ms. The mix: ${mix.map(({ name, share }) => `${name} ${(share * 100).toFixed(0)} %`).join(', ')}.`

/** The report for a terminal, an issue, or docs/reference. */
export const renderLoadMarkdown = (
  { service, summary, machine }: LoadReportHead,
  result: LoadResult,
): string =>
  [
    `## Load of ${service}`,
    summary,
    machineLine(machine),
    capacityLine(result),
    renderTable(summaryTable(result)),
    ...result.runs.flatMap((run) => [
      `### ${run.name}`,
      run.summary,
      renderTable(checksTable(run)),
      renderTable(operationsTable(run)),
    ]),
  ].join('\n\n') + '\n'

const series = (
  name: string,
  color: string,
  seconds: readonly Second[],
  pick: (second: Second) => number | undefined,
) => ({
  name,
  color,
  points: seconds.flatMap((each) => {
    const value = pick(each)
    return value === undefined ? [] : [[each.second, value] as const]
  }),
})

const plotsOf = ({ timeline: { seconds } }: ProfileRun): readonly Plot[] => [
  {
    title: 'Rate',
    unit: 'requests/s',
    series: [
      series('offered', '#999', seconds, (each) => each.offered),
      series('answered', '#06c', seconds, (each) => each.answered),
      series('failures', '#c30', seconds, (each) => each.failures),
    ],
  },
  {
    title: 'Latency',
    unit: 'ms',
    series: [
      series('p50', '#06c', seconds, (each) => each.p50Ms),
      series('p99', '#c30', seconds, (each) => each.p99Ms),
      series('event loop p99', '#999', seconds, (each) => each.lagP99Ms),
    ],
  },
  {
    title: 'Memory',
    unit: 'MB RSS',
    series: [
      series('RSS', '#06c', seconds, ({ rssBytes }) =>
        rssBytes === undefined ? undefined : rssBytes / BYTES_PER_MB,
      ),
    ],
  },
]

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const htmlTable = ({ columns, rows }: Table): string => {
  const cells = (tag: 'th' | 'td', texts: readonly string[]): string =>
    `<tr>${texts.map((each) => `<${tag}>${escapeHtml(each)}</${tag}>`).join('')}</tr>`
  return `<table>${cells('th', columns)}${rows.map((each) => cells('td', each)).join('')}</table>`
}

const STYLE =
  'body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}th,td{border:1px solid #ccc;padding:.2em .6em;text-align:left}svg{width:100%;height:auto}'

const htmlRun = (run: ProfileRun): string =>
  [
    `<h2>${run.name}</h2>`,
    `<p>${escapeHtml(run.summary)}</p>`,
    htmlTable(checksTable(run)),
    ...plotsOf(run).map(renderPlot),
    htmlTable(operationsTable(run)),
  ].join('\n')

/** One file that needs nothing else: styles and plots are inside. */
export const renderLoadHtml = ({ service, summary, machine }: LoadReportHead, result: LoadResult): string =>
  [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>Load of ${escapeHtml(service)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Load of ${escapeHtml(service)}</h1>`,
    ...[summary, machineLine(machine), capacityLine(result)].map((each) => `<p>${escapeHtml(each)}</p>`),
    htmlTable(summaryTable(result)),
    ...result.runs.map(htmlRun),
    '</body></html>\n',
  ].join('\n')
