/**
 * `npm run faults [-- <name>…]`: every fault, or those named, one after the other on one lab behind nginx. Results are
 * kept under `.merx/faults/`; `--publish` writes docs/reference/faults.md from the last ones; `--list` names them. Ends
 * with 1 when something was lost, wrong, or not as documented.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describeMachine } from '@merx/load/machine'
import { faults } from './list/index.ts'
import { openLab, type Lab } from './support/lab.ts'
import { publishFaults, RESULTS } from './support/publish.ts'
import { runFault, type Fault, type FaultResult } from './support/run-fault.ts'

/** Small enough to be filled in a moment, large enough for the demo. */
const DISK_MEGABYTES = { engine: 192, postgres: 1024 }

const say = (line: string): void => console.error(`faults: ${line}`)

const select = (names: readonly string[]): readonly Fault[] => {
  const unknown = names.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0)
    throw new Error(`no fault ${unknown.join(', ')}; there are ${faults.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? faults : faults.filter(({ name }) => names.includes(name))
}

const isPassed = ({ lost, wrong }: FaultResult): boolean => lost.length === 0 && wrong.length === 0

const keep = (result: FaultResult): void => {
  mkdirSync(RESULTS, { recursive: true })
  const kept = { ...result, machine: describeMachine(new Date()) }
  writeFileSync(join(RESULTS, `${result.name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`)
}

const report = (result: FaultResult): void => {
  const { name, requests, failed, failures, recoveredMs, acknowledged, lost, wrong, caughtUpMs } = result
  say(
    `${name}: ${failed} of ${requests} failed ${JSON.stringify(failures)}, recovered after ${recoveredMs} ms, ` +
      `${acknowledged} writes acknowledged, ${lost.length} lost, ${wrong.length} wrong, metrics after ${caughtUpMs} ms`,
  )
  for (const sentence of [...lost, ...wrong].slice(0, 20)) say(`  ${sentence}`)
}

/** For looking at what went wrong after the lab is gone. */
const keepLogs = ({ services }: Lab, { name }: Fault): void => {
  const folder = join(RESULTS, 'logs', name)
  for (const { logFile } of Object.values(services))
    cpSync(logFile, join(folder, basename(logFile).replace(/-\d+/, '')))
  say(`  logs are in ${folder}`)
}

const runAll = async (chosen: readonly Fault[]): Promise<boolean> => {
  say('starting the lab')
  const lab = await openLab({ diskMegabytes: DISK_MEGABYTES })
  try {
    return await runEach(lab, chosen)
  } finally {
    await lab.close()
  }
}

const runEach = async (lab: Lab, chosen: readonly Fault[]): Promise<boolean> => {
  let isGood = true
  for (const fault of chosen) {
    const missing = fault.missing?.(lab)
    if (missing !== undefined) {
      say(`${fault.name}: not shown here, because ${missing}`)
      continue
    }
    const result = await runFault(lab, fault)
    keep(result)
    report(result)
    if (!isPassed(result)) keepLogs(lab, fault)
    isGood &&= isPassed(result)
  }
  return isGood
}

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes('--list')) {
    for (const { name, title } of faults) console.log(`${name.padEnd(24)} ${title}`)
    return 0
  }
  if (args.includes('--publish')) {
    console.log(`written: ${publishFaults()}`)
    return 0
  }
  return (await runAll(select(args))) ? 0 : 1
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
