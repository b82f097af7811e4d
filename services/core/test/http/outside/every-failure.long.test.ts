/** Each kind of call to the outside, and each odd way in which the other side can behave: what it comes to (docs/reference/outside-failures.md). */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { EXTERNAL_FAILURES_MAX } from '../../../src/outside/circuit.ts'
import { createOutside } from '../../../src/outside/outside.ts'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { openOddService } from '../support/odd-service.ts'
import type { Mood, OddService, Question } from '../support/odd-service.ts'
import { at, orderCalls } from '../support/order-calls.ts'
import type { Body, Response } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { connectServices } from '../support/shop-services.ts'

const WAITS_MS = 200
const LATE_MS = 400
/** Moods in which no answer comes in time; in the others core waits as long as it does in production, however busy the machine is. */
const SLOW: readonly Mood[] = ['hangs', 'is late']

let core: TestCore
let service: OddService
let shop: Shop
/** What names lead to. */
let address = '127.0.0.1'
let taxRate = 0.1

beforeAll(async () => {
  service = await openOddService(answerTo, LATE_MS)
  const client = createOutside({ allowedNetworks: ['127.0.0.0/8'], resolve: async () => [address] })
  const waits = () => (SLOW.includes(service.mood) ? { timeoutMs: WAITS_MS } : {})
  const outside = {
    post: (call: Parameters<typeof client.post>[0]) => client.post({ ...call, ...waits() }),
    close: () => client.close(),
  }
  core = await openCore('every_failure', { outside }, { OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  await core.close()
  await service.close()
})

const AMOUNTS: Readonly<Record<string, string>> = {
  '/authorize': '_authorization_amount_cents',
  '/capture': '_capture_amount_cents',
  '/void': '_void_amount_cents',
  '/refund': '_refund_amount_cents',
}

const TOKENS = '/token'

/** Each answer is of use for its own question only, so that one that is taken for another's is seen. */
const answerTo = ({ path, key, data }: Question): unknown => {
  const { [path]: amount } = AMOUNTS
  const { attributes } = data
  if (amount !== undefined)
    return { success: true, data: { transaction_token: key, amount_cents: attributes[amount] } }
  switch (path) {
    case TOKENS:
      return { success: true, data: { payment_source_token: `kept ${key}` } }
    case '/prices':
      return { success: true, data: { unit_amount_cents: 100 * Number(attributes['quantity']) } }
    case '/shipping':
      return { success: true, data: { price_amount_cents: 700 + Number(attributes['skus_count'] ?? 0) } }
    case '/taxes':
      return { success: true, data: { tax_rate: taxRate } }
    default:
      return { success: false, error: { code: String(data.id), message: 'is not for sale' } }
  }
}

const { freeShipping, patch, ok, move, statusesOf, payable } = paymentCalls(() => core)
const { change, changeOrder, orderOf } = orderCalls(() => core)
const { openShop, cart, transactionsOf } = bankCalls(
  () => core,
  () => shop,
)

interface Kind {
  readonly path: string
  /** An order that is ready for the question. */
  readonly begin: () => Promise<string>
  readonly ask: (order: string) => Promise<Response>
  /** What it came to. */
  readonly seen: (order: string, response: Response) => Promise<unknown>
  /** Without a usable answer. */
  readonly without: (oddity: string) => unknown
  readonly done: (order: string) => unknown
  /** Type and id of what counts failures. */
  readonly circuit: (order: string) => Promise<readonly [string, string]>
}

const lineOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)).data.find(
    ({ attributes }) => attributes['item_type'] === 'skus',
  )

const sends = (trigger: string) => (order: string) => changeOrder(order, { [trigger]: true })

/** Of the wallet entry that has the source of the order. */
const tokenKeptFor = async (order: string): Promise<string | undefined> => {
  const path = `/api/orders/${order}?include=payment_source.wallet`
  const [source, wallet] = singleOf(await core.get(path, core.tokens.admin)).included ?? []
  const token = wallet?.attributes['payment_source_token']
  return token === `kept ${source?.id}-tokens` ? 'its own' : (token as string | undefined)
}

/** Oddity → the error code of the transaction. */
const CODES: Readonly<Record<string, string>> = {
  hangs: 'timeout',
  closes: 'connection',
  'breaks off': 'connection',
  fails: 'http_500',
  'talks nonsense': 'invalid_answer',
  redirects: 'redirect',
  floods: 'too_large',
  'is late': 'timeout',
  'is at a private address': 'refused_address',
  'is not asked any more': 'circuit_open',
}

const payment = (
  path: string,
  before: readonly string[],
  trigger: string,
  without: readonly string[],
  done: readonly string[],
): Kind => ({
  path,
  begin: async () => {
    const order = await cart()
    await move(order, ...before)
    return order
  },
  ask: sends(trigger),
  seen: async (order, { status }) => [
    status,
    await statusesOf(order),
    (await transactionsOf(order)).at(-1)?.error_code,
  ],
  without: (oddity) => [200, without, CODES[oddity]],
  done: () => [200, done, null],
  circuit: async () => ['external_gateways', shop.gateway],
})

const KINDS: Readonly<Record<string, Kind>> = {
  authorize: payment(
    '/authorize',
    [],
    '_place',
    ['pending', 'unpaid', 'unfulfilled'],
    ['placed', 'authorized', 'unfulfilled'],
  ),
  capture: payment(
    '/capture',
    ['_place', '_approve'],
    '_capture',
    ['approved', 'authorized', 'unfulfilled'],
    ['approved', 'paid', 'in_progress'],
  ),
  void: payment(
    '/void',
    ['_place'],
    '_cancel',
    ['placed', 'authorized', 'unfulfilled'],
    ['cancelled', 'voided', 'unfulfilled'],
  ),
  refund: payment(
    '/refund',
    ['_place', '_approve', '_capture'],
    '_refund',
    ['approved', 'paid', 'in_progress'],
    ['cancelled', 'refunded', 'unfulfilled'],
  ),
  tokens: {
    path: TOKENS,
    begin: cart,
    ask: sends('_save_payment_source_to_customer_wallet'),
    seen: async (order, { status }) => [status, await tokenKeptFor(order)],
    without: () => [200, undefined],
    done: () => [200, 'its own'],
    circuit: async () => ['external_gateways', shop.gateway],
  },
  prices: {
    path: '/prices',
    begin: async () => {
      const order = await payable()
      ok(await change(core.tokens.admin, String((await lineOf(order))?.id), { _external_price: true }))
      return order
    },
    ask: async (order) =>
      change(core.tokens.admin, String((await lineOf(order))?.id), {
        quantity: 2 + (decodeId('orders', order) ?? 0),
      }),
    seen: async (order, response) => [
      response.status,
      response.status === 422 ? at(response) : [],
      (await lineOf(order))?.attributes['unit_amount_cents'],
    ],
    without: () => [422, [['422', '/data/attributes/_external_price', 'failed']], 200],
    done: (order) => [200, [], 100 * (2 + (decodeId('orders', order) ?? 0))],
    circuit: async (order) => ['line_items', String((await lineOf(order))?.id)],
  },
  shipping: {
    path: '/shipping',
    begin: payable,
    ask: sends('_refresh'),
    seen: async (order, { status }) => [status, (await orderOf(order))['shipping_amount_cents']],
    without: () => [200, 500],
    done: () => [200, 702],
    circuit: async () => ['shipping_methods', encodeId('shipping_methods', 1)],
  },
  taxes: {
    path: '/taxes',
    begin: async () => {
      taxRate = 0.1
      const order = await payable()
      taxRate = 0.2
      return order
    },
    ask: sends('_update_taxes'),
    seen: async (order, { status }) => [status, (await orderOf(order))['tax_rate']],
    without: () => [200, 0.1],
    done: () => [200, 0.2],
    circuit: async () => ['external_tax_calculators', calculator],
  },
  validation: {
    path: '/validation',
    begin: payable,
    ask: sends('_validate'),
    seen: async (order, response) => [
      response.status,
      response.status === 422 ? at(response) : [],
      (await orderOf(order))['errors_count'],
    ],
    without: () => [200, [], 0],
    done: (order) => [422, [['422', '/data/attributes/_validate', order]], 1],
    circuit: async (order) => ['orders', order],
  },
}

let calculator = ''

/** Type → its table, where it has another name. */
const TABLES: Readonly<Record<string, string>> = {
  external_gateways: 'payment_gateways',
  external_tax_calculators: 'tax_calculators',
}
const tableOf = (type: string): string => TABLES[type] ?? type

const connect = async ({ path }: Kind): Promise<void> => {
  const url = `http://shop.test:${service.port}`
  await reseedShop(core.pool)
  await freeShipping()
  await core.pool.query('UPDATE stock_items SET quantity = 1000000')
  shop = await openShop()
  if (path === TOKENS) ok(await patch('external_gateways', shop.gateway, { token_url: `${url}${path}` }))
  else if (path in AMOUNTS) {
    const urls = Object.keys(AMOUNTS).map((each) => [`${each.slice(1)}_url`, `${url}${each}`])
    ok(await patch('external_gateways', shop.gateway, Object.fromEntries(urls) as Body))
  } else calculator = await connectServices(core, url, path)
}

const askedAt = (path: string) => service.asked.filter((question) => question.path === path).length

const FAILURES = [
  'hangs',
  'closes',
  'breaks off',
  'fails',
  'talks nonsense',
  'redirects',
  'floods',
  'is late',
] as const satisfies readonly Mood[]

describe.each(Object.entries(KINDS))('%s: a service that', (_name, kind) => {
  let order = ''
  const asking = async (one = order) => kind.seen(one, await kind.ask(one))
  const circuit = async (one = order) => {
    const [type, id] = await kind.circuit(one)
    const { attributes } = singleOf(await core.get(`/api/${type}/${id}`, core.tokens.admin)).data
    return [attributes['circuit_state'], attributes['circuit_failure_count']]
  }

  beforeAll(async () => {
    core = { ...core, tokens: { ...core.tokens, admin: await core.tokens.mint() } }
    await connect(kind)
    order = await kind.begin()
  })
  afterAll(() => shop.bank.close())
  afterEach(() => {
    service.mood = 'well'
    service.before = async () => undefined
    address = '127.0.0.1'
  })

  it('is at a private address is not asked', async () => {
    const before = service.asked.length
    address = '10.0.0.7'
    expect(await asking()).toEqual(kind.without('is at a private address'))
    expect(service.asked).toHaveLength(before)
  })

  it.each(FAILURES)('%s gives no answer', async (mood) => {
    const before = askedAt(kind.path)
    const [, failures] = await circuit()
    service.mood = mood
    expect(await asking()).toEqual(kind.without(mood))
    expect(askedAt(kind.path)).toBe(before + 1)
    expect(await circuit()).toEqual(['closed', Number(failures) + 1])
  })

  it('fails for an hour is not asked any more, until _reset_circuit', async () => {
    const [type, id] = await kind.circuit(order)
    const times = 6
    await core.pool.query(`UPDATE ${tableOf(type)} SET circuit_failure_count = $1 WHERE id = $2`, [
      EXTERNAL_FAILURES_MAX - times,
      decodeId(tableOf(type), id),
    ])
    service.mood = 'fails'
    for (let time = 0; time < times; time += 1) {
      expect(await asking()).toEqual(kind.without('fails'))
      core.clock.advance(600)
    }
    expect(await circuit()).toEqual(['open', EXTERNAL_FAILURES_MAX])
    const before = service.asked.length
    service.mood = 'well'
    expect(await asking()).toEqual(kind.without('is not asked any more'))
    expect(service.asked).toHaveLength(before)
    ok(await patch(type, id, { _reset_circuit: true }))
  })

  it('answers twice is heard once', async () => {
    service.mood = 'answers twice'
    expect(await asking()).toEqual(kind.done(order))
    if (kind.path !== '/prices') expect(await circuit()).toEqual(['closed', 0])
  })

  it('answers the second question before the first gives each its own answer', async () => {
    const orders = [await kind.begin(), await kind.begin()]
    let release: () => void = () => undefined
    const second = new Promise<void>((resolve) => {
      release = resolve
    })
    let count = 0
    service.before = async ({ path }) => {
      if (path !== kind.path) return
      count += 1
      if (count === 1) await second
      else release()
    }
    const seen = await Promise.all(orders.map((each) => asking(each)))
    expect(seen).toEqual(orders.map((each) => kind.done(each)))
  })
})
