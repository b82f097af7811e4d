/** Any triggers of an order and its transactions, in any order: the money adds up, and the statuses follow from it. */
import fc from 'fast-check'
import { listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('money_model')
  await reseedShop(core.pool)
  await freeShipping()
  await core.pool.query('UPDATE stock_items SET quantity = 100000 WHERE id = 1')
})
afterAll(() => core.close())

const { freeShipping, payable, move, patch, statusesOf } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)

const OF_ORDER = [
  '_authorize',
  '_place',
  '_approve',
  '_approve_and_capture',
  '_capture',
  '_refund',
  '_cancel',
] as const
const OF_TRANSACTION = [
  ['authorizations', '_capture'],
  ['authorizations', '_void'],
  ['authorizations', '_cancel'],
  ['captures', '_refund'],
  ['captures', '_cancel'],
] as const

const cents = fc.option(fc.constantFrom(1, 2_500, 4_000, WHOLE), { freq: 3 })

/** Most runs begin further on, so that parts of authorizations and captures are moved often. */
const beginning = fc.constantFrom<readonly string[]>(
  [],
  ['_place'],
  ['_place', '_approve'],
  ['_place', '_approve_and_capture'],
)

const steps = fc.array(
  fc.oneof(
    fc.record({ trigger: fc.constantFrom(...OF_ORDER), amount: cents, of: fc.constant(undefined) }),
    fc.record({
      trigger: fc.constantFrom(...OF_TRANSACTION.map(([, trigger]) => trigger)),
      amount: cents,
      of: fc.record({ type: fc.constantFrom('authorizations', 'captures'), pick: fc.nat(3) }),
    }),
  ),
  { minLength: 4, maxLength: 10 },
)
type Step = (typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never) extends readonly (infer One)[]
  ? One
  : never

const TAKES_AMOUNT: Readonly<Record<string, string>> = {
  _authorize: '_authorization_amount_cents',
  _capture: '_capture_amount_cents',
  _refund: '_refund_amount_cents',
}

/** The only ways an order may stand (lifecycles.md 1.1, and what parts of its money add). */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  pending: ['unpaid', 'partially_authorized', 'authorized'],
  placed: ['authorized', 'partially_voided'],
  approved: ['authorized', 'partially_voided', 'partially_paid', 'paid', 'partially_refunded'],
  cancelled: ['unpaid', 'voided', 'refunded'],
}

interface Transaction {
  readonly id: string
  readonly amount: number
  readonly origin: string | undefined
}

const transactionsOf = async (
  order: string,
  type: string,
  origin?: string,
): Promise<readonly Transaction[]> => {
  const include = origin === undefined ? '' : `&include=${origin}`
  const path = `/api/orders/${order}/${type}?page[size]=25${include}`
  return listOf(await core.get(path, core.tokens.admin)).data.map(({ id, attributes, relationships }) => {
    const linkage = origin === undefined ? undefined : relationships?.[origin]?.data
    return {
      id,
      amount: Number(attributes['amount_cents']),
      origin: (linkage as { id: string } | undefined)?.id,
    }
  })
}

const ledgerOf = async (order: string) => ({
  authorizations: await transactionsOf(order, 'authorizations'),
  captures: await transactionsOf(order, 'captures', 'reference_authorization'),
  voids: await transactionsOf(order, 'voids', 'reference_authorization'),
  refunds: await transactionsOf(order, 'refunds', 'reference_capture'),
})
type Ledger = Awaited<ReturnType<typeof ledgerOf>>

const sum = (transactions: readonly Transaction[]): number =>
  transactions.reduce((total, { amount }) => total + amount, 0)

/** What a cart gave back is as if it had never been authorized. */
const statusOf = (ledger: Ledger, isForgotten: (authorization: string | undefined) => boolean): string => {
  const authorized = sum(ledger.authorizations.filter(({ id }) => !isForgotten(id)))
  const voided = sum(ledger.voids.filter(({ origin }) => !isForgotten(origin)))
  const [captured, refunded] = [sum(ledger.captures), sum(ledger.refunds)]
  if (authorized === 0) return 'unpaid'
  if (captured > 0) {
    if (captured === refunded) return 'refunded'
    if (captured < WHOLE) return 'partially_paid'
    return refunded > 0 ? 'partially_refunded' : 'paid'
  }
  if (voided === authorized) return 'voided'
  if (voided > 0) return 'partially_voided'
  return authorized >= WHOLE ? 'authorized' : 'partially_authorized'
}

const holds = async (order: string, ledger: Ledger, forgotten: ReadonlySet<string>): Promise<string> => {
  const [status = '', payment = ''] = (await statusesOf(order)).map(String)
  expect(ALLOWED[status]).toContain(payment)
  expect(payment).toBe(statusOf(ledger, (id) => id !== undefined && forgotten.has(id)))
  expect(sum(ledger.captures)).toBeLessThanOrEqual(WHOLE)
  for (const { id, amount } of ledger.authorizations) {
    const used = [...ledger.captures, ...ledger.voids].filter(({ origin }) => origin === id)
    expect(sum(used)).toBeLessThanOrEqual(amount)
    if (status === 'cancelled') expect(sum(used)).toBe(amount)
  }
  for (const { id, amount } of ledger.captures)
    expect(sum(ledger.refunds.filter(({ origin }) => origin === id))).toBeLessThanOrEqual(amount)
  return status
}

const countOf = (ledger: Ledger): number =>
  Object.values(ledger).reduce((count, each) => count + each.length, 0)

const send = async (order: string, ledger: Ledger, { trigger, amount, of }: Step) => {
  const name = TAKES_AMOUNT[trigger]
  const takes = name !== undefined && amount !== null && (of !== undefined || trigger === '_authorize')
  const attributes: Body = { [trigger]: true, ...(takes ? { [name]: amount } : {}) }
  if (of === undefined) return { response: await changeOrder(order, attributes), isAmount: false }
  const known = OF_TRANSACTION.some(([type, each]) => type === of.type && each === trigger)
  const targets = of.type === 'captures' ? ledger.captures : ledger.authorizations
  const target = targets[of.pick % Math.max(targets.length, 1)]
  if (!known || target === undefined) return undefined
  return { response: await patch(of.type, target.id, attributes), isAmount: takes }
}

const runOne = async (triggers: readonly string[], sequence: readonly Step[]): Promise<void> => {
  const order = await payable()
  await move(order, ...triggers)
  const forgotten = new Set<string>()
  let ledger = await ledgerOf(order)
  let status = await holds(order, ledger, forgotten)
  for (const step of sequence) {
    const sent = await send(order, ledger, step)
    if (sent === undefined) continue
    expect([200, 422]).toContain(sent.response.status)
    const next = await ledgerOf(order)
    if (sent.response.status === 422) expect(next).toEqual(ledger)
    if (status === 'pending' && step.of !== undefined)
      for (const { origin } of next.voids) if (origin !== undefined) forgotten.add(origin)
    status = await holds(order, next, forgotten)
    if (sent.response.status === 200 && !sent.isAmount) {
      const again = await send(order, ledger, step)
      expect([step.trigger, again?.response.status]).toEqual([step.trigger, 200])
      expect(countOf(await ledgerOf(order))).toBe(countOf(next))
    }
    ledger = next
  }
}

test('whatever is sent, the ledger adds up and a repetition moves nothing', async () => {
  await fc.assert(fc.asyncProperty(beginning, steps, runOne), {
    numRuns: Number(process.env['MONEY_RUNS'] ?? 20),
  })
})
