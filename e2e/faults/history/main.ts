/**
 * `npm run histories -- [<seed>…] [--seconds 120]`: a history for each seed, one after the other. Ends with 1 when one of them is not
 * as it must be, and says how. `--on containers` is for `infra/check-containers histories`, which starts them.
 */
import { parseArgs } from 'node:util'
import { openContainers } from '../../replicas/support/on-containers.ts'
import { openProcesses } from './on-processes.ts'
import { runHistory } from './run-history.ts'

const SYSTEMS = { processes: openProcesses, containers: openContainers }

const SECONDS = 120
const SECONDS_MAX = 3_600

const say = (line: string): void => console.error(`histories: ${line}`)

const wholeNumber = (name: string, text: string, max: number): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Error(`${name} is "${text}"; allowed: a whole number, 1 to ${max}`)
}

const isSystem = (name: string): name is keyof typeof SYSTEMS => Object.hasOwn(SYSTEMS, name)

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: String(SECONDS) },
      on: { type: 'string', default: 'processes' },
    },
  })
  if (!isSystem(values.on))
    throw new Error(`--on is "${values.on}"; allowed: ${Object.keys(SYSTEMS).join(', ')}`)
  const open = SYSTEMS[values.on]
  const seconds = wholeNumber('--seconds', values.seconds, SECONDS_MAX)
  const seeds = positionals.map((text) => wholeNumber('a seed', text, 2 ** 31))
  let isGood = true
  for (const seed of seeds.length > 0 ? seeds : [Date.now() % 1_000_000]) {
    say(`seed ${seed}, ${seconds} s`)
    const { requests, refused, sold, faults, wrong } = await runHistory(open, { seed, seconds, say })
    say(
      `seed ${seed}: ${faults.length} faults, ${requests} requests, ${refused} refused, ${sold} orders sold, ${wrong.length} wrong`,
    )
    for (const sentence of wrong.slice(0, 50)) say(`  ${sentence}`)
    isGood &&= wrong.length === 0
  }
  return isGood ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
