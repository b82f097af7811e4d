/**
 * `npm test`: the tests of the repository, with what they need, and as the last line `N passed, N failed`. Files named
 * `*.long.test.ts` (crashes, faults, fuzzing, races, models, upgrades) run with `--all`, as in CI, or when a path selects them.
 * Arguments go to Jest: `npm test -- packages/http`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { findBrowserSuites, requireChromium } from './install-chromium.ts'
import { findNginxSuites, requireNginx } from './install-nginx.ts'
import { PROMTOOL_SUITES, requirePromtool } from './install-promtool.ts'
import { requireRedisProgram } from './install-redis.ts'
import { findRedisSuites } from './redis-suites.ts'
import { renderFailure } from './render-failure.ts'
import { watchResult } from './result-watch.ts'
import { runProgram } from './run-program.ts'
import { renderLastLine, sumRuns } from './test-report.ts'
import type { JestResult, JestRun, TestReport } from './test-report.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

/** The end-to-end tests of `e2e` share one running system, so they run one after the other, and last. */
const PARTS = [
  { projects: ['unit', 'http', 'db', 'systems'], workers: [`--maxWorkers=${availableParallelism()}`] },
  { projects: ['e2e'], workers: ['--runInBand'] },
] as const

/** What a run that has written its result may take to end. */
const END_MS = 60_000

/** Files that took longer are named at the end. */
const SLOW_SECONDS = 20

const say = (line: string): void => console.log(`merx test: ${line}`)

interface Selection {
  /** Files left out: the ends of their paths. */
  readonly without: readonly string[]
  /** What the caller typed: patterns of paths. */
  readonly patterns: readonly string[]
}

const runJest = async (
  part: (typeof PARTS)[number],
  { without, patterns }: Selection,
  outputFile: string,
): Promise<JestRun> => {
  const watch = watchResult(outputFile, END_MS)
  const exitCode = await runProgram(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--passWithNoTests',
      '--json',
      `--outputFile=${outputFile}`,
      ...part.workers,
      '--selectProjects',
      ...part.projects,
      ...without.flatMap((file) => ['--testPathIgnorePatterns', `${file.replaceAll('.', '\\.')}$`]),
      ...(patterns.length > 0 ? ['--', ...patterns] : []),
    ],
    { cwd: ROOT, env: { ...process.env, NODE_ENV: 'test' }, signal: watch.signal },
  ).finally(() => watch.stop())
  if (watch.signal.aborted)
    say(
      `a test of ${part.projects.join(', ')} left something open; Jest was ended ${END_MS} ms after its last test`,
    )
  return { exitCode, result: readResult(outputFile) }
}

const readResult = (file: string): JestResult | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JestResult
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined // Jest broke down before it could write
    throw error
  }
}

/** The files to leave out for want of a program, and the line that says so. */
interface Omission {
  readonly without: readonly string[]
  readonly notice?: string
}

const omitRedisSuites = (): Omission => {
  const redis = requireRedisProgram(say)
  if (!('missing' in redis)) return { without: [] }
  const without = findRedisSuites(ROOT)
  return {
    without,
    notice: `${redis.missing}: tested on the in-process stand-in only, without ${without.join(', ')}`,
  }
}

const omitBrowserSuites = (patterns: readonly string[]): Omission => {
  const suites = findBrowserSuites(ROOT, patterns)
  const chromium = suites.length === 0 ? undefined : requireChromium(say)
  if (chromium === undefined || !('missing' in chromium)) return { without: [] }
  return {
    without: suites,
    notice: `${chromium.missing}: not tested in a browser, without ${suites.join(', ')}`,
  }
}

const omitNginxSuites = (patterns: readonly string[]): Omission => {
  const suites = findNginxSuites(ROOT, patterns)
  const nginx = suites.length === 0 ? undefined : requireNginx(say)
  if (nginx === undefined || !('missing' in nginx)) return { without: [] }
  return {
    without: suites,
    notice: `${nginx.missing}: the gateway of production is not tested, without ${suites.join(', ')}`,
  }
}

const omitPromtoolSuites = (patterns: readonly string[]): Omission => {
  const suites = PROMTOOL_SUITES.filter(
    (file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)),
  )
  const promtool = suites.length === 0 ? undefined : requirePromtool(say)
  if (promtool === undefined || !('missing' in promtool)) return { without: [] }
  return {
    without: suites,
    notice: `${promtool.missing}: alerts are not tried on series, without ${suites.join(', ')}`,
  }
}

const explain = (report: TestReport, omissions: readonly Omission[]): void => {
  const suites = report.suitesWithSkipped.map((name) => path.relative(ROOT, name)).join(', ')
  if (report.skipped > 0) say(`${report.skipped} tests were skipped in: ${suites}`)
  for (const { notice } of omissions) if (notice !== undefined) say(notice)
  const slowest = report.slowest.filter(({ seconds }) => seconds >= SLOW_SECONDS)
  for (const { file, seconds } of slowest) say(`${path.relative(ROOT, file)} took ${Math.round(seconds)} s`)
  for (const { file, test } of report.failures) say(`failed: ${path.relative(ROOT, file)}: ${test}`)
}

const ALL = '--all'
const LONG = '.long.test.ts'

const main = async (args: readonly string[]): Promise<number> => {
  const patterns = args.filter((arg) => arg !== ALL)
  const omissions = [
    omitRedisSuites(),
    ...[omitBrowserSuites, omitNginxSuites, omitPromtoolSuites].map((omit) => omit(patterns)),
  ]
  const isWhole = args.includes(ALL) || patterns.length > 0
  const without = [...omissions.flatMap((omission) => omission.without), ...(isWhole ? [] : [LONG])]
  const folder = mkdtempSync(path.join(tmpdir(), 'merx-test-report-'))
  try {
    const runs: JestRun[] = []
    for (const [index, part] of PARTS.entries()) {
      say(`running ${part.projects.join(', ')}`)
      runs.push(await runJest(part, { without, patterns }, path.join(folder, `${index}.json`)))
    }
    const report = sumRuns(runs)
    explain(report, omissions)
    console.log(renderLastLine(report))
    return report.isGood ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(renderFailure(error))
  console.log(renderLastLine({ passed: 0, failed: 1 }))
  process.exitCode = 1
}
if (process.connected) process.disconnect()
