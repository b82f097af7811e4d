/** A small shop at work: tokens, lists, new carts, changed orders and reports, of two organizations, until it is stopped. */
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '../../support/random.ts'
import type { CollectionDocument, ResourceDocument } from '../../support/wire.ts'
import type { Lab } from './lab.ts'
import type { KnownOrder, Ledger } from './ledger.ts'
import { askTotals, type Totals } from './metrics-answers.ts'
import type { Outcome } from './observations.ts'
import { createRecord, createUser, type LoadRecord, type User } from './user.ts'

const PAUSE_MS = 20
/** Clients that were refused take a breath. */
const PAUSE_AFTER_FAILURE_MS = 100
const LINES_OF_AN_ORDER = 8
const AMOUNT_CENTS_MAX = 20_000
/** Orders of the demo whose reference the load changes. */
const CHANGED_ORDERS = 6

export interface Load {
  readonly record: LoadRecord
  readonly ledger: Ledger
  /** Ends the requests under way. */
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly lab: Lab
  readonly ledger: Ledger
  readonly seed: number
  readonly allowed: ReadonlySet<Outcome>
  /** What metrics answers each organization, whatever happens. */
  readonly totals: readonly Totals[]
}

const dataOf = (reply: { json<T>(): T }) => reply.json<ResourceDocument>().data

/** Every row of a list is of the organization that asked. */
const readList = async (user: User, random: Random): Promise<void> => {
  const page = 1 + random.below(20)
  const reply = await user.core('GET', `skus?page%5Bsize%5D=10&page%5Bnumber%5D=${page}`)
  if (reply === undefined) return
  for (const { meta, id } of reply.json<CollectionDocument>().data)
    if (meta?.organization_id !== user.organizationId || meta.mode !== 'test')
      user.wrong(`core gave ${user.organizationId} the SKU ${id} of ${meta?.organization_id ?? 'nobody'}`)
  user.compared()
}

const readTotals = async (user: User, expected: Totals): Promise<void> => {
  const totals = await askTotals(user)
  if (totals === undefined) return
  if (totals.count !== expected.count || totals.sumCents !== expected.sumCents)
    user.wrong(`metrics said ${JSON.stringify(totals)} instead of ${JSON.stringify(expected)}`)
  user.compared()
}

const beginOrder = async (user: User, market: string, ledger: Ledger): Promise<string | undefined> => {
  const relationships = { market: { data: { type: 'markets', id: market } } }
  const reply = await user.core('POST', 'orders', { data: { type: 'orders', relationships } })
  if (reply === undefined) return undefined
  const { id } = dataOf(reply)
  ledger.orders.set(id, { lines: [], undecidedCents: [] })
  ledger.acknowledged += 1
  return id
}

/** A line of its own price, so that what the order must add up to is known to the cent. */
const addLine = async (user: User, order: string, known: KnownOrder, random: Random): Promise<boolean> => {
  const [unit, quantity] = [1 + random.below(AMOUNT_CENTS_MAX), 1 + random.below(3)]
  const amountCents = unit * quantity
  const reply = await user.core('POST', 'line_items', {
    data: {
      type: 'line_items',
      attributes: { name: 'Work by hand', quantity, unit_amount_cents: unit },
      relationships: { order: { data: { type: 'orders', id: order } } },
    },
  })
  if (reply === undefined) {
    known.undecidedCents.push(amountCents)
    return false
  }
  const { id, attributes } = dataOf(reply)
  if (attributes['total_amount_cents'] !== amountCents)
    user.wrong(`the line ${id} costs ${String(attributes['total_amount_cents'])}, not ${amountCents}`)
  known.lines.push({ id, amountCents })
  return true
}

const fillOrders = (user: User, market: string, ledger: Ledger, random: Random) => {
  let order: string | undefined
  return async (): Promise<void> => {
    order ??= await beginOrder(user, market, ledger)
    const known = order === undefined ? undefined : ledger.orders.get(order)
    if (order === undefined || known === undefined) return
    if (await addLine(user, order, known, random)) ledger.acknowledged += 1
    if (known.lines.length + known.undecidedCents.length >= LINES_OF_AN_ORDER) order = undefined
  }
}

const changeReferences = (user: User, ids: readonly string[], ledger: Ledger) => {
  let turn = 0
  return async (): Promise<void> => {
    const id = ids[turn % ids.length] ?? ''
    turn += 1
    const known = ledger.references.get(id) ?? { acknowledged: 0, sent: 0 }
    ledger.references.set(id, known)
    known.sent += 1
    const mine = known.sent
    const attributes = { reference: `turn-${mine}` }
    const reply = await user.core('PATCH', `orders/${id}`, { data: { type: 'orders', id, attributes } })
    if (reply === undefined) return
    known.acknowledged = mine
    ledger.acknowledged += 1
  }
}

/** Orders of the demo that were approved, and a market, of the first organization. */
const findTargets = async (user: User): Promise<{ orders: readonly string[]; market: string }> => {
  const query = `page%5Bsize%5D=${CHANGED_ORDERS}&filter%5Bq%5D%5Bstatus_eq%5D=approved&sort=id`
  const orders = await user.core('GET', `orders?${query}`)
  const markets = await user.core('GET', 'markets?page%5Bsize%5D=1&sort=id')
  const ids = orders?.json<CollectionDocument>().data.map(({ id }) => id) ?? []
  const market = markets?.json<CollectionDocument>().data[0]?.id
  if (ids.length === 0 || market === undefined) throw new Error('the demo has no approved order or no market')
  return { orders: ids, market }
}

/** Starts after a first good answer of everything; nothing is thrown later. */
export const startLoad = async (options: LoadOptions): Promise<Load> => {
  const { lab, ledger, seed, allowed, totals } = options
  const record = createRecord()
  const userOf = (organization: number): User =>
    createUser({ lab, record, organization, credential: 'integration', allowed })
  const [own, otherCaller] = [userOf(0), userOf(1)]
  const { orders, market } = await findTargets(own)
  const random = (offset: number): Random => createRandom(seed + offset)
  const tasks: readonly (() => Promise<unknown>)[] = [
    fillOrders(userOf(0), market, ledger, random(1)),
    fillOrders(userOf(0), market, ledger, random(2)),
    changeReferences(userOf(0), orders, ledger),
    ...[own, otherCaller].map((user, index) => {
      const choice = random(3 + index)
      return () => readList(user, choice)
    }),
    ...[userOf(0), userOf(1)].map((user, index) => () => {
      const expected = totals[index]
      if (expected === undefined) throw new Error('the totals of both organizations must be known')
      return readTotals(user, expected)
    }),
    ...[userOf(0), userOf(1)].map((user) => () => user.signIn()),
  ]
  let isRunning = true
  const failures = (): number => record.failed
  const repeat = async (task: () => Promise<unknown>): Promise<void> => {
    while (isRunning) {
      const failuresBefore = failures()
      await task()
      await wait(failures() === failuresBefore ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS)
    }
  }
  const running = tasks.map(repeat)
  return {
    record,
    ledger,
    stop: async () => {
      isRunning = false
      await Promise.all(running)
    },
  }
}
