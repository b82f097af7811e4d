/**
 * An upgrade without down time: the services of the release before serve under load while this one migrates; its core serves beside
 * the old one on the same database; then each service is replaced, taken back, and replaced again.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { compareTotals } from '../faults/support/compare-totals.ts'
import { compareWithLedger } from '../faults/support/compare.ts'
import { openLab, untilReady, type Lab } from '../faults/support/lab.ts'
import { createLedger } from '../faults/support/ledger.ts'
import { startLoad, type Load } from '../faults/support/load.ts'
import { requireTotals } from '../faults/support/metrics-answers.ts'
import { migrateWith } from '../faults/support/migrate-with.ts'
import { isGood } from '../faults/support/observations.ts'
import { createServiceProcess, SERVICES, type ServiceProcess } from '../faults/support/service-process.ts'
import { integrationOf } from '../faults/support/user.ts'
import type { InPlaceOptions } from './in-place.ts'
import { startProbe, type Waits } from './probe.ts'
import { useBoth } from './use-both.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SEED = 20_261_128
const BASELINE_MS = 5_000

export interface SideBySideResult {
  readonly migratedInMs: number
  /** The slowest ones. */
  readonly migrations: Readonly<Record<string, number>>
  /** How often a migration made way for requests. */
  readonly madeWay: number
  /** Longest answers to a write and a read of core, by phase. */
  readonly waits: Readonly<Record<string, Waits>>
  readonly requests: number
  readonly acknowledged: number
  readonly wrong: readonly string[]
}

interface MigrationLine {
  readonly time: number | string
  readonly msg: string
  readonly migration?: string
}

const SLOWEST = 8

/** From the times at which each was applied. */
const durationsOf = (lines: readonly string[], startedAt: number) => {
  let previous = startedAt
  const durations: [string, number][] = []
  let madeWay = 0
  for (const line of lines) {
    const { time, msg, migration } = JSON.parse(line) as MigrationLine
    if (migration === undefined) continue
    if (msg !== 'migration applied') {
      madeWay += 1
      continue
    }
    const at = new Date(time).getTime()
    durations.push([migration, at - previous])
    previous = at
  }
  const slowest = durations.toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST)
  return { migrations: Object.fromEntries(slowest), madeWay }
}

/** The core of this release, next to the one that serves. */
const startBeside = async (lab: Lab): Promise<ServiceProcess> => {
  const internalPort = await findFreePort()
  const beside = createServiceProcess({
    name: 'core',
    port: await findFreePort(),
    internalPort,
    folder: lab.folder,
    env: lab.environment.core,
    root: ROOT,
  })
  await beside.start()
  await untilReady('the core of this release', `http://127.0.0.1:${internalPort}`)
  return beside
}

/** Where e2e/support finds the shop: the new core, and auth as users reach it. */
const pointSupportAt = (lab: Lab, core: ServiceProcess, folder: string): void => {
  mkdirSync(folder, { recursive: true })
  const demo = { ...lab.demo, base_url: core.url, auth_url: lab.addresses.auth }
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo))
  process.env['MERX_DATA_DIR'] = folder
}

const failuresOf = ({ record }: Load, since: number, phase: string): readonly string[] => {
  const failed = record.observations.filter(({ at, outcome }) => at >= since && !isGood(outcome))
  const counts = Map.groupBy(failed, ({ service, outcome }) => `${service} ${outcome}`)
  return [...counts].map(([what, { length }]) => `${phase}: ${length} requests failed with ${what}`)
}

export const upgradeSideBySide = async (options: InPlaceOptions): Promise<SideBySideResult> => {
  const { oldRoot, orders, say } = options
  say(`the release before starts, with ${orders} orders`)
  const lab = await openLab({ root: oldRoot, demoOrders: orders })
  try {
    return await upgradeUnderLoad(lab, options)
  } finally {
    for (const file of readdirSync(lab.folder).filter((name) => name.endsWith('.log')))
      cpSync(join(lab.folder, file), join(options.folder, file))
    await lab.close()
  }
}

const upgradeUnderLoad = async (
  lab: Lab,
  { folder, oldRoot, say }: InPlaceOptions,
): Promise<SideBySideResult> => {
  const totals = await requireTotals(lab)
  const load = await startLoad({ lab, ledger: createLedger(), seed: SEED, allowed: new Set(), totals })
  const probe = await startProbe(lab)
  const wrong: string[] = []
  const waits: Record<string, Waits> = {}
  const during = async <T>(phase: string, act: () => Promise<T>): Promise<T> => {
    say(phase)
    const since = performance.now()
    probe.begin()
    const result = await act()
    waits[phase] = probe.end()
    wrong.push(...failuresOf(load, since, phase))
    return result
  }
  let migratedInMs = 0
  let lines: readonly string[] = []
  const startedAt = Date.now()
  try {
    await during('the release before alone', () => wait(BASELINE_MS))
    const migrationsAt = Date.now()
    lines = await during('migrations', () => migrateWith(lab, ROOT))
    migratedInMs = Date.now() - migrationsAt
    wrong.push(
      ...(await during('both cores', async () => {
        const beside = await startBeside(lab)
        pointSupportAt(lab, beside, join(folder, 'shop'))
        return useBoth(lab.services.core.url).finally(() => beside.stop())
      })),
    )
    for (const name of SERVICES) await during(`${name} of this release`, () => lab.roll(name, ROOT))
    for (const name of SERVICES.toReversed())
      await during(`${name} of the release before again`, () => lab.roll(name, oldRoot))
    for (const name of SERVICES) await during(`${name} of this release again`, () => lab.roll(name, ROOT))
  } finally {
    await probe.stop()
    await load.stop()
  }
  wrong.push(...load.record.wrong)
  wrong.push(...(await compareWithLedger(integrationOf(lab, 0), load.ledger)).lost)
  wrong.push(...(await compareTotals(lab)))
  return {
    migratedInMs,
    ...durationsOf(lines, startedAt + BASELINE_MS),
    waits,
    requests: load.record.observations.length,
    acknowledged: load.ledger.acknowledged,
    wrong,
  }
}
