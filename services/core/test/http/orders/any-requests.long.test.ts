/**
 * Any requests, of anybody, one after the other and several at once: whatever is answered, the laws of orders hold
 * (test/support/any-requests/laws.ts), every transition has its event, what is refused changes nothing, and what is repeated
 * neither. MERX_MODEL_SEQUENCES says how many sequences, MERX_MODEL_SEED repeats those of a run that printed it.
 */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { modelSeed, modelSequences } from '@merx/testing/model-settings'
import fc from 'fast-check'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { expireReservations } from '../../../src/inventory/reservation-expiry.ts'
import { deleteOldDrafts } from '../../../src/orders/jobs/delete-old-drafts.ts'
import type { Page, ShopRows } from '../../support/any-requests/books.ts'
import {
  FIXTURES,
  numbersOf,
  otherKinds,
  pathOf,
  requestOf,
  TRIGGER_TYPES,
  triggerKinds,
} from '../../support/any-requests/requests.ts'
import type { AnyRequest } from '../../support/any-requests/requests.ts'
import { watchShop } from '../../support/any-requests/watch-shop.ts'
import type { ShopWatch } from '../../support/any-requests/watch-shop.ts'
import { customer, openCore, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { ADDRESSES, checkoutCalls, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Response } from '../support/order-calls.ts'

/**
 * About 0.4 s of processor time each. CI repeats one seed, so that what fails is a change that breaks a law; others are run by
 * hand.
 */
const SEQUENCES = modelSequences(20, 60)
const SEED = modelSeed()
const STEPS_MAX = 10

let core: TestCore

const STRATEGIES = [
  'no_split',
  'split_shipments',
  'split_by_line_items',
  'ship_from_primary',
  'ship_from_first_available_or_primary',
] as const

beforeAll(async () => {
  core = await openCore('any_requests')
  await core.pool.query(`
    INSERT INTO inventory_stock_locations (environment_id, priority, inventory_model_id, stock_location_id)
      VALUES (1, 3, 1, 3);
    UPDATE inventory_models SET stock_locations_cutoff = 3 WHERE id = 1;
    INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents)
      VALUES (1, 1, 'Post', 'EUR', 700), (2, 1, 'Bike', 'EUR', 0);
    INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (1, 1, 'manual_tax_calculators', 'VAT');
    INSERT INTO tax_rules (environment_id, name, tax_rate, freight_taxable, manual_tax_calculator_id)
      VALUES (1, 'VAT', 0.22, true, 1);
    INSERT INTO adjustments (id, environment_id, name, currency_code, amount_cents) VALUES (1, 1, 'Sorry', 'EUR', -300);
    INSERT INTO sku_options (id, environment_id, name, currency_code, price_amount_cents, sku_code_regex)
      VALUES (1, 1, 'Card', 'EUR', 250, '.*')`)
  await renewTokens()
})
afterAll(() => core.close())

const { add } = orderCalls(() => core)
const { send } = checkoutCalls(() => core)

type Caller = 'admin' | 'guest' | 'customer' | 'stranger'

let tokens: Readonly<Record<Caller, string>>

/** Time passes, and tokens expire with it. */
const renewTokens = async (): Promise<void> => {
  const { mint } = core.tokens
  core = { ...core, tokens: { ...core.tokens, admin: await mint() } }
  tokens = {
    admin: core.tokens.admin,
    guest: await mint(salesChannel([1])),
    customer: await mint(customer(1, [1])),
    stranger: await mint(customer(2, [1])),
  }
}

interface Setting {
  readonly strategy: (typeof STRATEGIES)[number]
  readonly isByHand: boolean
  readonly isHeld: boolean
  readonly autoCapture: boolean
  readonly requireCapture: boolean
  readonly feeCents: number
  readonly isTaxed: boolean
  readonly unitCents: number
  readonly doNotShip: boolean
  readonly stock: readonly number[]
}

const setting = fc.record<Setting>({
  strategy: fc.constantFrom(...STRATEGIES),
  isByHand: fc.boolean(),
  isHeld: fc.boolean(),
  autoCapture: fc.boolean(),
  requireCapture: fc.boolean(),
  feeCents: fc.constantFrom(0, 200),
  isTaxed: fc.boolean(),
  unitCents: fc.constantFrom(1_000, 1_000, 0),
  doNotShip: fc.boolean(),
  stock: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 6, maxLength: 6 }),
})

let skus = 9_000

/** Two new SKUs in three locations, and the settings of their market. */
const openShop = async (set: Setting): Promise<readonly number[]> => {
  skus += 2
  const numbers = [skus - 1, skus]
  const values = (row: (sku: number, at: number) => string) => numbers.map(row).join(', ')
  const places = [1, 2, 3]
  await core.pool.query(`
    UPDATE inventory_models SET strategy = '${set.strategy}', manual_stock_decrement = ${set.isByHand},
      put_stock_transfers_on_hold = ${set.isHeld} WHERE id = 1;
    UPDATE payment_methods SET auto_capture = ${set.autoCapture}, require_capture = ${set.requireCapture},
      price_amount_cents = ${set.feeCents}, auto_capture_max_amount_cents = 1000000 WHERE id = 1;
    UPDATE markets SET tax_calculator_id = ${set.isTaxed ? 1 : 'NULL'}, default_shipping_method_id = 1 WHERE id = 1;
    INSERT INTO skus (id, environment_id, code, name, shipping_category_id, do_not_ship) VALUES
      ${values((sku, at) => `(${sku}, 1, 'ANY-${sku}', 'x', ${at + 1}, ${at === 1 && set.doNotShip})`)};
    INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents) VALUES
      ${values((sku) => `(1, ${sku}, 'ANY-${sku}', 1, 'EUR', ${set.unitCents})`)};
    INSERT INTO stock_items (environment_id, sku_id, sku_code, stock_location_id, quantity) VALUES
      ${values((sku, at) => places.map((place) => `(1, ${sku}, 'ANY-${sku}', ${place}, ${set.stock[at * 3 + place - 1] ?? 0})`).join(', '))}`)
  return numbers
}

const must = (response: Response): Response => {
  if (response.status < 300) return response
  throw new Error(`${response.status}: ${response.text}`)
}

const refusedOrDone = (response: Response): Response => {
  if (ALLOWED.has(response.status)) return response
  throw new Error(`${response.status}: ${response.text}`)
}

/** Never 500, and no conflict that the caller could not do anything about. */
const ALLOWED: ReadonlySet<number> = new Set([200, 201, 204, 400, 401, 403, 404, 422, 423])

/** A cart with lines, as far as they are there, and everything that it needs to be placed. */
const beginOrder = async (
  caller: Caller,
  wanted: readonly number[],
  codes: readonly string[],
): Promise<number> => {
  const token = tokens[caller]
  const relationships = { market: one('markets', 1) }
  const begun = must(
    await core.send('POST', '/api/orders', token, { data: { type: 'orders', relationships } }),
  )
  const { id } = (begun.body as { readonly data: { readonly id: string } }).data
  for (const [at, quantity] of wanted.entries())
    if (quantity > 0) refusedOrDone(await add(token, id, { sku_code: codes[at], quantity }))
  const attributes = caller === 'guest' ? { customer_email: 'guest@example.com' } : {}
  const links = { ...ADDRESSES, payment_method: one('payment_methods', FIXTURES.paymentMethods[0]) }
  const data = { type: 'orders', id, attributes, relationships: links }
  must(await core.send('PATCH', `/api/orders/${id}`, tokens.admin, { data }))
  const source = { type: 'wire_transfers', relationships: { order: linkTo('orders', id) } }
  refusedOrDone(await core.send('POST', '/api/wire_transfers', tokens.admin, { data: source }))
  return decodeId('orders', id) ?? 0
}

const sent = new Map<string, { done: number; refused: number }>()

const count = (kind: string, status: number): void => {
  const counts = sent.get(kind) ?? { done: 0, refused: 0 }
  if (status < 300) counts.done += 1
  else counts.refused += 1
  sent.set(kind, counts)
}

const anyRequest = fc.record({
  kind: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(...triggerKinds.map(({ type, trigger }) => `${type} ${trigger}`)),
    },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'orders _place',
        'orders _approve',
        'orders _approve_and_capture',
        'orders _capture',
        'orders _cancel',
        'orders _refund',
        'orders _start_editing',
        'orders _stop_editing',
        'orders _fulfill',
        'captures _refund',
        'authorizations _capture',
        'authorizations _void',
        'shipments _packing',
        'shipments _ready_to_ship',
        'shipments _ship',
        'shipments _cancel',
        'stock_transfers _picking',
        'stock_transfers _in_transit',
        'stock_transfers _complete',
        'line_items _reserve_stock',
      ),
    },
    { weight: 5, arbitrary: fc.constantFrom(...otherKinds) },
  ),
  nth: fc.nat(3),
  amount: fc.integer({ min: 0, max: 9 }),
  caller: fc.constantFrom<Caller>('admin', 'admin', 'admin', 'admin', 'guest', 'customer', 'stranger'),
})

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      requests: fc.array(anyRequest, { minLength: 1, maxLength: 1 }),
      again: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      requests: fc.array(anyRequest, { minLength: 2, maxLength: 3 }),
      again: fc.constant(false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ seconds: fc.constantFrom(60, 4_000, 6_000_000) }) },
)
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

const pasts = fc.constantFrom<readonly string[]>(
  [],
  ['_place'],
  ['_place', '_start_editing'],
  ['_place', '_approve'],
  ['_place', '_approve', '_capture'],
  ['_place', '_approve_and_capture'],
  ['_authorize'],
)

/** A reservation is renewed. */
const NOT_REPEATABLE: ReadonlySet<string> = new Set(['line_items _reserve_stock'])

const isTrigger = ({ method, body }: AnyRequest): boolean =>
  method === 'PATCH' &&
  Object.keys((body as { data: { attributes: object } }).data.attributes).some((name) => name.startsWith('_'))

/** The clock moves, and so do the jobs that it starts. */
const passTime = async (seconds: number, watch: ShopWatch): Promise<void> => {
  core.clock.advance(seconds)
  await renewTokens()
  for (const job of [expireReservations, deleteOldDrafts]) await core.jobs.enqueue(job, {}, runOn(core.pool))
  await core.jobs.runUntilIdle()
  watch.note(`${seconds} s pass`)
  await watch.check()
}

interface Sent {
  readonly kind: string
  readonly caller: Caller
  readonly made: AnyRequest
}

const sendAll = (requests: readonly Sent[]): Promise<readonly Response[]> =>
  Promise.all(
    requests.map(({ made, caller }) => core.send(made.method, made.path, tokens[caller], made.body)),
  )

const noteOf = ({ kind, caller, made }: Sent, { status, text }: Response): string =>
  `${kind} by ${caller}: ${made.method} ${made.path} ${JSON.stringify(made.body)} → ${status} ${status < 300 ? '' : text}`

/** All at once; whether any succeeded. */
const sendStep = async (requests: readonly Sent[], watch: ShopWatch): Promise<boolean> => {
  const answers = await sendAll(requests)
  let counted = 0
  for (const [at, request] of requests.entries()) {
    const answer = answers[at]
    if (answer === undefined) continue
    watch.note(noteOf(request, answer))
    count(request.kind, answer.status)
    if (!ALLOWED.has(answer.status)) watch.fail('an answer that nobody can do anything about')
    if (answer.status >= 300) continue
    if (request.made.byHand !== undefined) watch.movedByHand(request.made.byHand)
    counted += countedIn(watch.page(), request.made)
  }
  if (answers.every(({ status }) => status >= 400)) {
    await watch.checkSame()
    return false
  }
  // Counted while others moved stock: what was there is not known.
  const isKnown = requests.length === 1 || requests.every(({ kind }) => kind !== 'count stock')
  await watch.check(isKnown ? counted : undefined)
  return true
}

/** It succeeds and changes nothing, unless it carries an amount, which is moved again. */
const repeat = async (request: Sent, watch: ShopWatch): Promise<void> => {
  if (!isThere(request, watch.page())) return
  const [answer] = await sendAll([request])
  if (answer === undefined) return
  watch.note(`again: ${noteOf(request, answer)}`)
  const hasAmount = JSON.stringify(request.made.body).includes('_amount_cents')
  // A buyer writes an order only while it is a cart.
  const isOver = answer.status === 401 && request.caller !== 'admin'
  if (answer.status !== 200 && !hasAmount && !isOver) watch.fail('a repetition is refused')
  await (hasAmount ? watch.check() : watch.checkSame())
}

/** A cart that is built again may lose the row that the request was for, such as the line of a shipment. */
const isThere = ({ kind, made }: Sent, { books }: Page): boolean => {
  const type = TRIGGER_TYPES.find((each) => kind.startsWith(`${each} `))
  if (type === undefined) return true
  return numbersOf(books, type).some((number) => made.path === pathOf(type, number))
}

const runSequence = async (rows: ShopRows, steps: readonly Step[]): Promise<void> => {
  const watch = await watchShop(core.pool, rows)
  for (const each of steps) {
    if ('seconds' in each) {
      await passTime(each.seconds, watch)
      continue
    }
    const requests = each.requests.flatMap((drawn) => {
      const made = requestOf(drawn.kind)(watch.page().books, drawn, rows)
      return made === undefined ? [] : [{ ...drawn, made }]
    })
    const [first] = requests
    if (first === undefined || !(await sendStep(requests, watch))) continue
    if (each.again && isTrigger(first.made) && !NOT_REPEATABLE.has(first.kind)) await repeat(first, watch)
  }
}

/** Units that a merchant counts more than before. */
const countedIn = ({ books }: Page, request: AnyRequest | undefined): number => {
  const body = request?.body as
    { data?: { type?: string; id?: string; attributes?: { quantity?: number } } } | undefined
  const { type, id, attributes } = body?.data ?? {}
  if (type !== 'stock_items' || id === undefined || attributes?.quantity === undefined) return 0
  const before = books.stock_items.find((row) => encodeId('stock_items', row.id) === id)
  return attributes.quantity - (before?.quantity ?? 0)
}

test(`of ${SEQUENCES} sequences of any requests none breaks a law of orders`, async () => {
  const begins = fc.record({
    shop: setting,
    wanted: fc.array(fc.array(fc.nat(3), { minLength: 2, maxLength: 2 }), { minLength: 2, maxLength: 2 }),
    past: fc.tuple(pasts, pasts),
  })
  await fc.assert(
    fc.asyncProperty(
      begins,
      fc.array(step, { minLength: 1, maxLength: STEPS_MAX, size: 'max' }),
      async ({ shop, wanted, past }, steps) => {
        const numbers = await openShop(shop)
        const codes = numbers.map((sku) => `ANY-${sku}`)
        const orders = [
          await beginOrder('guest', wanted[0] ?? [], codes),
          await beginOrder('customer', wanted[1] ?? [], codes),
        ]
        for (const [at, triggers] of past.entries())
          for (const trigger of triggers)
            refusedOrDone(await send(encodeId('orders', orders[at] ?? 0), trigger))
        await runSequence({ orders, skus: numbers }, steps)
      },
    ),
    { numRuns: SEQUENCES, seed: SEED },
  )
  const accepted = [...sent].filter(([, { done }]) => done > 0).length
  process.stderr.write(
    `kinds of requests that were accepted: ${accepted} of ${triggerKinds.length + otherKinds.length}\n`,
  )
  if (process.env['MERX_MODEL_COUNTS'] !== undefined)
    for (const [kind, { done, refused }] of [...sent].toSorted())
      process.stderr.write(`${kind}: ${done} accepted, ${refused} refused\n`)
}, 36_000_000)
