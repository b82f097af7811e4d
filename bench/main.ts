/**
 * `npm run bench`: runs `bench/<area>/<name>.bench.ts`, all of them (without those that install other systems) or those
 * whose `<area>/<name>` begins with an argument, one after the other. Results are printed as Markdown and kept under
 * `.merx/bench/`. Ends with 1 when a threshold is missed. `--list` names them; `--publish` gathers the last results into docs/reference.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isResultGood, withContext, type Bench } from '@merx/load/bench'
import { describeMachine } from '@merx/load/machine'
import { renderBench } from '@merx/load/present-bench'
import { publishResults } from './publish.ts'

const HERE = import.meta.dirname
const RESULTS = path.resolve(HERE, '..', '.merx', 'bench')
const SUFFIX = '.bench.ts'
/** These install other systems from npm, so they run only when they or their area are named. */
const ON_REQUEST = ['peers/', 'metrics/lines']

const listBenches = (): readonly string[] =>
  globSync(`*/*${SUFFIX}`, { cwd: HERE })
    .map((file) => file.slice(0, -SUFFIX.length).replaceAll(path.sep, '/'))
    .sort()

const select = (wanted: readonly string[]): readonly string[] => {
  const all = listBenches()
  const unknown = wanted.filter((prefix) => !all.some((name) => name.startsWith(prefix)))
  if (unknown.length > 0)
    throw new Error(`no benchmark begins with ${unknown.join(', ')}; there are ${all.join(', ')}`)
  if (wanted.length === 0) {
    return all.filter((name) => !ON_REQUEST.some((prefix) => name.startsWith(prefix)))
  }
  return all.filter((name) => wanted.some((prefix) => name.startsWith(prefix)))
}

const keep = (name: string, extension: string, text: string): void => {
  const file = path.join(RESULTS, `${name}.${extension}`)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const runOne = async (name: string): Promise<boolean> => {
  const { bench } = (await import(pathToFileURL(path.join(HERE, `${name}${SUFFIX}`)).href)) as {
    bench: Bench
  }
  const say = (message: string): void => console.error(`${name}: ${message}`)
  const result = await withContext(say, bench.run)
  const machine = describeMachine(new Date())
  const markdown = renderBench(name, bench, result, machine)
  keep(name, 'json', JSON.stringify({ name, summary: bench.summary, machine, ...result }, undefined, 2))
  keep(name, 'md', markdown)
  console.log(markdown)
  return isResultGood(result)
}

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes('--publish')) {
    console.log(`written: ${publishResults()}`)
    return 0
  }
  if (args.includes('--list')) {
    for (const name of listBenches()) console.log(name)
    return 0
  }
  const missed: string[] = []
  for (const name of select(args)) if (!(await runOne(name))) missed.push(name)
  if (missed.length > 0) console.error(`thresholds missed in ${missed.join(', ')}`)
  return missed.length === 0 ? 0 : 1
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
