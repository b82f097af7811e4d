/** Returns over HTTP: what can come back, and the way of a return, step by step; what it does to stock and money is another file. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('returns')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  await core.pool.query(WITH_RETURNS)
})
afterAll(() => core.close())

const { freeShipping, patch } = paymentCalls(() => core)
const { post, linesOf, bought, fulfilled, begin, addTo, change, move, draftOf, returnOf, shipmentsOf } =
  returnCalls(() => core)

const firstLine = async (order: string) => (await linesOf(order))[0]?.id ?? ''
const orderOf = async (order: string) =>
  attributesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))
const linkedTo = async (id: string, name: string) => {
  const response = await core.get(`/api/returns/${id}?include=${name}`, core.tokens.admin)
  return (singleOf(response).data.relationships?.[name]?.data ?? null) as { readonly id: string } | null
}
const namesOf = async () =>
  (
    await core.pool.query<{ name: string }>(
      `SELECT name FROM events WHERE resource_type = 'returns' ORDER BY id`,
    )
  ).rows.map(({ name }) => name.slice('returns.'.length))

describe('a return', () => {
  it('begins as a draft of its order, with the first return location', async () => {
    const order = await fulfilled()
    const id = await begin(order, { reference: 'RMA-1' })
    const { number } = await orderOf(order)
    expect(await returnOf(id)).toMatchObject({
      status: 'draft',
      number: `#${String(number)}/R/001`,
      customer_email: 'ada@example.com',
      skus_count: 0,
      estimated_refund_amount_cents: 0,
      reference: 'RMA-1',
    })
    expect((await linkedTo(id, 'stock_location'))?.id).toBe(one('stock_locations', 1).data.id)
    expect((await linkedTo(id, 'origin_address'))?.id).toBe(one('addresses', 1).data.id)
    expect((await linkedTo(id, 'destination_address'))?.id).toBe(one('addresses', 1).data.id)
    expect((await linkedTo(id, 'customer'))?.id).toBe(one('customers', 1).data.id)
    expect((await returnOf(await begin(order)))['number']).toBe(`#${String(number)}/R/002`)
    const all = listOf(await core.get(`/api/orders/${order}/returns`, core.tokens.admin))
    expect(all.meta?.['record_count']).toBe(2)
  })

  it.each([
    ['a cart', []],
    ['an order that is placed', ['_place']],
    ['an order of which nothing was shipped', ['_place', '_approve_and_capture']],
  ])('is not of %s', async (_case, triggers) => {
    const order = await bought(...triggers)
    const response = await post('returns', {}, { order: linkTo('orders', order) })
    expect(at(response)).toEqual([['422', '/data/relationships/order', 'not_fulfilled']])
  })

  it('goes to a return location of its market, and to no other place', async () => {
    const id = await begin(await fulfilled())
    const to = (number: number) =>
      change(id, {}, core.tokens.admin, { stock_location: one('stock_locations', number) })
    expect(at(await to(2))).toEqual([['422', '/data/relationships/stock_location', 'inclusion']])
    expect((await to(3)).status).toBe(200)
    expect((await linkedTo(id, 'stock_location'))?.id).toBe(one('stock_locations', 3).data.id)
  })

  it('walks from request to refund, step by step, each with its date and its event', async () => {
    const order = await fulfilled()
    const id = await draftOf(order, 1)
    for (const [trigger, status, date] of [
      ['_request', 'requested', undefined],
      ['_approve', 'approved', 'approved_at'],
      ['_ship', 'shipped', 'shipped_at'],
      ['_receive', 'received', 'received_at'],
      ['_refund', 'refunded', 'refunded_at'],
    ] as const) {
      const attributes = attributesOf(await change(id, { [trigger]: true }))
      expect(attributes['status']).toBe(status)
      if (date !== undefined) expect(attributes[date]).not.toBeNull()
      expect(attributesOf(await change(id, { [trigger]: true }))['updated_at']).toBe(attributes['updated_at'])
    }
    expect(await namesOf()).toEqual(['create', 'request', 'approve', 'ship', 'receive'])
  })

  it('is cancelled while it is requested, and rejected when it arrives', async () => {
    const order = await fulfilled()
    expect(await move(await draftOf(order, 1), '_request', '_cancel', '_archive')).toBe('cancelled')
    expect(await move(await draftOf(order, 1), '_request', '_approve', '_ship', '_reject')).toBe('rejected')
    const approved = await draftOf(order, 1)
    await move(approved, '_request', '_approve')
    expect(at(await change(approved, { _cancel: true }))).toEqual([
      ['422', '/data/attributes/status', 'invalid_transition'],
    ])
  })

  it('is requested with something to return and a place to return it to', async () => {
    const id = await begin(await fulfilled())
    expect(at(await change(id, { _request: true }))).toEqual([
      ['422', '/data/relationships/return_line_items', 'blank'],
    ])
    await core.pool.query('DELETE FROM inventory_return_locations')
    const without = await draftOf(await bought('_place', '_approve_and_capture', '_fulfill'), 1)
    expect(at(await change(without, { _request: true }))).toEqual([
      ['422', '/data/relationships/stock_location', 'blank'],
    ])
    await core.pool.query(WITH_RETURNS)
    expect(await move(without, '_request')).toBe('requested')
    expect(await linkedTo(without, 'destination_address')).not.toBeNull()
  })

  it('takes one step in a request', async () => {
    const id = await draftOf(await fulfilled(), 1)
    expect(at(await change(id, { _request: true, _approve: true }))).toEqual([
      ['422', '/data/attributes/_approve', 'invalid'],
    ])
  })

  it('is deleted while it is a draft, with its lines', async () => {
    const order = await fulfilled()
    const [id, other] = [await draftOf(order, 1), await draftOf(order, 1)]
    await move(other, '_request')
    expect((await core.send('DELETE', `/api/returns/${other}`, core.tokens.admin)).status).toBe(423)
    expect((await core.send('DELETE', `/api/returns/${id}`, core.tokens.admin)).status).toBe(204)
    expect(listOf(await core.get('/api/return_line_items', core.tokens.admin)).data).toHaveLength(1)
  })
})

describe('its lines', () => {
  it('take over the article and what was paid for it', async () => {
    const order = await fulfilled()
    const id = await begin(order)
    const reason = { kind: 'size' }
    const response = await addTo(id, await firstLine(order), 1, core.tokens.admin, { return_reason: reason })
    expect(attributesOf(response)).toMatchObject({
      sku_code: 'SKU-A',
      name: 'Black shirt',
      quantity: 1,
      total_amount_cents: 5000,
      formatted_total_amount: '€50,00',
      return_reason: reason,
      restocked_at: null,
    })
    expect(await returnOf(id)).toMatchObject({ skus_count: 1, estimated_refund_amount_cents: 5000 })
    const line = singleOf(response).data.id
    attributesOf(await patch('return_line_items', line, { quantity: 2 }))
    expect(await returnOf(id)).toMatchObject({ skus_count: 2, estimated_refund_amount_cents: 10_000 })
    expect((await core.send('DELETE', `/api/return_line_items/${line}`, core.tokens.admin)).status).toBe(204)
    expect(await returnOf(id)).toMatchObject({ skus_count: 0, estimated_refund_amount_cents: 0 })
  })

  it('have no more of a line item than has left and is not returned yet', async () => {
    const order = await fulfilled()
    const line = await firstLine(order)
    const [first, second] = [await begin(order), await begin(order)]
    const refused = [['422', '/data/attributes/quantity', 'less_than_or_equal_to']]
    expect(at(await addTo(first, line, 3))).toEqual(refused)
    singleOf(await addTo(first, line, 1))
    expect(at(await addTo(second, line, 2))).toEqual(refused)
    singleOf(await addTo(second, line, 1))
    // What is not returned after all can be returned again.
    await move(second, '_request', '_cancel')
    singleOf(await addTo(first, line, 1))
    expect(at(await addTo(await begin(order), line, 1))).toEqual(refused)
  })

  it('share what there is also when many are sent at once', async () => {
    const order = await fulfilled()
    const line = await firstLine(order)
    const drafts = await Promise.all(Array.from({ length: 6 }, () => begin(order)))
    const statuses = await Promise.all(drafts.map(async (id) => (await addTo(id, line, 1)).status))
    expect(statuses.toSorted()).toEqual([201, 201, 422, 422, 422, 422])
  })

  it('are of what was shipped of an order that is not fulfilled yet', async () => {
    const order = await bought('_place', '_approve_and_capture')
    await core.pool.query(`UPDATE shipments SET status = 'shipped' WHERE order_id = $1`, [
      decodeId('orders', order),
    ])
    expect(await shipmentsOf(order)).toHaveLength(1)
    expect((await addTo(await begin(order), await firstLine(order), 2)).status).toBe(201)
  })

  it.each<[string, (order: string) => Promise<string>, string]>([
    ['of another order', async () => firstLine(await fulfilled()), 'invalid'],
    [
      'that are no goods',
      async (order) =>
        listOf(
          await core.get(
            `/api/orders/${order}/line_items?filter[q][item_type_eq]=shipments`,
            core.tokens.admin,
          ),
        ).data[0]?.id ?? '',
      'invalid',
    ],
  ])('are not of line items %s', async (_case, lineOf, error) => {
    const order = await fulfilled()
    const response = await addTo(await begin(order), await lineOf(order), 1)
    expect(at(response)).toEqual([['422', '/data/relationships/line_item', error]])
  })

  it('are written while the return is a draft', async () => {
    const order = await fulfilled()
    const id = await begin(order)
    const line = singleOf(await addTo(id, await firstLine(order), 1)).data.id
    await move(id, '_request')
    expect(at(await addTo(id, await firstLine(order), 1))).toEqual([
      ['422', '/data/relationships/return', 'not_editable'],
    ])
    expect(at(await patch('return_line_items', line, { quantity: 2 }))).toEqual([
      ['422', '/data/attributes/quantity', 'not_editable'],
    ])
    expect((await core.send('DELETE', `/api/return_line_items/${line}`, core.tokens.admin)).status).toBe(423)
    expect((await patch('return_line_items', line, { return_reason: { kind: 'late' } })).status).toBe(200)
  })
})

describe('who shops', () => {
  const ada = () => core.tokens.mint(customer(1, [1]))

  it('asks for a return of their own order, and decides no more', async () => {
    const token = await ada()
    const order = await fulfilled()
    const id = singleOf(await post('returns', {}, { order: linkTo('orders', order) }, token)).data.id
    expect((await addTo(id, await firstLine(order), 1, token)).status).toBe(201)
    for (const trigger of ['_approve', '_receive', '_restock', '_refund'])
      expect([trigger, (await change(id, { [trigger]: true }, token)).status]).toEqual([trigger, 401])
    expect(attributesOf(await change(id, { _request: true }, token))['status']).toBe('requested')
    for (const trigger of ['_cancel', '_approve'])
      expect([trigger, (await change(id, { [trigger]: true }, token)).status]).toEqual([trigger, 401])
    expect((await core.get(`/api/returns/${id}`, token)).status).toBe(200)
  })

  it('does nothing with orders of others', async () => {
    const order = await fulfilled()
    const id = await draftOf(order, 1)
    const eve = await core.tokens.mint(customer(2, [1]))
    const guest = await core.tokens.mint(salesChannel([1]))
    for (const token of [eve, guest]) {
      expect(at(await post('returns', {}, { order: linkTo('orders', order) }, token))).toEqual([
        ['422', '/data/relationships/order', 'noent'],
      ])
      expect((await core.get(`/api/returns/${id}`, token)).status).toBe(401)
      expect((await change(id, { _request: true }, token)).status).toBe(401)
    }
  })
})
