/** The last run of each profile of a service → its section of docs/reference/load-results.md. */
import { machineLine } from './machine.ts'
import { renderTable } from './markdown-table.ts'
import type { LoadReportHead } from './present-load.ts'
import { profileNames } from './profiles.ts'
import type { LoadResult, ProfileRun } from './run-load.ts'
import { summarize } from './timeline.ts'

/** A report as `npm run load` keeps it. */
export type StoredLoad = LoadReportHead & LoadResult

const COLUMNS = ['Profile', 'Measured', 'Offered', 'Answered', 'p50 ms', 'p99 ms', 'Check', 'Found', '']

interface LastRun {
  readonly run: ProfileRun
  readonly kept: StoredLoad
}

const lastRuns = (results: readonly StoredLoad[]): readonly LastRun[] => {
  const newestFirst = results.toSorted((one, other) =>
    other.machine.measuredAt.localeCompare(one.machine.measuredAt),
  )
  return profileNames.flatMap((name): LastRun[] => {
    for (const kept of newestFirst) {
      const run = kept.runs.find((one) => one.name === name)
      if (run !== undefined) return [{ run, kept }]
    }
    return []
  })
}

const rowsOf = ({ run, kept }: LastRun): readonly (readonly string[])[] => {
  const { offered, answered, p50Ms, p99Ms } = summarize(run.timeline.seconds)
  const measured = kept.machine.measuredAt.slice(0, 16).replace('T', ' ')
  const facts = [
    `${run.name}: ${run.summary.replace(/: a step.*/, '.')}`,
    measured,
    String(offered),
    String(answered),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
  ]
  return run.checks.map(({ name, found, isMet }, index) => [
    ...(index === 0 ? facts : facts.map(() => '')),
    name,
    found,
    isMet ? 'met' : 'MISSED',
  ])
}

/** Pure. @returns undefined when there is no result. */
export const renderLoadSection = (results: readonly StoredLoad[]): string | undefined => {
  const runs = lastRuns(results)
  const [newest] = runs.toSorted((one, other) =>
    other.kept.machine.measuredAt.localeCompare(one.kept.machine.measuredAt),
  )
  if (newest === undefined) return undefined
  const { service, summary, machine, capacity } = newest.kept
  return [
    `## ${service}`,
    summary,
    `${machineLine(machine)}. Capacity, the mix in a closed loop: ${Math.round(capacity.requestsPerSecond)} requests/s, p50 ${capacity.p50Ms.toFixed(1)} ms, p99 ${capacity.p99Ms.toFixed(1)} ms.`,
    renderTable({ columns: COLUMNS, rows: runs.flatMap(rowsOf) }),
  ].join('\n\n')
}
