/** Something happens while the crowd of the histories buys, sells and reads; afterwards everything it saw is checked. */
import { setTimeout as wait } from 'node:timers/promises'
import { openClient, openNotes, startCrowd, type Notes } from '../../faults/history/clients.ts'
import { judgeHistory, type Verdict } from '../../faults/history/judge-history.ts'
import { openShop } from '../../faults/history/shop.ts'
import type { Audited } from '../../faults/support/compare-totals.ts'
import { isGood, summarize, type Observation, type Sight } from '../../faults/support/observations.ts'
import { openSystem } from './system.ts'

const UNITS = 3_000
const SEED = 29
const BEFORE_MS = 10_000
/** Between two tokens; the crowd itself keeps the one it has. */
const SIGN_IN_MS = 100
const AFTER_MS = 20_000

export interface UnderLoad extends Verdict {
  readonly sight: Sight
  /** Writes that were answered 2xx, all of which were looked for afterwards. */
  readonly acknowledged: number
  /** Outcomes that no client causes: no answer, or an answer of 401 or 5xx. */
  readonly broken: readonly Observation[]
}

const isBroken = ({ outcome }: Observation): boolean =>
  outcome === 'none' || outcome === 401 || outcome >= 500

const acknowledged = ({ entries }: Notes): number =>
  entries.filter(({ what, outcome }) => what.kind === 'write' && isGood(outcome)).length

/** Takes a token again and again until it is to stop. */
const startSigningIn = (system: Audited) => {
  const { user, record } = openClient(system, 'token taker')
  let isRunning = true
  const run = async (): Promise<void> => {
    while (isRunning) {
      await user.signIn()
      await wait(SIGN_IN_MS)
    }
  }
  const running = run()
  running.catch(() => undefined) // told by `stop`
  return {
    record,
    stop: (): Promise<void> => {
      isRunning = false
      return running
    },
  }
}

/** @param happen what happens */
export const underLoad = async (happen: () => Promise<void>): Promise<UnderLoad> => {
  const system = await openSystem()
  const shop = await openShop(openClient(system, 'to begin with').user, UNITS, `LOAD-${Date.now()}`)
  const notes = openNotes()
  const from = performance.now()
  const crowd = startCrowd(system, shop, notes, SEED)
  const taker = startSigningIn(system)
  const records = [...crowd.records, taker.record]
  try {
    await wait(BEFORE_MS)
    await happen()
  } finally {
    await wait(AFTER_MS)
    await Promise.all([crowd.stop(), taker.stop()])
  }
  const to = performance.now()
  const observations = records
    .flatMap((record) => record.observations)
    .toSorted((one, other) => one.at - other.at)
  return {
    ...(await judgeHistory(await openSystem(), shop, notes, records)),
    sight: summarize(observations, { from, repairedAt: to, to }),
    acknowledged: acknowledged(notes),
    broken: observations.filter(isBroken),
  }
}

/** What it looked like, in one sentence. */
export const describeLoad = ({ sight, acknowledged: writes, sold, broken, wrong }: UnderLoad): string =>
  `${sight.requests} requests, ${broken.length} not answered or 5xx; ${writes} changes of orders acknowledged, ` +
  `${sold} orders sold, ${wrong.length} lost or wrong; longest time without a good answer: ` +
  Object.entries(sight.longestGapMs)
    .map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`)
    .join(', ')
