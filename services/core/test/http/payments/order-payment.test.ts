/** How an order is to be paid: `_authorize` without placing, its payment source, `_nullify_` and `_fix_payment_source`. */
import { errorsOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('order_payment')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, pay, move, ok, patch, statusesOf, idsOf, movementsOf } = paymentCalls(
  () => core,
)
const { changeOrder, draft, setOrder } = orderCalls(() => core)

const authorize = (order: string, attributes: Body = {}) =>
  changeOrder(order, { _authorize: true, ...attributes })
const upTo = (cents: unknown) => ({ _authorization_amount_cents: cents })

const sourceOf = async (order: string) => {
  const { data, included = [] } = singleOf(
    await core.get(`/api/orders/${order}?include=payment_source`, core.tokens.admin),
  )
  expect(data.relationships?.['payment_source']).toHaveProperty('data')
  return included[0]?.id
}

describe('_authorize', () => {
  it('authorizes a cart once, which is placed by that authorization', async () => {
    const order = await payable()
    for (const _time of [1, 2]) ok(await authorize(order))
    expect(await statusesOf(order)).toEqual(['pending', 'authorized', 'unfulfilled'])
    await move(order, '_place')
    ok(await authorize(order))
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
    expect(await movementsOf(order)).toEqual([['authorizations', WHOLE]])
  })

  it('authorizes up to an amount; placing adds the rest', async () => {
    const order = await payable()
    for (const _time of [1, 2]) ok(await authorize(order, upTo(3_000)))
    expect(await statusesOf(order)).toEqual(['pending', 'partially_authorized', 'unfulfilled'])
    await move(order, '_place')
    expect(await movementsOf(order)).toEqual([
      ['authorizations', 3_000],
      ['authorizations', 7_000],
    ])
  })

  it.each([
    [0, 'greater_than_or_equal_to'],
    [WHOLE + 1, 'less_than_or_equal_to'],
    ['much', 'invalid'],
  ])('refuses the amount %p', async (cents, error) => {
    expect(at(await authorize(await payable(), upTo(cents)))).toEqual([
      ['422', '/data/attributes/_authorization_amount_cents', error],
    ])
  })

  it.each([
    [-5, 'greater_than_or_equal_to'],
    [1_000_000, 'less_than_or_equal_to'],
  ])('refuses the amount %p of a cart that costs nothing', async (cents, error) => {
    expect(at(await authorize(await draft({}), upTo(cents)))).toEqual([
      ['422', '/data/attributes/_authorization_amount_cents', error],
    ])
  })

  it('needs its trigger beside the amount, and nothing else that moves the order', async () => {
    const order = await payable()
    expect(errorsOf(await changeOrder(order, upTo(5)))).toMatchObject([
      { title: 'is for _authorize; send both in one request' },
    ])
    expect(at(await authorize(order, { _place: true }))).toEqual([
      ['422', '/data/attributes/_authorize', 'invalid'],
    ])
  })

  it('refuses a cart without a source, and an order that is cancelled', async () => {
    const order = await payable()
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    expect(at(await authorize(order))).toEqual([['422', '/data/relationships/payment_source', 'blank']])
    await move(order, '_cancel')
    expect(at(await authorize(order))).toEqual([['422', '/data/attributes/_authorize', 'invalid_status']])
  })

  it('is open to shop fronts for carts that they see', async () => {
    const order = await payable()
    await setOrder(order, 'guest = true')
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await patch('orders', order, { _authorize: true }, token)).status).toBe(200)
    await move(order, '_place')
    expect((await patch('orders', order, { _authorize: true }, token)).status).toBe(401)
  })

  it('a cart whose payment is given back is paid another way', async () => {
    const order = await payable()
    ok(await authorize(order))
    const another = await pay(order)
    expect(errorsOf(another)).toMatchObject([
      { title: 'is authorized; cancel its authorization or capture first' },
    ])
    expect(at(await changeOrder(order, { _nullify_payment_source: true }))).toEqual([
      ['422', '/data/relationships/payment_source', 'not_editable'],
    ])
    const [authorization = ''] = await idsOf(order, 'authorizations')
    ok(await patch('authorizations', authorization, { _cancel: true }))
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    ok(await pay(order))
    await move(order, '_place')
    expect(await statusesOf(order)).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('an order that money moved for is never deleted', async () => {
    const order = await payable()
    ok(await authorize(order))
    expect((await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)).status).toBe(423)
  })
})

describe('the payment source of an order', () => {
  it('is taken off by _nullify_payment_source or null, and put back', async () => {
    const order = await payable()
    const source = await sourceOf(order)
    for (const _time of [1, 2]) ok(await changeOrder(order, { _nullify_payment_source: true }))
    expect(await sourceOf(order)).toBeUndefined()
    const link = linkTo('wire_transfers', String(source))
    ok(await changeOrder(order, {}, { payment_source: link }))
    expect(await sourceOf(order)).toBe(source)
    ok(await changeOrder(order, {}, { payment_source: { data: null } }))
    expect(await sourceOf(order)).toBeUndefined()
    expect(at(await changeOrder(order, { _place: true }))).toEqual([
      ['422', '/data/relationships/payment_source', 'blank'],
    ])
  })

  it('is one of its own', async () => {
    const [order, other] = [await payable(), await payable()]
    const link = linkTo('wire_transfers', String(await sourceOf(other)))
    expect(errorsOf(await changeOrder(order, {}, { payment_source: link }))).toMatchObject([
      { title: 'is of another order; create one with this order in wire_transfers' },
    ])
    const relationships = { market: one('markets', 1), payment_method: one('payment_methods', 1) }
    const created = await core.send('POST', '/api/orders', core.tokens.admin, {
      data: { type: 'orders', attributes: {}, relationships: { ...relationships, payment_source: link } },
    })
    expect(at(created)).toEqual([['422', '/data/relationships/payment_source', 'invalid']])
  })

  it('fits its payment method, which it needs', async () => {
    const order = await payable()
    const link = linkTo('wire_transfers', String(await sourceOf(order)))
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    await core.pool.query("UPDATE payment_methods SET payment_source_type = 'external_payments' WHERE id = 1")
    expect(at(await changeOrder(order, {}, { payment_source: link }))).toEqual([
      ['422', '/data/relationships/payment_source', 'invalid'],
    ])
    ok(await changeOrder(order, {}, { payment_method: { data: null } }))
    expect(at(await changeOrder(order, {}, { payment_source: link }))).toEqual([
      ['422', '/data/relationships/payment_source', 'blank'],
    ])
  })

  it('stays once the order is placed', async () => {
    const order = await payable()
    await move(order, '_place')
    expect(at(await changeOrder(order, { _nullify_payment_source: true }))).toContainEqual([
      '422',
      '/data/attributes/_nullify_payment_source',
      'not_editable',
    ])
  })

  it('is that of the last authorization again after _fix_payment_source', async () => {
    const order = await payable()
    expect(at(await changeOrder(order, { _fix_payment_source: true }))).toEqual([
      ['422', '/data/attributes/_fix_payment_source', 'nothing_to_move'],
    ])
    const source = await sourceOf(order)
    ok(await authorize(order))
    await setOrder(order, 'payment_source_type = NULL, payment_source_id = NULL')
    for (const _time of [1, 2]) ok(await changeOrder(order, { _fix_payment_source: true }))
    expect(await sourceOf(order)).toBe(source)
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await patch('orders', order, { _fix_payment_source: true }, token)).status).toBe(400)
  })
})

test('all movements of an order are listed with it, oldest first', async () => {
  const order = await payable()
  await move(order, '_place', '_approve_and_capture')
  const [capture = ''] = await idsOf(order, 'captures')
  ok(await patch('captures', capture, { _refund: true, _refund_amount_cents: 1 }))
  const { included = [] } = singleOf(
    await core.get(
      `/api/orders/${order}?include=transactions,authorizations.captures,captures.refunds,voids,refunds`,
      core.tokens.admin,
    ),
  )
  const transactions = included.map(({ type, attributes }) => [type, attributes['amount_cents']])
  expect(transactions).toEqual([
    ['authorizations', WHOLE],
    ['captures', WHOLE],
    ['refunds', 1],
  ])
  const token = await core.tokens.mint(salesChannel([1]))
  await setOrder(order, "guest = true, status = 'placed'")
  for (const name of ['transactions', 'authorizations', 'captures', 'voids', 'refunds'])
    expect([name, (await core.get(`/api/orders/${order}?include=${name}`, token)).status]).toEqual([
      name,
      401,
    ])
})

it('a guest pays for a cart of their own', async () => {
  const token = await core.tokens.mint(salesChannel([1]))
  const order = singleOf(
    await core.send('POST', '/api/orders', token, {
      data: { type: 'orders', relationships: { payment_method: one('payment_methods', 1) } },
    }),
  ).data.id
  expect((await pay(order, token)).status).toBe(201)
})
