/** One fault: load, injection, repair, recovery, comparison; a row of the table. */
import { setTimeout as wait } from 'node:timers/promises'
import { compareTotals } from './compare-totals.ts'
import { compareWithLedger } from './compare.ts'
import type { Lab } from './lab.ts'
import { createLedger } from './ledger.ts'
import { startLoad, type Load } from './load.ts'
import { askTotals, requireTotals, type Totals } from './metrics-answers.ts'
import { isQuiet, summarize, type Outcome, type Sight } from './observations.ts'
import { SERVICES } from './service-process.ts'
import { createRecord, integrationOf, type LoadRecord } from './user.ts'

export interface Fault {
  /** Of the command line and of the results: `kill-core`. */
  readonly name: string
  /** As the table says it. */
  readonly title: string
  /** What users may see besides good answers and 503. */
  readonly allowed?: readonly Outcome[]
  /** Users may not notice it at all: not even a 503. */
  readonly isUnseen?: boolean
  /** How long it lasts before it is repaired. Default 1500. */
  readonly lastsMs?: number
  /** Before the load, for example to start a service in another way; its result undoes that. */
  prepare?(lab: Lab): Promise<() => Promise<void>>
  inject(lab: Lab): Promise<void> | void
  repair(lab: Lab): Promise<void> | void
  /** More that must hold while the fault lasts or after it; sentences are faults. */
  check?(lab: Lab): Promise<readonly string[]>
  /** Why it cannot be shown on this machine, or undefined. */
  missing?(lab: Lab): string | undefined
}

export interface FaultResult extends Sight {
  readonly name: string
  readonly title: string
  /** From the injection to the end of the repair. */
  readonly lastedMs: number
  readonly acknowledged: number
  readonly compared: number
  readonly lost: readonly string[]
  readonly wrong: readonly string[]
  readonly caughtUpMs: number
}

const WARM_UP_MS = 1_000
const LASTS_MS = 1_500
const QUIET_MS = 1_000
const RECOVERY_MS_MAX = 60_000
/** Any number; the same one every time, so that a run can be repeated. */
const SEED = 20_261_121

/** A service that ends because of a fault of another one is a fault of its own; it is started again, for the faults that follow. */
const reviveEnded = async ({ services }: Lab): Promise<readonly string[]> => {
  const ended = SERVICES.filter((name) => services[name].hasEnded())
  for (const name of ended) await services[name].start()
  return ended.map((name) => `${name} ended by itself`)
}

/** Undefined for an organization whose question was refused. */
const readTotals = (lab: Lab): Promise<readonly (Totals | undefined)[]> =>
  Promise.all([0, 1].map((organization) => askTotals(integrationOf(lab, organization))))

const requireOrders = async (lab: Lab): Promise<readonly Totals[]> => {
  const totals = await requireTotals(lab)
  if (totals.some(({ count }) => count === 0)) throw new Error('metrics holds no orders before the fault')
  return totals
}

const untilQuiet = async (record: LoadRecord, since: number): Promise<string | undefined> => {
  while (!isQuiet(record.observations, since, QUIET_MS)) {
    if (performance.now() - since > RECOVERY_MS_MAX)
      return `it had not recovered ${RECOVERY_MS_MAX / 1_000} s after the repair`
    await wait(50)
  }
  return undefined
}

/** @throws Error when the lab itself does not work; what the fault did wrong is in the result. */
export const runFault = async (lab: Lab, fault: Fault): Promise<FaultResult> => {
  await lab.ready()
  const undo = await fault.prepare?.(lab)
  try {
    return await observe(lab, fault)
  } finally {
    await undo?.()
  }
}

const observe = async (lab: Lab, fault: Fault): Promise<FaultResult> => {
  const allowed = new Set<Outcome>([503, ...(fault.allowed ?? [])])
  const totals = await requireOrders(lab)
  const load = await startLoad({ lab, ledger: createLedger(), seed: SEED, allowed, totals })
  try {
    return await observeUnder(load, { lab, fault, totals })
  } finally {
    await load.stop() // also when it went wrong, or this process never ends
  }
}

interface Observed {
  readonly lab: Lab
  readonly fault: Fault
  readonly totals: readonly Totals[]
}

const observeUnder = async (load: Load, { lab, fault, totals }: Observed): Promise<FaultResult> => {
  const { record, ledger } = load
  const from = performance.now()
  await wait(WARM_UP_MS)
  const injectedAt = performance.now()
  await fault.inject(lab)
  await wait(fault.lastsMs ?? LASTS_MS)
  await fault.repair(lab)
  const repairedAt = performance.now()
  const notRecovered = await untilQuiet(record, repairedAt)
  const checked = (await fault.check?.(lab)) ?? []
  await load.stop()
  const ended = await reviveEnded(lab)
  const to = performance.now()
  const after = createRecord()
  const { lost, caughtUpMs } = await compareWithLedger(integrationOf(lab, 0, after), ledger)
  const differing = await compareTotals(lab)
  const totalsAfter = JSON.stringify(await readTotals(lab))
  const sight = summarize(record.observations, { from, repairedAt, to })
  const seen =
    fault.isUnseen === true && sight.failed > 0 ? [`users saw it: ${JSON.stringify(sight.failures)}`] : []
  return {
    name: fault.name,
    title: fault.title,
    lastedMs: Math.round(repairedAt - injectedAt),
    ...sight,
    acknowledged: ledger.acknowledged,
    compared: record.compared,
    lost: [...lost, ...differing],
    wrong: [
      ...record.wrong,
      ...after.wrong,
      ...checked,
      ...seen,
      ...ended,
      ...(notRecovered === undefined ? [] : [notRecovered]),
      ...(totalsAfter === JSON.stringify(totals) ? [] : [`metrics says ${totalsAfter} afterwards`]),
    ],
    caughtUpMs,
  }
}
