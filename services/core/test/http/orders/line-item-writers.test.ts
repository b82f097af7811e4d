/** Who fills an order, and whose it becomes (spec auth.md 9.3, 9.4; lifecycles.md 9). */
import { customer, listOf, openCore, salesChannel, singleOf, storeClaim } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('line_item_writers')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, draft, add, change, changeOrder, remove, orderOf, setOrder } = orderCalls(() => core)

describe('who may', () => {
  it('guests fill their order while it is in the making, and no other', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const order = await begin(token)
    const made = await add(token, order, { sku_code: 'SKU-A', quantity: 1 })
    const { id } = singleOf(made).data
    expect((await core.get(`/api/line_items/${id}`, token)).status).toBe(200)
    expect((await core.get('/api/line_items', token)).status).toBe(401)
    expect((await change(token, id, { quantity: 2 })).status).toBe(200)
    const elsewhere = await core.tokens.mint(salesChannel([2]))
    expect(at(await add(elsewhere, order, { sku_code: 'SKU-B', quantity: 1 }))).toEqual([
      ['422', '/data/relationships/order', 'noent'],
    ])
    expect((await change(elsewhere, id, { quantity: 1 })).status).toBe(401)
    expect((await remove(elsewhere, id)).status).toBe(401)
    await setOrder(order, "status = 'placed'")
    expect((await change(token, id, { quantity: 1 })).status).toBe(401)
    expect((await remove(token, id)).status).toBe(401)
    expect((await add(token, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(401)
  })

  it('guests still reach their order after they said who they are', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const order = await begin(token)
    const response = await core.send('PATCH', `/api/orders/${order}`, token, {
      data: { type: 'orders', id: order, attributes: { customer_email: 'Ada@Example.com' } },
    })
    expect(response.status).toBe(200)
    expect(attributesOf(response)).toMatchObject({ guest: true, customer_email: 'ada@example.com' })
    expect((await add(token, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(201)
    expect((await orderOf(order, token))['status']).toBe('pending')
  })

  it('customers fill their own orders only', async () => {
    const ada = await core.tokens.mint(customer(1, [1]))
    const order = await begin(ada)
    const { id } = singleOf(await add(ada, order, { sku_code: 'SKU-A', quantity: 1 })).data
    expect((await orderOf(order, ada))['status']).toBe('pending')
    const otherCaller = await core.tokens.mint(customer(2, [1]))
    expect((await add(otherCaller, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(422)
    expect((await change(otherCaller, id, { quantity: 5 })).status).toBe(401)
    expect((await remove(otherCaller, id)).status).toBe(401)
  })

  it('a store in scope narrows to its orders', async () => {
    const token = await core.tokens.mint(salesChannel([1], { store: storeClaim(1) }))
    const order = await draft()
    expect((await add(token, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(422)
  })

  it('nobody of another environment or without the right', async () => {
    const order = await draft()
    const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data
    for (const [token, status] of [
      [core.tokens.live, 404],
      [core.tokens.otherOrganization, 404],
      [core.tokens.readOnly, 401],
    ] as const) {
      expect((await change(token, id, { quantity: 2 })).status).toBe(status)
      expect((await remove(token, id)).status).toBe(status)
    }
    expect((await add(core.tokens.otherOrganization, order, { sku_code: 'SKU-A', quantity: 1 })).status).toBe(
      422,
    )
  })

  it('nobody in a market that was disabled', async () => {
    const order = await draft()
    await core.pool.query('UPDATE markets SET disabled_at = now() WHERE id = 1')
    expect(at(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 }))).toEqual([
      ['422', '/data/relationships/order', 'disabled'],
    ])
  })
})

describe('the customer of an email', () => {
  const customersOf = async (email: string) =>
    listOf(await core.get(`/api/customers?filter[q][email_eq]=${email}`, core.tokens.admin)).data

  const customerOf = async (order: string) =>
    singleOf(await core.get(`/api/orders/${order}?include=customer`, core.tokens.admin)).data.relationships?.[
      'customer'
    ]?.data

  it('is found, whatever the case of its letters', async () => {
    expect(await customerOf(await draft({ customer_email: 'ADA@example.com' }))).toEqual(
      one('customers', 1).data,
    )
  })

  it('is made when there is none, once, also by simultaneous writers', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () => draft({ customer_email: 'new@example.com' })),
    )
    const [only, ...others] = await customersOf('new@example.com')
    expect(others).toEqual([])
    for (const order of made) expect(await customerOf(order)).toEqual({ type: 'customers', id: only?.id })
  })

  it('is the one that is named, or the order is refused', async () => {
    const order = await draft()
    const named = { customer: one('customers', 2) }
    const response = await changeOrder(order, { customer_email: 'office@example.com' }, named)
    expect(at(response)).toEqual([['422', '/data/attributes/customer_email', 'invalid']])
    expect(await customerOf(order)).toBeNull()
    expect(await customersOf('office@example.com')).toEqual([])
    expect((await changeOrder(order, { customer_email: 'VIP@example.com' }, named)).status).toBe(200)
    expect(await customerOf(order)).toEqual(one('customers', 2).data)
    const { customer_email: email } = await orderOf(order)
    expect(email).toBe('vip@example.com')
  })

  it('takes the order over, when it is sent alone', async () => {
    const order = await draft({ customer_email: 'ada@example.com' })
    await changeOrder(order, { customer_email: 'vip@example.com' })
    expect(await customerOf(order)).toEqual(one('customers', 2).data)
    await changeOrder(order, { customer_email: 'ada@example.com' }, { customer: { data: null } })
    expect(await customerOf(order)).toEqual(one('customers', 1).data)
  })

  it('does not lose it while the order has the customer', async () => {
    const order = await draft({ customer_email: 'ada@example.com' })
    await changeOrder(order, { customer_email: null })
    expect((await orderOf(order))['customer_email']).toBe('ada@example.com')
    await changeOrder(order, { customer_email: null }, { customer: { data: null } })
    expect((await orderOf(order))['customer_email']).toBeNull()
  })

  it("is a customer's own, who cannot name somebody else", async () => {
    const ada = await core.tokens.mint(customer(1, [1]))
    const write = (attributes: Body, id?: string) =>
      core.send(id === undefined ? 'POST' : 'PATCH', `/api/orders${id === undefined ? '' : `/${id}`}`, ada, {
        data: { type: 'orders', ...(id === undefined ? {} : { id }), attributes },
      })
    const refused = [['422', '/data/attributes/customer_email', 'invalid']]
    expect(at(await write({ customer_email: 'vip@example.com' }))).toEqual(refused)
    const made = singleOf(await write({ customer_email: 'Ada@Example.com' })).data
    expect(made.attributes['customer_email']).toBe('ada@example.com')
    expect(at(await write({ customer_email: 'vip@example.com' }, made.id))).toEqual(refused)
    expect(at(await write({ customer_email: 'new@example.com' }, made.id))).toEqual(refused)
    expect(attributesOf(await write({ customer_email: null }, made.id))['customer_email']).toBe(
      'ada@example.com',
    )
    expect(singleOf(await write({ customer_email: null })).data.attributes['customer_email']).toBe(
      'ada@example.com',
    )
    expect(await customersOf('new@example.com')).toEqual([])
  })

  it('of an imported order may be one they had then', async () => {
    const inputs = [
      {
        number: 'OLD-1',
        market_id: one('markets', 1).data.id,
        customer_id: one('customers', 1).data.id,
        customer_email: 'maiden@example.com',
      },
    ]
    await core.send('POST', '/api/imports', core.tokens.admin, {
      data: { type: 'imports', attributes: { resource_type: 'orders', inputs } },
    })
    await core.jobs.runUntilIdle()
    const { rows } = await core.pool.query(
      `SELECT customer_id, customer_email FROM orders WHERE number = 'OLD-1'`,
    )
    expect(rows).toEqual([{ customer_id: 1, customer_email: 'maiden@example.com' }])
    expect(await customersOf('maiden@example.com')).toEqual([])
  })

  it('is nobody another organization knows', async () => {
    await draft({ customer_email: 'new@example.com' })
    const theirs = await core.get(
      '/api/customers?filter[q][email_eq]=new@example.com',
      core.tokens.otherOrganization,
    )
    expect(listOf(theirs).meta.record_count).toBe(0)
  })
})
