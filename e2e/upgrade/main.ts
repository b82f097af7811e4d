/**
 * `npm run upgrade -- --from <commit> [--orders <number>] [--only in-place|side-by-side] [--keep]`: data of an earlier release is
 * taken over by this one. Ends with 1 when something is not as it was.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '@merx/load/machine'
import { upgradeInPlace } from './in-place.ts'
import { installRelease } from './old-release.ts'
import { upgradeSideBySide } from './side-by-side.ts'

const RESULTS = resolve(import.meta.dirname, '../../.merx/upgrade')
const ORDERS = '100000'
const SENTENCES_MAX = 60
const WAYS = { 'in-place': upgradeInPlace, 'side-by-side': upgradeSideBySide } as const
type Way = keyof typeof WAYS

const say = (line: string): void => console.error(`upgrade: ${line}`)

const isWay = (name: string): name is Way => Object.hasOwn(WAYS, name)

const parse = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      orders: { type: 'string', default: ORDERS },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  const { from, only, keep } = values
  if (from === undefined) throw new Error('--from is missing: the commit of the release before')
  if (only !== undefined && !isWay(only))
    throw new Error(`--only ${only} is not known; allowed: ${Object.keys(WAYS).join(', ')}`)
  const orders = Number(values.orders)
  if (!Number.isInteger(orders) || orders < 1)
    throw new Error(`--orders ${values.orders} is not a number of orders`)
  return { from, orders, keep, ways: only === undefined ? (Object.keys(WAYS) as Way[]) : [only] }
}

const main = async (args: readonly string[]): Promise<number> => {
  const { from, orders, keep, ways } = parse(args)
  const parent = mkdtempSync(join(tmpdir(), 'merx-upgrade-'))
  try {
    say(`installing ${from} in ${parent}`)
    const oldRoot = await installRelease(from, parent)
    let isGood = true
    for (const way of ways) {
      const folder = join(parent, way)
      mkdirSync(folder)
      const result = await WAYS[way]({ folder, oldRoot, orders, say: (line) => say(`${way}: ${line}`) })
      mkdirSync(RESULTS, { recursive: true })
      const kept = { from, orders, ...result, machine: describeMachine(new Date()) }
      writeFileSync(join(RESULTS, `${way}.json`), `${JSON.stringify(kept, undefined, 2)}\n`)
      for (const sentence of result.wrong.slice(0, SENTENCES_MAX)) say(`  ${sentence}`)
      say(`${way}: ${result.wrong.length} differences; figures in ${RESULTS}`)
      isGood &&= result.wrong.length === 0
    }
    return isGood ? 0 : 1
  } finally {
    if (keep) say(`kept: ${parent}`)
    else rmSync(parent, { recursive: true, force: true })
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
