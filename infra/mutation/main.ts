/**
 * `npm run mutate -- [<area>…]`: mutates the code of each area and runs its unit tests against every mutant. Installs Stryker when it
 * is called, writes what came of it to results.json, and the page from that. Ends with 1 when an area is below its goal.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runProgram } from '../embedded/src/run-program.ts'
import { pagePath, renderPage } from './gen/mutation-page.ts'
import { AREAS } from './src/areas.ts'
import type { Area, Part } from './src/areas.ts'
import { GOAL, readResults, RESULTS, scoreOf } from './src/results.ts'
import { summarize, withoutSurvivors } from './src/summarize.ts'
import type { MutationReport } from './src/summarize.ts'

const HERE = import.meta.dirname
const ROOT = path.resolve(HERE, '..', '..')
const STRYKER = path.join(HERE, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')

const say = (line: string): void => console.error(`mutate: ${line}`)

const install = async (): Promise<void> => {
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly packageManager: string
  }
  const pnpm = ['--yes', packageManager, 'install', '--ignore-workspace', '--frozen-lockfile']
  const code = await runProgram('npx', pnpm, { cwd: HERE })
  if (code !== 0 || !existsSync(STRYKER))
    throw new Error('Stryker cannot be installed; the lines above say why')
}

const requireAreas = (names: readonly string[]): readonly Area[] => {
  const known = AREAS.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`there is no area ${unknown}; allowed: ${known.join(', ')}`)
  return AREAS.filter(({ name }) => names.length === 0 || names.includes(name))
}

/** Jest's environment is a package of the project, which Stryker looks for from its own folder. */
const NODE_PATH = path.join(ROOT, 'node_modules', '.pnpm', 'node_modules')

const readReport = (file: string): MutationReport => JSON.parse(readFileSync(file, 'utf8')) as MutationReport

const mutatePart = async (area: string, at: number, { files: globs }: Part): Promise<MutationReport> => {
  const env = { ...process.env, NODE_PATH, MERX_MUTATION_PART: `${area}/${at}` }
  const report = path.join(ROOT, '.merx', 'mutation', `${area}-${at}.json`)
  const earlier = report.replace(/json$/, 'incremental.json')
  if (existsSync(earlier)) writeFileSync(earlier, JSON.stringify(withoutSurvivors(readReport(earlier))))
  const config = path.join('infra', 'mutation', 'stryker.config.js')
  const code = await runProgram(process.execPath, [STRYKER, 'run', config], { cwd: ROOT, env })
  if (code !== 0) throw new Error(`Stryker ended with ${code}`)
  const { files } = readReport(report)
  // A report keeps the files that the part had in earlier runs.
  const isOfPart = (file: string): boolean => globs.some((glob) => path.matchesGlob(file, glob))
  return { files: Object.fromEntries(Object.entries(files).filter(([file]) => isOfPart(file))) }
}

const mutate = async ({ name, parts }: Area): Promise<boolean> => {
  const reports: MutationReport[] = []
  for (const [at, part] of parts.entries()) reports.push(await mutatePart(name, at, part))
  const summary = summarize(reports)
  const date = new Date().toISOString().slice(0, 10)
  const results = { ...readResults(), [name]: { date, ...summary } }
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(pagePath, renderPage(results))
  const score = scoreOf(summary)
  say(`${name}: ${summary.killed} of ${summary.mutants} killed, ${score.toFixed(1)} %`)
  return score >= GOAL
}

const main = async (): Promise<number> => {
  const areas = requireAreas(process.argv.slice(2))
  await install()
  let isGood = true
  for (const area of areas) isGood = (await mutate(area)) && isGood
  return isGood ? 0 : 1
}

process.exitCode = await main()
