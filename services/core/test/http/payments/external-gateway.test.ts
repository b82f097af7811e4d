/** Payments by a gateway of the shop's own: what it is asked, what its answers mean, and what it must never cause. */
import { FAULTS } from '../../../../../examples/bank/bank.mjs'
import type { Fault } from '../../../../../examples/bank/bank.mjs'
import { listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { at, attributesOf, orderCalls } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('external_gateway', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, ok, patch, move, statusesOf, movementsOf, idsOf } = paymentCalls(() => core)
const { changeOrder, add } = orderCalls(() => core)
const { openShop, cart, booked, transactionsOf, topicsOf, recover, stockOnly, countedAndReserved } =
  bankCalls(
    () => core,
    () => shop,
  )

describe('an external gateway', () => {
  it('authorizes, captures and refunds an order, with what it is told in commerce.md', async () => {
    const order = await cart()
    await move(order, '_place', '_approve', '_capture', '_refund')
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['capture', WHOLE],
      ['refund', WHOLE],
    ])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', WHOLE],
      ['captures', WHOLE],
      ['refunds', WHOLE],
    ])
    expect(await statusesOf(order)).toEqual(['cancelled', 'refunded', 'unfulfilled'])
    expect(shop.bank.asked.map(({ document, signed }) => [document.data.type, signed])).toEqual([
      ['external_payments', true],
      ['authorizations', true],
      ['captures', true],
    ])
    for (const { document } of shop.bank.asked)
      expect(document.included?.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['orders', 'markets', 'line_items', 'skus', 'addresses', 'customers']),
      )
    expect(shop.bank.asked[0]?.document.data).toMatchObject({
      links: { self: expect.stringMatching(/^\/api\/external_payments\//) as unknown },
      attributes: { payment_source_token: 'tok_1', _authorization_amount_cents: WHOLE },
    })
    expect(JSON.stringify(shop.bank.asked)).not.toContain('shared_secret')
    const [first = ''] = await idsOf(order, 'authorizations')
    const shown = attributesOf(await core.get(`/api/authorizations/${first}`, core.tokens.admin))
    expect(shown).toMatchObject({
      token: shop.bank.book[0]?.token,
      metadata: { bank: 'example' },
      succeeded: true,
    })
    expect(await topicsOf(order)).toEqual(
      expect.arrayContaining(['authorizations.succeeded', 'transactions.create']),
    )
  })

  it('voids what a cancelled order has authorized', async () => {
    const order = await cart()
    await move(order, '_place', '_cancel')
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['void', WHOLE],
    ])
    expect(await statusesOf(order)).toEqual(['cancelled', 'voided', 'unfulfilled'])
  })

  it('captures at once where the method says so, and a repeated request asks nothing again', async () => {
    const order = await cart({ auto_capture: true })
    await move(order, '_place', '_place', '_approve')
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['capture', WHOLE],
    ])
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['approved', 'paid'])
  })

  it('declines: the order stays a cart, and the attempt is stored', async () => {
    const order = await cart()
    shop.bank.setFault('decline')
    expect(at(await changeOrder(order, { _place: true }))).toEqual([
      ['422', '/data/relationships/payment_source', 'declined'],
    ])
    expect(await transactionsOf(order)).toEqual([
      { type: 'authorizations', cents: WHOLE, succeeded: false, error_code: 'card_declined', attempt: null },
    ])
    expect(await topicsOf(order)).toEqual(
      expect.arrayContaining(['authorizations.create', 'authorizations.failed', 'transactions.refused']),
    )
    shop.bank.setFault('none')
    await move(order, '_place')
    expect(booked()).toEqual([['authorize', WHOLE]])
  })

  it('names the address that it lacks', async () => {
    const order = await cart()
    ok(await patch('external_gateways', shop.gateway, { authorize_url: null }))
    expect(at(await changeOrder(order, { _place: true }))).toEqual([
      ['422', '/data/relationships/payment_source', 'not_supported'],
    ])
  })

  it('is not asked while its circuit is open: 200, a failed transaction, no order', async () => {
    const order = await cart()
    await core.pool.query(
      "UPDATE payment_gateways SET circuit_state = 'open', circuit_failure_count = 31 WHERE type = 'external_gateways'",
    )
    ok(await changeOrder(order, { _place: true }))
    expect(await statusesOf(order)).toEqual(['pending', 'unpaid', 'unfulfilled'])
    expect(await transactionsOf(order)).toMatchObject([{ succeeded: false, error_code: 'circuit_open' }])
    expect(shop.bank.asked).toEqual([])
    ok(await patch('external_gateways', shop.gateway, { _reset_circuit: true }))
    await move(order, '_place')
    expect(booked()).toEqual([['authorize', WHOLE]])
  })
})

/** Fault → the error code that is stored, whether the money was moved all the same, and what becomes of the attempt. */
const UNCLEAR: readonly (readonly [Fault, string])[] = [
  ['close', 'connection'],
  ['nonsense', 'invalid_answer'],
  ['error', 'http_500'],
  ['drop', 'connection'],
  ['huge', 'too_large'],
]

describe('a gateway that does not say what it did', () => {
  it.each(UNCLEAR)(
    '%s: a failed transaction, 200 and no order; the same question gets it placed',
    async (fault, code) => {
      const order = await cart()
      shop.bank.setFault(fault)
      ok(await changeOrder(order, { _place: true }))
      expect(await statusesOf(order)).toEqual(['pending', 'unpaid', 'unfulfilled'])
      expect(await transactionsOf(order)).toEqual([
        {
          type: 'authorizations',
          cents: WHOLE,
          succeeded: false,
          error_code: code,
          attempt: 'unknown',
        },
      ])
      shop.bank.setFault('none')
      await move(order, '_place')
      expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
      expect(booked()).toEqual([['authorize', WHOLE]])
      expect(new Set(shop.bank.asked.map(({ key }) => key)).size).toBe(1)
    },
  )

  it('keeps no stock from others, and the last piece is sold with the next try', async () => {
    const order = await cart()
    await stockOnly(order)
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _place: true }))
    expect(await countedAndReserved()).toEqual({ counted: 0, reserved: 0 })
    shop.bank.setFault('none')
    await move(order, '_place')
    const held = await countedAndReserved()
    expect(held?.counted).toBe(held?.reserved)
    expect(held?.counted).toBeGreaterThan(0)
  })

  it('gets its money back when nobody asks again', async () => {
    const order = await cart()
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _place: true }))
    shop.bank.setFault('none')
    await recover()
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['void', WHOLE],
    ])
    expect(await transactionsOf(order)).toMatchObject([
      { succeeded: false, error_code: 'given_back', attempt: null },
    ])
    await move(order, '_place')
    expect(booked().slice(2)).toEqual([['authorize', WHOLE]])
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('is not taken to have moved nothing because it cannot be reached the second time', async () => {
    const order = await cart()
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _place: true }))
    const setUrl = (url: string) =>
      core.pool.query("UPDATE payment_gateways SET authorize_url = $1 WHERE type = 'external_gateways'", [
        url,
      ])
    await setUrl('http://192.0.2.1/authorize')
    ok(await changeOrder(order, { _place: true }))
    expect(await transactionsOf(order)).toMatchObject([
      { succeeded: false, error_code: 'refused_address', attempt: 'unknown' },
    ])
    await setUrl(`${shop.bank.url}/authorize`)
    shop.bank.setFault('none')
    await move(order, '_place')
    expect(booked()).toEqual([['authorize', WHOLE]])
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('gives another order another question when the cart has changed', async () => {
    const order = await cart()
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _place: true }))
    shop.bank.setFault('none')
    ok(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))
    await move(order, '_place')
    await recover()
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['authorize', WHOLE + WHOLE / 2],
      ['void', WHOLE],
    ])
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('counts a capture that it made without saying so', async () => {
    const order = await cart()
    await move(order, '_place', '_approve')
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _capture: true }))
    expect((await statusesOf(order))[1]).toBe('authorized')
    shop.bank.setFault('none')
    await recover()
    expect((await statusesOf(order))[1]).toBe('paid')
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['capture', WHOLE],
    ])
  })

  it('is asked what became of a capture before the order is cancelled', async () => {
    const order = await cart()
    await move(order, '_place', '_approve')
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _capture: true }))
    shop.bank.setFault('none')
    // what was captured is found first, and an order that is paid is refunded
    const refused = await changeOrder(order, { _cancel: true })
    expect(at(refused)).toEqual([['422', '/data/attributes/_cancel', 'not_cancellable']])
    await move(order, '_refund')
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['capture', WHOLE],
      ['refund', WHOLE],
    ])
  })

  it.each<[Fault, string]>([
    ['amount', 'mismatched'],
    ['token', 'mismatched'],
  ])('%s: nothing is counted, and the money goes back', async (fault, code) => {
    const order = await cart()
    shop.bank.setFault(fault)
    ok(await changeOrder(order, { _place: true }))
    expect(await transactionsOf(order)).toMatchObject([
      { succeeded: false, error_code: code, attempt: 'unwanted' },
    ])
    shop.bank.setFault('none')
    await recover()
    expect((await transactionsOf(order))[0]).toMatchObject({ succeeded: false, attempt: null })
    expect((await statusesOf(order))[1]).toBe('unpaid')
  })

  /** Longer than each time until it is tried again. */
  const TRIES = [2, 6, 31, 121, 301, 601]
  /** Without the clock, by which tokens would end. */
  const recoverAfter = async (minutes: number): Promise<void> => {
    const text = 'UPDATE transactions SET attempted_at = attempted_at - make_interval(mins => $1)'
    await core.pool.query(text, [minutes])
    await recover(0)
  }

  it('that is away for long is asked seven times for its money, then a person takes over by _cancel', async () => {
    const order = await cart()
    shop.bank.setFault('amount')
    ok(await changeOrder(order, { _place: true }))
    shop.bank.setFault('error')
    for (const minutes of [2, ...TRIES.slice(0, -1)]) {
      await recoverAfter(minutes)
      expect(await transactionsOf(order)).toMatchObject([{ attempt: 'unwanted' }])
    }
    await recoverAfter(601)
    expect(await transactionsOf(order)).toMatchObject([{ attempt: null, error_code: 'not_given_back' }])
    const count = shop.bank.asked.length
    expect(count).toBe(1 + 7)
    await recoverAfter(1_000)
    expect(shop.bank.asked).toHaveLength(count)
    const filter = 'filter%5Bq%5D%5Berror_code_in%5D=not_given_back,unknown'
    const [found] = listOf(await core.get(`/api/authorizations?${filter}`, core.tokens.admin)).data
    expect(found?.attributes['message']).toMatch(/did not take it back: .*500; _cancel asks again$/)
    // it says no, which is an end too
    shop.bank.setFault('decline')
    ok(await patch('authorizations', String(found?.id), { _cancel: true }))
    expect(await transactionsOf(order)).toMatchObject([{ attempt: 'unwanted' }])
    await recoverAfter(2)
    expect(await transactionsOf(order)).toMatchObject([{ attempt: null, error_code: 'not_given_back' }])
    shop.bank.setFault('none')
    ok(await patch('authorizations', String(found?.id), { _cancel: true }))
    await recoverAfter(2)
    expect(await transactionsOf(order)).toMatchObject([{ attempt: null, error_code: 'given_back' }])
    expect(booked().at(-1)).toEqual(['void', WHOLE])
    expect(new Set(shop.bank.asked.slice(1).map(({ key }) => key)).size).toBe(1)
  })

  it('that never says what it did is asked seven times, and again by _cancel', async () => {
    const order = await cart()
    shop.bank.setFault('close')
    ok(await changeOrder(order, { _place: true }))
    for (const minutes of [...TRIES, 601]) await recoverAfter(minutes)
    expect(await transactionsOf(order)).toMatchObject([{ attempt: null, error_code: 'unknown' }])
    expect(shop.bank.asked).toHaveLength(7)
    shop.bank.setFault('none')
    const [id = ''] = await idsOf(order, 'authorizations')
    ok(await patch('authorizations', id, { _cancel: true }))
    await recoverAfter(2)
    expect(await transactionsOf(order)).toMatchObject([{ attempt: null, error_code: 'given_back' }])
    expect(booked()).toEqual([
      ['authorize', WHOLE],
      ['void', WHOLE],
    ])
  })

  it('follows no redirect', async () => {
    const order = await cart()
    shop.bank.setFault('redirect')
    ok(await changeOrder(order, { _place: true }))
    expect(await transactionsOf(order)).toMatchObject([
      { succeeded: false, error_code: 'redirect', attempt: 'unknown' },
    ])
  })

  it('opens its circuit after more than 30 failures, and closes it by hand', async () => {
    const order = await cart()
    await core.pool.query(
      "UPDATE payment_gateways SET circuit_failure_count = 30 WHERE type = 'external_gateways'",
    )
    shop.bank.setFault('error')
    ok(await changeOrder(order, { _place: true }))
    const shown = attributesOf(await core.get(`/api/external_gateways/${shop.gateway}`, core.tokens.admin))
    expect(shown).toMatchObject({ circuit_state: 'open', circuit_failure_count: 31 })
  })
})

describe('while the bank is slow', () => {
  it('locks no row: the order is read, other orders are written, and this one is not changed', async () => {
    const order = await cart()
    const other = await cart()
    shop.bank.setFault(({ count }) => (count === 1 ? 'hang' : 'none'))
    let isPlaced = false
    const placing = changeOrder(order, { _place: true }).finally(() => (isPlaced = true))
    await until(() => shop.bank.asked.length === 1)
    expect(attributesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))).toMatchObject({
      status: 'pending',
      editable: false,
    })
    await move(other, '_place')
    expect((await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(423)
    expect((await changeOrder(order, { _place: true })).status).toBe(423)
    expect(at(await changeOrder(order, { _nullify_payment_source: true }))).toEqual([
      ['422', '/data/attributes/_nullify_payment_source', 'not_editable'],
    ])
    expect(isPlaced).toBe(false)
    ok(await placing)
    expect(await transactionsOf(order)).toMatchObject([{ error_code: 'timeout', attempt: 'unknown' }])
    expect(listOf(await core.get('/api/orders', core.tokens.admin)).data.length).toBeGreaterThan(1)
  }, 30_000)
})

const until = async (isDone: () => boolean): Promise<void> => {
  for (let left = 500; !isDone(); left -= 1) {
    if (left === 0) throw new Error('nothing came')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

it('knows every fault of the example', () => {
  expect(FAULTS).toContain('late')
})
