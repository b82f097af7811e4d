/**
 * `npm run load -- <service> [profile…] [--seconds=<n>] [--minutes=<n>] [--rate=<n>]`: one service alone under a realistic
 * mix, in `services/<service>/load/<service>.load.ts`, or all of them through the gateway, in `e2e/load/gateway.load.ts`.
 * Profiles: steady, spike, breakpoint (these three unless named), soak (15 minutes) and day (40 minutes). `--rate` is in requests per second,
 * for steady and soak. Reports are kept under `.merx/load/`, `--publish` writes the last of each into
 * docs/reference/load-results.md; ends with 1 when a check is missed.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { withContext } from '@merx/load/bench'
import { describeMachine } from '@merx/load/machine'
import { renderLoadHtml, renderLoadMarkdown, type LoadReportHead } from '@merx/load/present-load'
import { profileNames, type ProfileName } from '@merx/load/profiles'
import { runLoad, type LoadResult } from '@merx/load/run-load'
import type { LoadScenario } from '@merx/load/scenario'
import { publishLoad } from './publish-load.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const RESULTS = path.join(ROOT, '.merx', 'load')
const USUAL: readonly ProfileName[] = ['steady', 'spike', 'breakpoint']
const SECONDS_MIN = 12

/** Where each scenario is, by its name. */
const findScenarios = (): ReadonlyMap<string, string> =>
  new Map(
    globSync(['services/*/load/*.load.ts', 'e2e/load/*.load.ts'], { cwd: ROOT })
      .sort()
      .map((file) => [path.basename(file, '.load.ts'), path.join(ROOT, file)]),
  )

const isProfile = (name: string): name is ProfileName => (profileNames as readonly string[]).includes(name)

const readWhole = (name: string, text: string | undefined, min: number): number | undefined => {
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isInteger(number) && number >= min) return number
  throw new Error(`--${name} is a whole number from ${min} up, not ${text}`)
}

const readArguments = (args: readonly string[]) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seconds: { type: 'string' }, minutes: { type: 'string' }, rate: { type: 'string' } },
  })
  const [service = '', ...profiles] = positionals
  const scenarios = findScenarios()
  const file = scenarios.get(service)
  if (file === undefined) throw new Error(`say which: npm run load -- ${[...scenarios.keys()].join(' | ')}`)
  const unknown = profiles.filter((name) => !isProfile(name))
  if (unknown.length > 0)
    throw new Error(`no profile ${unknown.join(', ')}; there are ${profileNames.join(', ')}`)
  const minutes = readWhole('minutes', values.minutes, 1)
  const seconds = readWhole('seconds', values.seconds, SECONDS_MIN) ?? (minutes && minutes * 60)
  const rate = readWhole('rate', values.rate, 1)
  return {
    service,
    file,
    profiles: profiles.length === 0 ? USUAL : profiles.filter(isProfile),
    ...(seconds === undefined ? {} : { seconds }),
    ...(rate === undefined ? {} : { rate }),
  }
}

const say = (message: string): void => console.error(`load: ${message}`)

const keep = (head: LoadReportHead, result: LoadResult): void => {
  const name = [head.service, ...result.runs.map((run) => run.name)].join('-')
  mkdirSync(RESULTS, { recursive: true })
  const file = (extension: string): string => path.join(RESULTS, `${name}.${extension}`)
  writeFileSync(file('json'), JSON.stringify({ ...head, ...result }))
  writeFileSync(file('md'), renderLoadMarkdown(head, result))
  writeFileSync(file('html'), renderLoadHtml(head, result))
  console.log(renderLoadMarkdown(head, result))
  console.error(`report with plots: ${path.relative(ROOT, file('html'))}`)
}

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes('--publish')) {
    console.log(`written: ${publishLoad()}`)
    return 0
  }
  const { service, file, ...options } = readArguments(args)
  const { scenario } = (await import(pathToFileURL(file).href)) as { scenario: LoadScenario }
  const result = await withContext(say, (context) => runLoad(scenario, options, context))
  keep({ service, summary: scenario.summary, machine: describeMachine(new Date()) }, result)
  return result.runs.every(({ checks }) => checks.every(({ isMet }) => isMet)) ? 0 : 1
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
