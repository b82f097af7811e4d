/** Triggers of transactions: parts of authorizations and captures, what follows for the order, and every limit. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('transactions')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, authorizeCart, move, patch, ok, statusesOf, idsOf, movementsOf } =
  paymentCalls(() => core)

const only = (ids: readonly string[]): string => {
  const [id] = ids
  if (id === undefined || ids.length > 1) throw new Error(`there are ${ids.length}, not one`)
  return id
}

const authorizationOf = async (order: string) => only(await idsOf(order, 'authorizations'))

/** An order of WHOLE, moved on, with its only authorization. */
const sold = async (...triggers: readonly string[]) => {
  const order = await payable()
  await move(order, ...triggers)
  return { order, authorization: await authorizationOf(order) }
}

const paid = async () => {
  const { order } = await sold('_place', '_approve_and_capture')
  return { order, capture: only(await idsOf(order, 'captures')) }
}

const capture = (id: string, attributes: Body = {}) =>
  patch('authorizations', id, { _capture: true, ...attributes })
const refund = (id: string, attributes: Body = {}) => patch('captures', id, { _refund: true, ...attributes })
const amount = (cents: number) => ({ _capture_amount_cents: cents })
const back = (cents: number) => ({ _refund_amount_cents: cents })

describe('an authorization is captured', () => {
  it('in parts, until the order is paid, with the balances that follow', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    const first = attributesOf(ok(await capture(authorization, amount(4_000))))
    expect(first).toMatchObject({
      capture_amount_cents: 4_000,
      capture_balance_cents: 6_000,
      formatted_capture_balance: '€60,00',
      void_balance_cents: 0,
    })
    expect(await statusesOf(order)).toEqual(['approved', 'partially_paid', 'unfulfilled'])
    expect(attributesOf(ok(await capture(authorization)))).toMatchObject({ capture_balance_cents: 0 })
    expect(await statusesOf(order)).toEqual(['approved', 'paid', 'in_progress'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', WHOLE],
      ['captures', 4_000],
      ['captures', 6_000],
    ])
    const captures = await idsOf(order, 'captures')
    const [of] = captures
    const owner = singleOf(
      await core.get(`/api/captures/${String(of)}/reference_authorization`, core.tokens.admin),
    )
    expect(owner.data.id).toBe(authorization)
  })

  it('as a whole, and once however often it is sent', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    await Promise.all(Array.from({ length: 4 }, () => capture(authorization)))
    ok(await capture(authorization))
    expect(await movementsOf(order)).toEqual([
      ['authorizations', WHOLE],
      ['captures', WHOLE],
    ])
  })

  it('never for more than is left, also by requests at the same time', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    const answers = await Promise.all([1, 2, 3].map(() => capture(authorization, amount(4_000))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422])
    expect((await movementsOf(order)).filter(([type]) => type === 'captures')).toEqual([
      ['captures', 4_000],
      ['captures', 4_000],
    ])
  })

  it('for no more than the order costs by now', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    await core.pool.query('UPDATE orders SET total_amount_with_taxes_cents = 7000 WHERE id = $1', [
      decodeId('orders', order),
    ])
    expect(errorsOf(await capture(authorization, amount(7_001)))).toMatchObject([
      {
        title: 'must be between 1 and 7000, what is left of it',
        meta: { error: 'less_than_or_equal_to', value: 7_001, count: 7_000 },
      },
    ])
    ok(await capture(authorization))
    expect(await statusesOf(order)).toEqual(['approved', 'paid', 'in_progress'])
    ok(await capture(authorization))
    expect((await movementsOf(order)).at(-1)).toEqual(['captures', 7_000])
  })

  it.each([
    [{ _capture_amount_cents: 0 }, '_capture_amount_cents', 'greater_than_or_equal_to'],
    [{ _capture_amount_cents: -5 }, '_capture_amount_cents', 'greater_than_or_equal_to'],
    [{ _capture_amount_cents: WHOLE + 1 }, '_capture_amount_cents', 'less_than_or_equal_to'],
    [{ _capture_amount_cents: 'all' }, '_capture_amount_cents', 'invalid'],
    [{ _void: true }, '_void', 'invalid'],
    [{ _forward: true }, '_forward', 'invalid'],
  ])('not with %j', async (attributes, pointer, error) => {
    const { order, authorization } = await sold('_place', '_approve')
    const response = await capture(authorization, attributes)
    expect(at(response)).toEqual([['422', `/data/attributes/${pointer}`, error]])
    expect(await movementsOf(order)).toHaveLength(1)
  })

  it('not by an amount alone', async () => {
    const { authorization } = await sold('_place', '_approve')
    expect(errorsOf(await patch('authorizations', authorization, amount(5)))).toMatchObject([
      { title: 'is for _capture; send both in one request' },
    ])
  })

  it.each(['pending', 'placed'])('not while the order is %s', async (status) => {
    const order = await payable()
    if (status === 'pending') await authorizeCart(order)
    else await move(order, '_place')
    const response = await capture(await authorizationOf(order))
    expect(at(response)).toEqual([['422', '/data/attributes/_capture', 'invalid_status']])
  })
})

describe('an authorization is voided', () => {
  it.each([[['_place']], [['_place', '_approve']]])(
    'after %j, and its order is cancelled',
    async (triggers) => {
      const { order, authorization } = await sold(...triggers)
      for (const _time of [1, 2])
        expect(attributesOf(ok(await patch('authorizations', authorization, { _void: true })))).toMatchObject(
          {
            void_balance_cents: 0,
            capture_balance_cents: 0,
          },
        )
      expect(await statusesOf(order)).toEqual(['cancelled', 'voided', 'unfulfilled'])
      expect(await movementsOf(order)).toEqual([
        ['authorizations', WHOLE],
        ['voids', WHOLE],
      ])
      const { rows } = await core.pool.query(
        'SELECT count(*)::int AS count FROM stock_reservations WHERE environment_id = 1',
      )
      expect(rows).toEqual([{ count: 0 }])
      expect(at(await capture(authorization))).toEqual([
        ['422', '/data/attributes/_capture', 'nothing_to_move'],
      ])
    },
  )

  it('in part of the order, which stays then', async () => {
    const order = await payable()
    const first = await authorizeCart(order, 4_000)
    await move(order, '_place')
    ok(await patch('authorizations', first, { _void: true }))
    expect(await statusesOf(order)).toEqual(['placed', 'partially_voided', 'unfulfilled'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', 4_000],
      ['authorizations', 6_000],
      ['voids', 4_000],
    ])
  })

  it('not once a part was captured', async () => {
    const { authorization } = await sold('_place', '_approve')
    ok(await capture(authorization, amount(1)))
    expect(errorsOf(await patch('authorizations', authorization, { _void: true }))).toMatchObject([
      { title: 'cannot be done, because the authorization was captured', meta: { error: 'nothing_to_move' } },
    ])
  })

  it('not while the order is a cart, where _cancel makes it unpaid again', async () => {
    const order = await payable()
    const authorization = await authorizeCart(order)
    expect(errorsOf(await patch('authorizations', authorization, { _void: true }))).toMatchObject([
      {
        title: 'cannot be sent while the order is pending, only while it is placed or editing or approved',
        meta: { error: 'invalid_status', value: 'pending' },
      },
    ])
    for (const _time of [1, 2]) ok(await patch('authorizations', authorization, { _cancel: true }))
    expect(await statusesOf(order)).toEqual(['pending', 'unpaid', 'unfulfilled'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', WHOLE],
      ['voids', WHOLE],
    ])
    await move(order, '_place')
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('not while goods are on their way', async () => {
    await core.pool.query('UPDATE payment_methods SET require_capture = false WHERE id = 1')
    const { order, authorization } = await sold('_place', '_approve')
    expect(await statusesOf(order)).toEqual(['approved', 'authorized', 'in_progress'])
    expect(at(await patch('authorizations', authorization, { _void: true }))).toEqual([
      ['422', '/data/attributes/_void', 'invalid_status'],
    ])
  })

  it('not with _cancel once the order is placed', async () => {
    const { authorization } = await sold('_place')
    expect(at(await patch('authorizations', authorization, { _cancel: true }))).toEqual([
      ['422', '/data/attributes/_cancel', 'invalid_status'],
    ])
  })
})

test('one of two authorizations of a cart is cancelled, and the order is partially authorized', async () => {
  const order = await payable()
  const first = await authorizeCart(order, 4_000)
  await authorizeCart(order, 6_000)
  await core.pool.query("UPDATE orders SET payment_status = 'authorized' WHERE id = $1", [
    decodeId('orders', order),
  ])
  ok(await patch('authorizations', first, { _cancel: true }))
  expect(await statusesOf(order)).toEqual(['pending', 'partially_authorized', 'unfulfilled'])
})

describe('a capture is refunded', () => {
  it('in parts; with the last one the order is cancelled', async () => {
    const { order, capture: id } = await paid()
    expect(attributesOf(ok(await refund(id, back(2_500))))).toMatchObject({
      refund_amount_cents: 2_500,
      refund_balance_cents: 7_500,
    })
    expect(await statusesOf(order)).toEqual(['approved', 'partially_refunded', 'in_progress'])
    ok(await refund(id, back(2_500)))
    for (const _time of [1, 2]) ok(await refund(id))
    expect(await statusesOf(order)).toEqual(['cancelled', 'refunded', 'unfulfilled'])
    expect((await movementsOf(order)).filter(([type]) => type === 'refunds')).toEqual([
      ['refunds', 2_500],
      ['refunds', 2_500],
      ['refunds', 5_000],
    ])
    const events = listOf(
      await core.get(`/api/orders/${order}/events?page[size]=25&fields[events]=name`, core.tokens.admin),
    ).data.map(({ attributes }) => attributes['name'])
    for (const [name, times] of [
      // The status changes with the first and the last part.
      ['orders.refund', 2],
      ['orders.cancel', 1],
    ])
      expect([name, events.filter((each) => each === name).length]).toEqual([name, times])
  })

  it('in part before the order is approved', async () => {
    await core.pool.query('UPDATE payment_methods SET auto_capture = true WHERE id = 1')
    const order = await payable()
    await move(order, '_place')
    expect(await statusesOf(order)).toEqual(['placed', 'paid', 'unfulfilled'])
    ok(await refund(only(await idsOf(order, 'captures')), back(1)))
    expect(await statusesOf(order)).toEqual(['placed', 'partially_refunded', 'unfulfilled'])
    await move(order, '_approve')
    expect(await statusesOf(order)).toEqual(['approved', 'partially_refunded', 'in_progress'])
  })

  it('in part while the rest is not captured yet, which is captured then, and once', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    ok(await capture(authorization, amount(4_000)))
    ok(await refund(only(await idsOf(order, 'captures')), back(1_000)))
    expect(await statusesOf(order)).toEqual(['approved', 'partially_paid', 'unfulfilled'])
    await move(order, '_capture', '_capture')
    expect(await statusesOf(order)).toEqual(['approved', 'partially_refunded', 'in_progress'])
    expect((await movementsOf(order)).filter(([type]) => type === 'captures')).toEqual([
      ['captures', 4_000],
      ['captures', 6_000],
    ])
  })

  it('in whole, with what is still open of its authorization voided: the order ends and holds nothing', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    ok(await capture(authorization, amount(4_000)))
    for (const _time of [1, 2]) ok(await refund(only(await idsOf(order, 'captures'))))
    expect(await statusesOf(order)).toEqual(['cancelled', 'refunded', 'unfulfilled'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', 10_000],
      ['captures', 4_000],
      ['voids', 6_000],
      ['refunds', 4_000],
    ])
    const path = `/api/authorizations/${authorization}`
    expect(attributesOf(await core.get(path, core.tokens.admin))).toMatchObject({
      capture_balance_cents: 0,
      void_balance_cents: 0,
    })
  })

  it('in whole, with the other authorization of its order voided', async () => {
    const order = await payable()
    const first = await authorizeCart(order, 4_000)
    await authorizeCart(order, 6_000)
    await core.pool.query("UPDATE orders SET payment_status = 'authorized' WHERE id = $1", [
      decodeId('orders', order),
    ])
    await move(order, '_place', '_approve')
    ok(await capture(first))
    ok(await refund(only(await idsOf(order, 'captures'))))
    expect(await statusesOf(order)).toEqual(['cancelled', 'refunded', 'unfulfilled'])
    expect((await movementsOf(order)).filter(([type]) => type === 'voids')).toEqual([['voids', 6_000]])
  })

  it.each([
    [0, 'greater_than_or_equal_to'],
    [WHOLE + 1, 'less_than_or_equal_to'],
    [1.5, 'invalid'],
  ])('not with an amount of %d', async (cents, error) => {
    const { order, capture: id } = await paid()
    expect(at(await refund(id, back(cents)))).toEqual([
      ['422', '/data/attributes/_refund_amount_cents', error],
    ])
    expect(await movementsOf(order)).toHaveLength(2)
  })

  it('not for more than is left', async () => {
    const { capture: id } = await paid()
    ok(await refund(id))
    expect(errorsOf(await refund(id, back(1)))).toMatchObject([
      { title: 'cannot be done, because the whole capture was refunded', meta: { error: 'nothing_to_move' } },
    ])
  })

  it('not with _cancel once the order is placed', async () => {
    const { capture: id } = await paid()
    expect(at(await patch('captures', id, { _cancel: true }))).toEqual([
      ['422', '/data/attributes/_cancel', 'invalid_status'],
    ])
  })
})

describe('who may', () => {
  it('no sales channel, not even the customer of the order', async () => {
    const { authorization } = await sold('_place', '_approve')
    const token = await core.tokens.mint(customer(1, [1]))
    expect((await patch('authorizations', authorization, { _capture: true }, token)).status).toBe(401)
    const { capture: id } = await paid()
    expect((await patch('captures', id, { _refund: true }, token)).status).toBe(401)
  })

  it('nobody of another organization', async () => {
    const { authorization } = await sold('_place', '_approve')
    const response = await patch(
      'authorizations',
      authorization,
      { _capture: true },
      core.tokens.otherOrganization,
    )
    expect(response.status).toBe(404)
  })
})

test('what else is sent with a trigger is stored with it', async () => {
  const { authorization } = await sold('_place', '_approve')
  const response = ok(await capture(authorization, { metadata: { by: 'till 3' }, reference: 'r-1' }))
  expect(attributesOf(response)).toMatchObject({
    metadata: { by: 'till 3' },
    reference: 'r-1',
    capture_balance_cents: 0,
  })
})
