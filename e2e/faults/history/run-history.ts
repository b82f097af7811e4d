/**
 * A history: two processes of each service, a shop at work for a while, and faults at random, all from one seed. Every request and
 * answer is kept as a line of `.merx/histories/<seed>.jsonl`, and checked (check-history.ts).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '../../support/random.ts'
import type { ResourceDocument } from '../../support/wire.ts'
import { faults } from '../list/index.ts'
import { compareTotals } from '../support/compare-totals.ts'
import { openLab, type Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { checkHistory } from './check-history.ts'
import { openClient, startCrowd, type Client, type Notes } from './clients.ts'
import type { FinalOrder, History } from './entry.ts'
import { openReplicas } from './replicas.ts'
import { openShop, UNIT_CENTS, type Shop } from './shop.ts'

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

export interface HistoryResult {
  readonly requests: number
  readonly refused: number
  readonly sold: number
  readonly faults: readonly string[]
  /** What is not as it must be, a sentence each. */
  readonly wrong: readonly string[]
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

const sumOf = (document: ResourceDocument, type: string): number =>
  (document.included ?? [])
    .filter((each) => each.type === type && each.attributes['succeeded'] === true)
    .reduce((sum, { attributes }) => sum + Number(attributes['amount_cents']), 0)

const readOrder = async ({ user }: Client, order: string): Promise<FinalOrder | undefined> => {
  const document = (
    await user.core('GET', `orders/${order}?include=captures,refunds`)
  )?.json<ResourceDocument>()
  if (document === undefined) return undefined
  const { attributes } = document.data
  return {
    status: String(attributes['status']),
    paymentStatus: String(attributes['payment_status']),
    totalCents: Number(attributes['total_amount_with_taxes_cents']),
    capturedCents: sumOf(document, 'captures'),
    refundedCents: sumOf(document, 'refunds'),
  }
}

const readFinal = async (lab: Lab, shop: Shop, { entries, carts }: Notes): Promise<History> => {
  const [merchant, front] = [
    openClient(lab, 'merchant at the end'),
    openClient(lab, 'front at the end', shop.market),
  ]
  const tried = new Set(entries.flatMap(({ what }) => (what.kind === 'write' ? [what.order] : [])))
  const orders = new Map<string, FinalOrder>()
  for (const order of tried) {
    const final = await readOrder(merchant, order)
    if (final !== undefined) orders.set(order, final)
  }
  const stock = new Map<string, { readonly first: number; readonly last: number }>()
  for (const [sku, { units }] of shop.skus) {
    const reply = await front.user.core('GET', `skus/${sku}?fields[skus]=inventory`)
    const inventory = reply?.json<ResourceDocument>().data.attributes['inventory']
    stock.set(sku, { first: units, last: (inventory as { readonly quantity: number }).quantity })
  }
  return { entries, carts, stock, orders, unitCents: UNIT_CENTS }
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
  const notes: Notes = { entries: [], carts: new Map(), placed: [] }
  const crowd = startCrowd(lab, shop, notes, options.seed)
  const names = await breakAtRandom(lab, options).finally(() => wait(SETTLE_MS).then(() => crowd.stop()))
  await lab.ready()
  keep(options.seed, notes)
  const history = await readFinal(lab, shop, notes)
  const seen = crowd.records.flatMap(({ observations }) => observations)
  return {
    requests: seen.length,
    refused: crowd.records.reduce((sum, { failed }) => sum + failed, 0),
    sold: [...history.orders.values()].filter(({ status }) => status === 'approved').length,
    faults: names,
    wrong: [
      ...crowd.records.flatMap(({ wrong }) => [...wrong]),
      ...checkHistory(history),
      ...(await compareTotals(lab)),
    ],
  }
}
