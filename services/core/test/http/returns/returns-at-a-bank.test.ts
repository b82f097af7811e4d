/** Refunds of returns by a gateway of the shop's own: at once, declined, and answered later. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { sign } from '../../../../../examples/bank/bank.mjs'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { at, attributesOf, statusesOf } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('returns_at_a_bank', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  await core.pool.query(WITH_RETURNS)
  shop = await openShop()
  shop.bank.setFault('none')
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, move: moveOrder } = paymentCalls(() => core)
const { draftOf, move, change, returnOf } = returnCalls(() => core)
const { openShop, cart, booked } = bankCalls(
  () => core,
  () => shop,
)

const orderStatuses = async (order: string) =>
  statusesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))

const received = async () => {
  const order = await cart()
  await moveOrder(order, '_place', '_approve_and_capture', '_fulfill')
  const id = await draftOf(order, 2)
  await move(id, '_request', '_approve', '_ship', '_receive')
  return { order, id }
}

it('gives the money back at once', async () => {
  const { order, id } = await received()
  expect(await move(id, '_refund')).toBe('refunded')
  expect(booked().at(-1)).toEqual(['refund', WHOLE])
  expect(await orderStatuses(order)).toEqual(['approved', 'refunded', 'fulfilled'])
})

it('leaves the return as it was when the bank declines', async () => {
  const { order, id } = await received()
  shop.bank.setFault('decline')
  expect(at(await change(id, { _refund: true }))).toEqual([['422', '/data/attributes/_refund', 'declined']])
  shop.bank.setFault('none')
  expect((await returnOf(id))['status']).toBe('received')
  expect(await orderStatuses(order)).toEqual(['approved', 'paid', 'fulfilled'])
  expect(await move(id, '_refund')).toBe('refunded')
})

it('ends the return when the bank answers later, and asks once', async () => {
  const { order, id } = await received()
  shop.bank.setFault('async')
  expect(await move(id, '_refund', '_refund')).toBe('received')
  const { rows } = await core.pool.query<{ action_id: string }>(
    `SELECT action_id FROM transactions WHERE order_id = $1 AND type = 'refunds'`,
    [decodeId('orders', order)],
  )
  expect(rows).toHaveLength(1)
  const body = {
    success: true,
    data: { action_id: rows[0]?.action_id, transaction_token: 'later', amount_cents: WHOLE },
  }
  const gateway = attributesOf(await core.get(`/api/external_gateways/${shop.gateway}`, core.tokens.admin))
  const { pathname } = new URL(String(gateway['webhook_endpoint_url']))
  const headers = {
    'Content-Type': 'application/json',
    'X-CommerceLayer-Signature': sign(JSON.stringify(body), shop.secret),
  }
  expect((await core.client.request('POST', pathname, { headers, body })).status).toBe(204)
  expect((await returnOf(id))['status']).toBe('refunded')
  expect(await orderStatuses(order)).toEqual(['approved', 'refunded', 'fulfilled'])
})
