/** Gateways that answer later: what their callbacks change, and what they never do. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { sign } from '../../../../../examples/bank/bank.mjs'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { attributesOf, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('gateway_callbacks', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, ok, patch, move, statusesOf, idsOf } = paymentCalls(() => core)
const { add, changeOrder } = orderCalls(() => core)
const { openShop, cart, transactionsOf, topicsOf, recover } = bankCalls(
  () => core,
  () => shop,
)

const callbackUrl = async (): Promise<string> =>
  String(
    attributesOf(await core.get(`/api/external_gateways/${shop.gateway}`, core.tokens.admin))[
      'webhook_endpoint_url'
    ],
  )

/** What the bank would post, with its signature or another one. */
const callBack = async (body: Body, signature?: string) => {
  const path = new URL(await callbackUrl()).pathname
  const text = JSON.stringify(body)
  return core.client.request('POST', path, {
    headers: {
      'Content-Type': 'application/json',
      'X-CommerceLayer-Signature': signature ?? sign(text, shop.secret),
    },
    body,
  })
}

const actionOf = async (order: string): Promise<string> => {
  const text =
    'SELECT action_id FROM transactions WHERE order_id = $1 AND action_id IS NOT NULL ORDER BY id DESC'
  const { rows } = await core.pool.query<{ action_id: string }>(text, [decodeId('orders', order)])
  return String(rows[0]?.action_id)
}

const done = (action_id: string, more: Body = {}) => ({
  success: true,
  data: { action_id, transaction_token: 'later', amount_cents: WHOLE, ...more },
})

describe('a gateway that answers later', () => {
  beforeEach(() => shop.bank.setFault('async'))

  it('lets an order be placed, and authorizes it by its callback, once', async () => {
    const order = await cart()
    await move(order, '_place')
    expect(await statusesOf(order)).toEqual(['placed', 'unpaid', 'unfulfilled'])
    const [id = ''] = await idsOf(order, 'authorizations')
    const shown = async () => attributesOf(await core.get(`/api/authorizations/${id}`, core.tokens.admin))
    expect(await shown()).toMatchObject({ succeeded: false, message: 'pending', error_code: null })
    await move(order, '_place')
    const action = await actionOf(order)
    for (const time of [1, 2, 3])
      expect([time, (await callBack(done(action, { avs_code: 'Y', fraud_review: 'ok' }))).status]).toEqual([
        time,
        204,
      ])
    expect((await statusesOf(order))[1]).toBe('authorized')
    expect(await shown()).toMatchObject({
      succeeded: true,
      token: 'later',
      avs_code: 'Y',
      fraud_review: 'ok',
    })
    expect(await topicsOf(order)).toEqual(
      expect.arrayContaining(['authorizations.create', 'authorizations.succeeded']),
    )
    expect(shop.bank.asked).toHaveLength(1)
    // neither amount nor token is anybody's to change
    expect((await callBack(done(action, { transaction_token: 'other', amount_cents: 1 }))).status).toBe(204)
    expect(await shown()).toMatchObject({ token: 'later', amount_cents: WHOLE })
  })

  it('keeps an authorized cart as it is, and places it by auto_place', async () => {
    const order = await cart({ auto_place: true })
    await move(order, '_authorize')
    expect(attributesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))['editable']).toBe(false)
    expect((await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(423)
    expect((await callBack(done(await actionOf(order)))).status).toBe(204)
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('leaves the order as it is when it declines', async () => {
    const order = await cart()
    await move(order, '_place')
    const error = { code: 'no_funds', message: 'Not enough' }
    const data = { action_id: await actionOf(order), transaction_token: null, amount_cents: WHOLE, error }
    expect((await callBack({ success: false, data })).status).toBe(204)
    expect((await statusesOf(order))[1]).toBe('unpaid')
    expect(await transactionsOf(order)).toMatchObject([
      { succeeded: false, error_code: 'no_funds', attempt: null },
    ])
    expect(await topicsOf(order)).toEqual(expect.arrayContaining(['authorizations.failed']))
  })

  it.each(['unknown', 'not_given_back', 'given_back'])(
    'declines with the code %s, which Merx uses itself: nothing is asked again, and money that moves after all is asked back',
    async (code) => {
      const order = await cart()
      await move(order, '_authorize')
      const action = await actionOf(order)
      const data = { action_id: action, transaction_token: null, amount_cents: WHOLE, error: { code } }
      expect((await callBack({ success: false, data })).status).toBe(204)
      const declined = [{ succeeded: false, error_code: `gateway_${code}`, attempt: null }]
      expect(await transactionsOf(order)).toMatchObject(declined)
      const [id = ''] = await idsOf(order, 'authorizations')
      expect((await patch('authorizations', id, { _cancel: true })).status).toBe(422)
      expect(await transactionsOf(order)).toMatchObject(declined)
      shop.bank.setFault('none')
      expect((await callBack(done(action))).status).toBe(204)
      expect(await transactionsOf(order)).toMatchObject([{ succeeded: false, attempt: null }])
      expect(shop.bank.asked.map(({ path }) => path)).toEqual(['/authorize', '/void'])
    },
  )

  it('captures and refunds later as well', async () => {
    const order = await cart()
    shop.bank.setFault('none')
    await move(order, '_place', '_approve')
    shop.bank.setFault('async')
    await move(order, '_capture', '_capture')
    expect((await statusesOf(order))[1]).toBe('authorized')
    expect((await callBack(done(await actionOf(order)))).status).toBe(204)
    expect((await statusesOf(order))[1]).toBe('paid')
    await move(order, '_refund', '_refund')
    expect((await statusesOf(order))[1]).toBe('paid')
    expect((await callBack(done(await actionOf(order)))).status).toBe(204)
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['cancelled', 'refunded'])
    expect(shop.bank.asked.map(({ path }) => path)).toEqual(['/authorize', '/capture', '/refund'])
  })

  it('gets back what it takes for an order that was cancelled, or an attempt that was given up', async () => {
    const order = await cart()
    await move(order, '_place', '_cancel')
    const cartOrder = await cart()
    await move(cartOrder, '_authorize')
    const [id = ''] = await idsOf(cartOrder, 'authorizations')
    ok(await patch('authorizations', id, { _cancel: true }))
    ok(await add(core.tokens.admin, cartOrder, { sku_code: 'SKU-A', quantity: 1 }))
    shop.bank.setFault('none')
    for (const each of [order, cartOrder]) {
      expect((await callBack(done(await actionOf(each)))).status).toBe(204)
      expect(await transactionsOf(each)).toMatchObject([{ succeeded: false, attempt: null }])
      expect((await statusesOf(each))[1]).toBe('unpaid')
    }
    expect(shop.bank.asked.map(({ path }) => path)).toEqual(['/authorize', '/authorize', '/void', '/void'])
  })

  it('is asked back what it moves after it said no, and keeps what it moved before it says no', async () => {
    const order = await cart()
    await move(order, '_place')
    const action = await actionOf(order)
    const declined = {
      success: false,
      data: { action_id: action, transaction_token: null, amount_cents: WHOLE },
    }
    shop.bank.setFault('none')
    for (const body of [declined, done(action), declined]) expect((await callBack(body)).status).toBe(204)
    expect(await transactionsOf(order)).toMatchObject([{ succeeded: false, attempt: null }])
    expect(shop.bank.asked.map(({ path }) => path)).toEqual(['/authorize', '/void'])
    shop.bank.setFault('async')
    const other = await cart()
    await move(other, '_place')
    const moved = await actionOf(other)
    for (const body of [done(moved), { ...declined, data: { ...declined.data, action_id: moved } }])
      expect((await callBack(body)).status).toBe(204)
    expect((await statusesOf(other))[1]).toBe('authorized')
  })

  it('is asked back what it moves for a question that got no answer, and was asked again by the job', async () => {
    const order = await cart()
    shop.bank.setFault('drop')
    ok(await changeOrder(order, { _place: true }))
    shop.bank.setFault('async')
    await recover()
    expect(await transactionsOf(order)).toMatchObject([{ succeeded: false, attempt: 'late' }])
    shop.bank.setFault('none')
    expect((await callBack(done(await actionOf(order)))).status).toBe(204)
    expect(await transactionsOf(order)).toMatchObject([{ succeeded: false, attempt: null }])
    expect(shop.bank.asked.at(-1)?.path).toBe('/void')
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['pending', 'unpaid'])
  })

  it('counts no other amount', async () => {
    const order = await cart()
    await move(order, '_place')
    shop.bank.setFault('none')
    expect((await callBack(done(await actionOf(order), { amount_cents: WHOLE - 1 }))).status).toBe(204)
    expect((await statusesOf(order))[1]).toBe('unpaid')
    expect(shop.bank.asked.map(({ path }) => path)).toEqual(['/authorize', '/void'])
  })

  it('is heard with its signature only, and says what is wrong with anything else', async () => {
    const order = await cart()
    await move(order, '_place')
    const body = done(await actionOf(order))
    expect((await callBack(body, 'c29tZXRoaW5n')).status).toBe(401)
    expect((await callBack(body, '')).status).toBe(401)
    expect((await callBack({ success: 'yes' })).status).toBe(400)
    expect((await callBack({ success: true, data: {} })).status).toBe(400)
    expect((await callBack(done('unknown'))).status).toBe(404)
    expect((await core.client.get(new URL(await callbackUrl()).pathname)).status).toBe(405)
    expect((await statusesOf(order))[1]).toBe('unpaid')
  })
})
