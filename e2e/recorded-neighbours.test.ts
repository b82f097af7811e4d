/** What load tests put in place of neighbours is what real ones answer today: `node bench/contracts/main.ts` renews it. */
import { readFileSync } from 'node:fs'
import { recordAuth, recordCore, recordFeed } from '../bench/contracts/record.ts'

const TIMEOUT_MS = 120_000

const recorded = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../services/${file}`, import.meta.url), 'utf8'))

/** Names and kinds of values, whatever the values; the kind of a list is that of its first item. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

it(
  'auth answers core and metrics as recorded',
  async () => {
    const today = shapeOf(await recordAuth())
    expect(today).toEqual(shapeOf(recorded('core/load/recorded-auth.json')))
    expect(today).toEqual(shapeOf(recorded('metrics/load/recorded-auth.json')))
  },
  TIMEOUT_MS,
)

it(
  'core answers auth as recorded',
  async () => {
    expect(shapeOf(await recordCore())).toEqual(shapeOf(recorded('auth/load/recorded-core.json')))
  },
  TIMEOUT_MS,
)

it(
  'core answers metrics as recorded',
  async () => {
    expect(shapeOf(await recordFeed())).toEqual(shapeOf(recorded('metrics/load/recorded-core.json')))
  },
  TIMEOUT_MS,
)
