/**
 * A history: two processes of each service, a shop at work for a while, and faults at random, all from one seed. Every request and
 * answer is kept as a line of `.merx/histories/<seed>.jsonl`, and checked (check-history.ts).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '../../support/random.ts'
import { faults } from '../list/index.ts'
import { openLab, type Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { openClient, openNotes, startCrowd, type Notes } from './clients.ts'
import { judgeHistory, type Verdict } from './judge-history.ts'
import { openReplicas } from './replicas.ts'
import { openShop } from './shop.ts'

const FOLDER = resolve(import.meta.dirname, '../../../.merx/histories')
const DISK_MEGABYTES = { engine: 192, postgres: 1024 }
const UNITS = 400
const LASTS_MS_MAX = 3_000
const BETWEEN_MS_MAX = 3_000
/** What is still under way when the last fault is over. */
const SETTLE_MS = 5_000

/** Faults of one part that a second one may stand in for, and of what all parts share. */
const DRAWN =
  /^(?:(?:kill|hang|slow|silent|cut)-(?:auth|core|metrics|postgres|redis|engine)|clock-(?:back|forward|back-auth|forward-core)|end-connections|read-only-postgres|no-connections|locked-tables|flush-redis|full-disk|full-database-disk|kill-nginx-workers)$/

export interface HistoryOptions {
  readonly seed: number
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface HistoryResult extends Verdict {
  readonly faults: readonly string[]
}

const breakOnce = async (lab: Lab, fault: Fault, random: Random): Promise<void> => {
  const undo = await fault.prepare?.(lab)
  await fault.inject(lab)
  await wait(200 + random.below(LASTS_MS_MAX))
  await fault.repair(lab)
  await undo?.()
}

/** @returns the names of the faults, in turn */
const breakAtRandom = async (
  lab: Lab,
  { seed, seconds, say }: HistoryOptions,
): Promise<readonly string[]> => {
  const random = createRandom(seed)
  const drawn = faults.filter((fault) => DRAWN.test(fault.name) && fault.missing?.(lab) === undefined)
  const names: string[] = []
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    await wait(random.below(BETWEEN_MS_MAX))
    const fault = random.pick(drawn)
    say(fault.name)
    names.push(fault.name)
    await breakOnce(lab, fault, random)
  }
  return names
}

const keep = (seed: number, { entries, carts }: Notes): void => {
  mkdirSync(FOLDER, { recursive: true })
  const lines = [...carts].map(([order, cart]) => ({ order, ...cart }))
  const text = [...lines, ...entries].map((each) => JSON.stringify(each)).join('\n')
  writeFileSync(join(FOLDER, `${seed}.jsonl`), `${text}\n`)
}

/** @throws Error when the lab itself does not work */
export const runHistory = async (options: HistoryOptions): Promise<HistoryResult> => {
  await using closing = new AsyncDisposableStack()
  const lab = await openLab({ diskMegabytes: DISK_MEGABYTES })
  closing.defer(() => lab.close())
  const shop = await openShop(openClient(lab, 'to begin with').user, UNITS)
  closing.use(await openReplicas(lab))
  const notes = openNotes()
  const crowd = startCrowd(lab, shop, notes, options.seed)
  const names = await breakAtRandom(lab, options).finally(() => wait(SETTLE_MS).then(() => crowd.stop()))
  await lab.ready()
  keep(options.seed, notes)
  return { ...(await judgeHistory(lab, shop, notes, crowd.records)), faults: names }
}
