/** A disabled market sells nothing: what of its orders and their lines may still be written (lifecycles.md 10). */
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('disabled_markets')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, draft, add, change, changeOrder, remove, orderOf, setOrder } = orderCalls(() => core)

const disable = () => core.pool.query('UPDATE markets SET disabled_at = now() WHERE id = 1')

/** An order with a line, of a market that is disabled since. */
const stranded = async (): Promise<{ readonly order: string; readonly line: string }> => {
  const order = await draft()
  const line = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data.id
  await disable()
  return { order, line }
}

const refused = (...names: readonly string[]) =>
  names.map((name) => ['422', `/data/attributes/${name}`, 'disabled'])

describe('an order of a disabled market', () => {
  it.each<[string, Body]>([
    ['customer_email', { customer_email: 'me@example.com' }],
    ['guest', { guest: true }],
    ['autorefresh', { autorefresh: false }],
    ['expires_at', { expires_at: null }],
    ['shipping_country_code_lock', { shipping_country_code_lock: 'IT' }],
    ['_refresh', { _refresh: true }],
    ['_refresh_prices', { _refresh_prices: true }],
  ])('keeps its %s', async (name, attributes) => {
    const { order } = await stranded()
    const before = await orderOf(order)
    expect(at(await changeOrder(order, attributes))).toEqual(refused(name))
    expect(await orderOf(order)).toEqual(before)
  })

  it.each<[string, Body]>([
    ['customer', one('customers', 1)],
    ['store', one('stores', 2)],
    ['billing_address', one('addresses', 1)],
    ['payment_method', one('payment_methods', 4)],
    ['market', one('markets', 1)],
  ])('keeps its %s', async (name, linkage) => {
    const { order } = await stranded()
    expect(at(await changeOrder(order, {}, { [name]: linkage }))).toEqual([
      ['422', `/data/relationships/${name}`, 'disabled'],
    ])
  })

  it.each(['_pending', '_place', '_authorize', '_start_editing', '_update_taxes'])(
    'is not brought on by %s',
    async (name) => {
      const { order } = await stranded()
      expect(at(await changeOrder(order, { [name]: true }))).toEqual(
        expect.arrayContaining(refused(name)) as unknown,
      )
    },
  )

  it('names every member that was sent, and none that describes it', async () => {
    const { order } = await stranded()
    const attributes = { reference: 'R', guest: true, expires_at: null }
    const response = await changeOrder(order, attributes, { store: one('stores', 2) })
    expect(at(response).map(([, pointer]) => pointer)).toEqual(
      expect.arrayContaining([
        '/data/attributes/guest',
        '/data/attributes/expires_at',
        '/data/relationships/store',
      ]),
    )
    expect(at(response)).toHaveLength(3)
    expect(errorsOf(response)[0]?.title).toBe('cannot be changed on an order of a market that is disabled')
  })

  it('is read, described, archived and deleted', async () => {
    const { order } = await stranded()
    const tag = await core.send('POST', '/api/tags', core.tokens.admin, {
      data: { type: 'tags', attributes: { name: 'old' } },
    })
    const described = { reference: 'R', metadata: { a: 1 }, _archive: true }
    const tags = { data: [linkTo('tags', singleOf(tag).data.id).data] }
    expect((await changeOrder(order, described, { tags })).status).toBe(200)
    expect(await orderOf(order)).toMatchObject({ reference: 'R', archived_at: expect.any(String) as unknown })
    expect((await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)).status).toBe(204)
  })

  it('that was placed is left to what comes after the sale', async () => {
    const { order } = await stranded()
    await setOrder(order, "status = 'placed'")
    for (const [name, error] of [
      ['_approve', 'invalid_payment_status'],
      ['_capture', 'invalid_status'],
      ['_refund', 'invalid_status'],
    ])
      expect(at(await changeOrder(order, { [String(name)]: true }))).toEqual([
        ['422', `/data/attributes/${name}`, error],
      ])
    expect((await changeOrder(order, { _archive: true, reference: 'R' })).status).toBe(200)
    expect(attributesOf(await changeOrder(order, { _cancel: true }))).toMatchObject({ status: 'cancelled' })
  })

  it('can go to a market that is enabled, with what else is sent', async () => {
    const { order } = await stranded()
    const response = await changeOrder(
      order,
      { customer_email: 'me@example.com' },
      { market: one('markets', 4) },
    )
    expect(attributesOf(response)).toMatchObject({ status: 'pending', total_amount_cents: 5000 })
    expect(at(await changeOrder(order, {}, { market: one('markets', 3) }))).toEqual([
      ['422', '/data/relationships/market', 'disabled'],
    ])
  })

  it('can be built again once the market is enabled', async () => {
    const { order } = await stranded()
    await core.pool.query('UPDATE markets SET disabled_at = NULL WHERE id = 1')
    expect((await changeOrder(order, { customer_email: 'me@example.com' })).status).toBe(200)
  })

  it('can still be imported, as an update and as new, with its lines', async () => {
    const { order } = await stranded()
    const line_items = [{ sku_code: 'SKU-A', quantity: 2 }]
    const past = { number: 'OLD-1', status: 'placed', placed_at: '2020-01-01', line_items }
    const inputs = [
      { id: order, expires_at: '2027-01-01' },
      { ...past, market_id: one('markets', 1).data.id },
    ]
    const attributes = { resource_type: 'orders', inputs }
    await core.send('POST', '/api/imports', core.tokens.admin, { data: { type: 'imports', attributes } })
    await core.jobs.runUntilIdle()
    expect((await orderOf(order))['expires_at']).toBe('2027-01-01T00:00:00.000Z')
    const made = await core.get('/api/orders?filter[q][number_eq]=OLD-1', core.tokens.admin)
    expect(listOf(made).data.map((each) => each.attributes['total_amount_cents'])).toEqual([10_000])
  })
})

describe('line items of an order of a disabled market', () => {
  it('are not added, changed or deleted', async () => {
    const { order, line } = await stranded()
    expect(at(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))).toEqual([
      ['422', '/data/relationships/order', 'disabled'],
    ])
    const more = { sku_code: 'SKU-A', quantity: 1, _update_quantity: true }
    expect(at(await add(core.tokens.admin, order, more))).toEqual([
      ['422', '/data/relationships/order', 'disabled'],
    ])
    expect(at(await change(core.tokens.admin, line, { quantity: 2, unit_amount_cents: 1 }))).toEqual(
      refused('quantity', 'unit_amount_cents'),
    )
    const removed = await remove(core.tokens.admin, line)
    expect(removed.status).toBe(423)
    expect(errorsOf(removed)[0]?.detail).toContain('the market of its order is disabled')
    expect((await orderOf(order))['total_amount_cents']).toBe(5000)
  })

  it('are described', async () => {
    const { line } = await stranded()
    expect((await change(core.tokens.admin, line, { name: 'Shirt', reference: 'R' })).status).toBe(200)
  })
})

describe('who shops with a token of before', () => {
  it.each([
    ['a guest', () => salesChannel([1])],
    ['a customer', () => customer(1, [1])],
  ])('%s no longer reaches the order', async (_name, claims) => {
    const token = await core.tokens.mint(claims())
    const order = await begin(token)
    const line = singleOf(await add(token, order, { sku_code: 'SKU-A', quantity: 1 })).data.id
    await disable()
    const data = { type: 'orders', id: order, attributes: { guest: true } }
    expect((await core.send('PATCH', `/api/orders/${order}`, token, { data })).status).toBe(401)
    expect((await add(token, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(422)
    expect((await change(token, line, { quantity: 2 })).status).toBe(401)
    expect((await remove(token, line)).status).toBe(401)
    const lines = await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)
    expect(listOf(lines).data.map(({ attributes }) => attributes['quantity'])).toEqual([1])
  })
})
