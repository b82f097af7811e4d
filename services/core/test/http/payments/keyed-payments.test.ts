/** An Idempotency-Key is in use for as long as its write waits for a gateway, on every replica, and is free after a crash. */
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { errorOf, isReplay, keyedCalls, told } from '../support/keyed-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore
let replica: Awaited<ReturnType<TestCore['replica']>>
let shop: Shop

beforeAll(async () => {
  core = await openCore('keyed_payments', {}, LOCAL)
  replica = await core.replica()
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query('TRUNCATE idempotency_keys, idempotency_claims')
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, statusesOf } = paymentCalls(() => core)
const { openShop, cart, booked } = bankCalls(
  () => core,
  () => shop,
)
const { keyed, count } = keyedCalls(() => core)

const place = (order: string, key: string, at: Pick<TestCore, 'send'> = core, more = {}) =>
  keyed(
    'PATCH',
    `/api/orders/${order}`,
    key,
    { data: { type: 'orders', id: order, attributes: { _place: true, ...more } } },
    { at },
  )

/** A bank that answers when it is let. */
const waitingBank = () => {
  const { promise: isAsked, resolve: wasAsked } = Promise.withResolvers<undefined>()
  const { promise: isLet, resolve: letAnswer } = Promise.withResolvers<undefined>()
  shop.bank.setFault(async () => {
    wasAsked(undefined)
    await isLet
    return 'none' as const
  })
  return { isAsked, letAnswer: () => letAnswer(undefined) }
}

const IN_USE = [409, 'IDEMPOTENCY_KEY_IN_USE', 'Idempotency-Key']

describe('while the bank is asked', () => {
  it('409 for the same key on every replica, before the 423 of other requests; then the stored answer', async () => {
    const order = await cart()
    const bank = waitingBank()
    const first = place(order, 'pay')
    await bank.isAsked
    for (const at of [core, replica]) {
      const answer = await place(order, 'pay', at)
      expect(errorOf(answer)).toEqual(IN_USE)
      expect(answer.headers['retry-after']).toBe('1')
      expect((await place(order, 'another', at)).status).toBe(423)
    }
    bank.letAnswer()
    const done = await first
    expect(singleOf(done).data.attributes['status']).toBe('placed')
    for (const at of [replica, core]) {
      const again = await place(order, 'pay', at)
      expect(told(again)).toEqual(told(done))
      expect(isReplay(again)).toBe(true)
    }
    expect(booked()).toEqual([['authorize', WHOLE]])
    expect(await count('idempotency_claims')).toBe(0)
  })

  it('409 for another request with the same key, also for a row that stands alone', async () => {
    const order = await cart()
    const bank = waitingBank()
    const first = place(order, 'pay')
    await bank.isAsked
    const category = { data: { type: 'shipping_categories', attributes: { name: 'New' } } }
    const before = await count('shipping_categories')
    expect(errorOf(await keyed('POST', '/api/shipping_categories', 'pay', category))).toEqual(IN_USE)
    expect(await count('shipping_categories')).toBe(before)
    bank.letAnswer()
    expect((await first).status).toBe(200)
    expect(errorOf(await keyed('POST', '/api/shipping_categories', 'pay', category))[1]).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
  })
})

it('is free at once after the bank declined', async () => {
  const order = await cart()
  shop.bank.setFault('decline')
  expect((await place(order, 'pay')).status).toBe(422)
  expect(await count('idempotency_claims')).toBe(0)
  shop.bank.setFault('none')
  expect(singleOf(await place(order, 'pay')).data.attributes['status']).toBe('placed')
})

it('is in use for 15 seconds after a process died in a call, and free then', async () => {
  const order = await cart()
  const done = await place(order, 'earlier', core, { language_code: 'it' })
  expect(done.status).toBe(200)
  // What a process leaves behind: the claim of the key alone.
  const other = await cart()
  const bank = waitingBank()
  const dying = place(other, 'pay')
  await bank.isAsked
  const { rows } = await core.pool.query(
    'SELECT held_until - clock_timestamp() AS left, * FROM idempotency_claims',
  )
  expect(rows).toHaveLength(1)
  await core.pool.query("UPDATE idempotency_claims SET holder = '00000000-0000-4000-8000-000000000000'")
  bank.letAnswer()
  expect(errorOf(await dying)).toEqual(IN_USE)
  shop.bank.setFault('none')
  expect(errorOf(await place(other, 'pay'))).toEqual(IN_USE)
  await core.pool.query("UPDATE idempotency_claims SET held_until = held_until - interval '15 seconds'")
  expect((await place(other, 'pay')).status).toBe(200)
  expect((await statusesOf(other)).slice(0, 2)).toEqual(['placed', 'authorized'])
})
