/**
 * A history: a shop at work for a while on a system of several processes of each service, and faults at random, all from one seed.
 * Every request and answer is kept as a line of `.merx/histories/<seed>.jsonl`, and checked (check-history.ts).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '../../support/random.ts'
import type { Audited } from '../support/compare-totals.ts'
import type { PublicSide } from '../support/lab.ts'
import { openClient, openNotes, startCrowd, type Notes } from './clients.ts'
import { judgeHistory, type Verdict } from './judge-history.ts'
import { openShop } from './shop.ts'

const FOLDER = resolve(import.meta.dirname, '../../../.merx/histories')
const UNITS = 400
const LASTS_MS_MAX = 3_000
const BETWEEN_MS_MAX = 3_000
/** What is still under way when the last fault is over. */
const SETTLE_MS = 5_000

/** Something that can be broken, and mended again. */
export interface Breakable {
  /** Of the fault and its part: `kill-core`. */
  readonly name: string
  /** @returns what mends it */
  break(): Promise<() => Promise<void>>
}

/** A running system that a history may break. */
export interface BreakableSystem extends AsyncDisposable {
  readonly publicSide: PublicSide
  draw(random: Random): Breakable
  /** Resolves when every part of it works, with where its databases are then. */
  ready(): Promise<Audited>
}

export interface HistoryOptions {
  readonly seed: number
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface HistoryResult extends Verdict {
  readonly faults: readonly string[]
}

/** @returns the names of the faults, in turn */
const breakAtRandom = async (
  system: BreakableSystem,
  { seed, seconds, say }: HistoryOptions,
): Promise<readonly string[]> => {
  const random = createRandom(seed)
  const names: string[] = []
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    await wait(random.below(BETWEEN_MS_MAX))
    const fault = system.draw(random)
    say(fault.name)
    names.push(fault.name)
    const mend = await fault.break()
    await wait(200 + random.below(LASTS_MS_MAX))
    await mend()
  }
  return names
}

const keep = (seed: number, { entries, carts }: Notes): void => {
  mkdirSync(FOLDER, { recursive: true })
  const lines = [...carts].map(([order, cart]) => ({ order, ...cart }))
  const text = [...lines, ...entries].map((each) => JSON.stringify(each)).join('\n')
  writeFileSync(join(FOLDER, `${seed}.jsonl`), `${text}\n`)
}

/** @throws Error when the system itself does not work */
export const runHistory = async (
  open: () => Promise<BreakableSystem>,
  options: HistoryOptions,
): Promise<HistoryResult> => {
  await using system = await open()
  const { publicSide } = system
  const shop = await openShop(openClient(publicSide, 'to begin with').user, UNITS, `HISTORY-${Date.now()}`)
  const notes = openNotes()
  const crowd = startCrowd(publicSide, shop, notes, options.seed)
  const names = await breakAtRandom(system, options).finally(() => wait(SETTLE_MS).then(() => crowd.stop()))
  const audited = await system.ready()
  keep(options.seed, notes)
  return { ...(await judgeHistory(audited, shop, notes, crowd.records)), faults: names }
}
