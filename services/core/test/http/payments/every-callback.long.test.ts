/** Gateways that answer each kind of question later: what a callback comes to when it is repeated, forged, late or contradicts itself. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { sign } from '../../../../../examples/bank/bank.mjs'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { attributesOf, orderCalls } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('every_callback', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, ok, move, statusesOf, movementsOf } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)
const { openShop, cart, transactionsOf, recover } = bankCalls(
  () => core,
  () => shop,
)

interface Kind {
  /** Triggers before the question, and the one that asks it. */
  readonly before: readonly string[]
  readonly trigger: string
  readonly type: string
  readonly asked: readonly string[]
  /** After the question, which is answered later. */
  readonly waiting: readonly string[]
  readonly done: readonly string[]
  /** Of a callback that comes when nobody waits any more, and whether the money was asked back. */
  readonly late: readonly string[]
  readonly isGivenBack?: string
}

const KINDS: Readonly<Record<string, Kind>> = {
  authorize: {
    before: [],
    trigger: '_place',
    type: 'authorizations',
    asked: ['/authorize'],
    waiting: ['placed', 'unpaid'],
    done: ['placed', 'authorized'],
    late: ['pending', 'unpaid'],
    isGivenBack: '/void',
  },
  capture: {
    before: ['_place', '_approve'],
    trigger: '_capture',
    type: 'captures',
    asked: ['/authorize', '/capture'],
    waiting: ['approved', 'authorized'],
    done: ['approved', 'paid'],
    late: ['approved', 'paid'],
  },
  void: {
    before: ['_place'],
    trigger: '_cancel',
    type: 'voids',
    asked: ['/authorize', '/void'],
    waiting: ['cancelled', 'authorized'],
    done: ['cancelled', 'voided'],
    late: ['cancelled', 'voided'],
  },
  refund: {
    before: ['_place', '_approve', '_capture'],
    trigger: '_refund',
    type: 'refunds',
    asked: ['/authorize', '/capture', '/refund'],
    waiting: ['approved', 'paid'],
    done: ['cancelled', 'refunded'],
    late: ['cancelled', 'refunded'],
  },
}

describe.each(Object.entries(KINDS))('%s: a gateway that answers later', (_name, kind) => {
  const { before, trigger, type, asked, waiting, done, late, isGivenBack } = kind
  const begin = async (): Promise<string> => {
    const order = await cart()
    await move(order, ...before)
    return order
  }
  const askLater = async (): Promise<string> => {
    const order = await begin()
    shop.bank.setFault('async')
    ok(await changeOrder(order, { [trigger]: true }))
    return order
  }
  const callBack = async (order: string, isSuccess: boolean, secret = shop.secret): Promise<number> => {
    const path = `/api/external_gateways/${shop.gateway}`
    const url = String(attributesOf(await core.get(path, core.tokens.admin))['webhook_endpoint_url'])
    const { rows } = await core.pool.query<{ action_id: string }>(
      'SELECT action_id FROM transactions WHERE order_id = $1 AND action_id IS NOT NULL ORDER BY id DESC',
      [decodeId('orders', order)],
    )
    const data = { action_id: rows[0]?.action_id, transaction_token: 'later', amount_cents: WHOLE }
    const body = { success: isSuccess, data }
    const headers = {
      'Content-Type': 'application/json',
      'X-CommerceLayer-Signature': sign(JSON.stringify(body), secret),
    }
    return (await core.client.request('POST', new URL(url).pathname, { headers, body })).status
  }
  const joint = async (order: string) => (await statusesOf(order)).slice(0, 2)
  const paths = () => shop.bank.asked.map(({ path }) => path)
  const attempts = async (order: string) =>
    (await transactionsOf(order))
      .filter((row) => row.type === type)
      .map(({ succeeded, attempt }) => [succeeded, attempt])

  it('says yes three times is heard once, and says no afterwards without effect', async () => {
    const order = await askLater()
    expect(await joint(order)).toEqual(waiting)
    for (const isSuccess of [true, true, true, false]) expect(await callBack(order, isSuccess)).toBe(204)
    expect(await joint(order)).toEqual(done)
    expect((await movementsOf(order)).filter(([of]) => of === type)).toEqual([[type, WHOLE]])
    expect(paths()).toEqual(asked)
  })

  it('is not heard with a wrong signature', async () => {
    const order = await askLater()
    expect(await callBack(order, true, 'guessed')).toBe(401)
    expect(await joint(order)).toEqual(waiting)
    expect(await attempts(order)).toEqual([[false, 'pending']])
  })

  it('says no leaves the money where it is, and yes afterwards is no movement', async () => {
    const order = await askLater()
    expect(await callBack(order, false)).toBe(204)
    expect(await joint(order)).toEqual(waiting)
    expect(await callBack(order, true)).toBe(204)
    expect(await joint(order)).toEqual(waiting)
    expect((await attempts(order)).every(([succeeded]) => succeeded === false)).toBe(true)
  })

  it('answers when the question was given up', async () => {
    const order = await begin()
    shop.bank.setFault('drop')
    ok(await changeOrder(order, { [trigger]: true }))
    shop.bank.setFault('async')
    await recover()
    expect(await attempts(order)).toEqual([[false, 'late']])
    shop.bank.setFault('none')
    expect(await callBack(order, true)).toBe(204)
    expect(await joint(order)).toEqual(late)
    expect(await attempts(order)).toEqual([[isGivenBack === undefined, null]])
    expect(paths().slice(asked.length + 1)).toEqual(isGivenBack === undefined ? [] : [isGivenBack])
  })
})
