/**
 * `npm run load -- <service> [profile…] [--seconds=<n>]`: one service alone under a realistic mix, in
 * `services/<service>/load/<service>.load.ts`. Profiles: steady, spike, breakpoint (these three unless named) and soak
 * (15 minutes). Reports are kept under `.merx/load/`; ends with 1 when a check is missed.
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

const ROOT = path.resolve(import.meta.dirname, '..')
const RESULTS = path.join(ROOT, '.merx', 'load')
const USUAL: readonly ProfileName[] = ['steady', 'spike', 'breakpoint']
const SECONDS_MIN = 12

const listServices = (): readonly string[] =>
  globSync('services/*/load/*.load.ts', { cwd: ROOT })
    .map((file) => path.basename(file, '.load.ts'))
    .sort()

const isProfile = (name: string): name is ProfileName => (profileNames as readonly string[]).includes(name)

const readArguments = (args: readonly string[]) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seconds: { type: 'string' } },
  })
  const [service = '', ...profiles] = positionals
  if (!listServices().includes(service))
    throw new Error(`say which service: npm run load -- ${listServices().join(' | ')}`)
  const unknown = profiles.filter((name) => !isProfile(name))
  if (unknown.length > 0)
    throw new Error(`no profile ${unknown.join(', ')}; there are ${profileNames.join(', ')}`)
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds)
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= SECONDS_MIN))
    throw new Error(`--seconds is a whole number from ${SECONDS_MIN} up, not ${values.seconds ?? ''}`)
  return { service, profiles: profiles.length === 0 ? USUAL : profiles.filter(isProfile), seconds }
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
  const { service, profiles, seconds } = readArguments(args)
  const file = path.join(ROOT, 'services', service, 'load', `${service}.load.ts`)
  const { scenario } = (await import(pathToFileURL(file).href)) as { scenario: LoadScenario }
  const result = await withContext(say, (context) =>
    runLoad(scenario, { profiles, ...(seconds === undefined ? {} : { seconds }) }, context),
  )
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
