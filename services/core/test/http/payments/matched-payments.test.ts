/** If-Match on orders that an outside gateway moves: the version counts that the order had before the gateway was asked. */
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { orderCalls } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('matched_payments', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, ok, statusesOf } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)
const { openShop, cart, booked } = bankCalls(
  () => core,
  () => shop,
)

const tagOf = async (order: string): Promise<string> =>
  (await core.get(`/api/orders/${order}`, core.tokens.admin)).headers['etag'] ?? ''

const sendIf = (tag: string, order: string, trigger: string) =>
  core.send(
    'PATCH',
    `/api/orders/${order}`,
    core.tokens.admin,
    { data: { type: 'orders', id: order, attributes: { [trigger]: true } } },
    { 'If-Match': tag },
  )

test('each trigger moves money once for the version that was read', async () => {
  const order = await cart()
  for (const trigger of ['_place', '_approve', '_capture', '_refund'])
    ok(await sendIf(await tagOf(order), order, trigger))
  expect(booked()).toEqual([
    ['authorize', WHOLE],
    ['capture', WHOLE],
    ['refund', WHOLE],
  ])
})

test('two questions to the gateway in one request', async () => {
  const order = await cart({ auto_capture: true })
  ok(await sendIf(await tagOf(order), order, '_place'))
  expect(booked()).toEqual([
    ['authorize', WHOLE],
    ['capture', WHOLE],
  ])
})

test('an older version asks the gateway nothing', async () => {
  const order = await cart()
  const tag = await tagOf(order)
  ok(await changeOrder(order, { metadata: { note: 1 } }))
  expect((await sendIf(tag, order, '_place')).status).toBe(412)
  expect([booked(), shop.bank.asked]).toEqual([[], []])
})

test('of two requests with one version, one is made, and the other asks the gateway nothing', async () => {
  const order = await cart()
  const tag = await tagOf(order)
  const answers = await Promise.all(['_place', '_place'].map((trigger) => sendIf(tag, order, trigger)))
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
  expect(statuses[0]).toBe(200)
  expect([412, 423]).toContain(statuses[1])
  expect([booked(), await statusesOf(order)]).toEqual([
    [['authorize', WHOLE]],
    ['placed', 'authorized', 'unfulfilled'],
  ])
})
