/** What a return does to stock and to money: goods that came back are restocked once, and refunded without touching the order. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls, statusesOf } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { promotionCalls } from '../support/promotion-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('goods_taken_back')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  await core.pool.query(WITH_RETURNS)
})
afterAll(() => core.close())

const { freeShipping, patch } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)
const { promote } = promotionCalls(() => core)
const { linesOf, bought, fulfilled, begin, addTo, change, move, draftOf, returnOf, stockAt } = returnCalls(
  () => core,
)

const firstLine = async (order: string) => (await linesOf(order))[0]?.id ?? ''
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

describe('restocking', () => {
  const received = async (order: string, quantity: number) => {
    const id = await draftOf(order, quantity)
    await move(id, '_request', '_approve', '_ship', '_receive')
    return id
  }

  it('puts what came back into the stock of its location, once', async () => {
    const order = await fulfilled()
    const before = Number(await stockAt(1, 'SKU-A'))
    const id = await received(order, 2)
    await move(id, '_restock', '_restock')
    expect(await stockAt(1, 'SKU-A')).toBe(before + 2)
    expect((await namesOf()).filter((name) => name === 'restock')).toHaveLength(1)
    const [line] = listOf(await core.get(`/api/returns/${id}/return_line_items`, core.tokens.admin)).data
    expect(line?.attributes['restocked_at']).not.toBeNull()
    // It counts as returned, until a merchant says otherwise.
    const again = await begin(order)
    expect(at(await addTo(again, await firstLine(order), 1))[0]?.[2]).toBe('less_than_or_equal_to')
    await patch('line_items', await firstLine(order), { _reset_restocked_quantity: true })
    expect((await addTo(again, await firstLine(order), 2)).status).toBe(201)
  })

  it('may be one line at a time, and at a place that never had the article', async () => {
    const order = await fulfilled()
    const id = await begin(order, {}, { stock_location: one('stock_locations', 3) })
    await core.pool.query('DELETE FROM stock_items WHERE environment_id = 1 AND stock_location_id = 3')
    const line = singleOf(await addTo(id, await firstLine(order), 1)).data.id
    const restock = () => patch('return_line_items', line, { _restock: true })
    expect(at(await restock())).toEqual([['422', '/data/attributes/_restock', 'invalid_status']])
    await move(id, '_request', '_approve', '_ship', '_receive')
    await restock()
    await restock()
    expect(await stockAt(3, 'SKU-A')).toBe(1)
    expect((await namesOf()).filter((name) => name === 'restock')).toHaveLength(1)
  })

  it('waits until the goods are there', async () => {
    const id = await draftOf(await fulfilled(), 1)
    await move(id, '_request', '_approve')
    expect(at(await change(id, { _restock: true }))).toEqual([
      ['422', '/data/attributes/_restock', 'invalid_status'],
    ])
  })

  it('counts what is not tracked, and moves no stock of it', async () => {
    const order = await fulfilled()
    await core.pool.query(`UPDATE skus SET do_not_track = true WHERE environment_id = 1 AND code = 'SKU-A'`)
    const before = await stockAt(1, 'SKU-A')
    await move(await received(order, 1), '_restock')
    expect(await stockAt(1, 'SKU-A')).toBe(before)
  })
})

describe('refunding', () => {
  const received = async (order: string, quantity = 1) => {
    const id = await draftOf(order, quantity)
    await move(id, '_request', '_approve', '_ship', '_receive')
    return id
  }

  it('gives back what was paid for the goods, and names capture and refund', async () => {
    const order = await fulfilled()
    const id = await received(order)
    expect(await move(id, '_refund')).toBe('refunded')
    const [refund] = listOf(await core.get(`/api/orders/${order}/refunds`, core.tokens.admin)).data
    expect(refund?.attributes['amount_cents']).toBe(5000)
    expect((await linkedTo(id, 'reference_refund'))?.id).toBe(refund?.id)
    const capture = await linkedTo(id, 'reference_capture')
    const ofCapture = await core.get(
      `/api/captures/${capture?.id ?? ''}?include=return,refunds.return`,
      core.tokens.admin,
    )
    expect(
      singleOf(ofCapture)
        .included?.filter(({ type }) => type === 'returns')
        .map((each) => each.id),
    ).toEqual([id])
    expect(statusesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))).toEqual([
      'approved',
      'partially_refunded',
      'fulfilled',
    ])
  })

  it('of all the money leaves the order as it is, which a refund of the order does not', async () => {
    const order = await fulfilled()
    const id = await received(order, 2)
    expect(await move(id, '_refund')).toBe('refunded')
    expect(statusesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))).toEqual([
      'approved',
      'refunded',
      'fulfilled',
    ])
    const other = await fulfilled()
    await move(await received(other), '_refund')
    expect(statusesOf(await changeOrder(other, { _refund: true }))).toEqual([
      'cancelled',
      'refunded',
      'fulfilled',
    ])
  })

  it('of one unit after the other gives back what was paid for all of them, to the cent', async () => {
    await promote('fixed_amount', { fixed_amount_cents: 333, currency_code: 'EUR' })
    const order = await fulfilled()
    const [first, second] = [await received(order), await received(order)]
    for (const id of [first, second]) expect(await move(id, '_refund')).toBe('refunded')
    const refunds = listOf(await core.get(`/api/orders/${order}/refunds`, core.tokens.admin)).data
    expect(refunds.map(({ attributes }) => attributes['amount_cents']).toSorted()).toEqual([4833, 4834])
    // What is returned once more, because a merchant says so, is worth its part again.
    await move(first, '_restock')
    await move(second, '_restock')
    await patch('line_items', await firstLine(order), { _reset_restocked_quantity: true })
    const again = await returnOf(await draftOf(order))
    expect(again['estimated_refund_amount_cents']).toBe(4834)
  })

  it('gives back the amount that is sent', async () => {
    const order = await fulfilled()
    const id = await received(order)
    attributesOf(await change(id, { _refund: true, _refund_amount_cents: 1234 }))
    const [refund] = listOf(await core.get(`/api/orders/${order}/refunds`, core.tokens.admin)).data
    expect(refund?.attributes['amount_cents']).toBe(1234)
  })

  it.each([0, 10_001, -1])('refuses %d of a capture of 10,000', async (amount) => {
    const id = await received(await fulfilled())
    expect(at(await change(id, { _refund: true, _refund_amount_cents: amount }))[0]?.slice(0, 2)).toEqual([
      '422',
      '/data/attributes/_refund_amount_cents',
    ])
    expect((await returnOf(id))['status']).toBe('received')
  })

  it('needs goods that are there, and money that was received', async () => {
    const order = await fulfilled()
    const early = await draftOf(order, 1)
    expect(at(await change(early, { _refund: true }))).toEqual([
      ['422', '/data/attributes/status', 'invalid_transition'],
    ])
    const unpaid = await bought('_place', '_approve')
    await core.pool.query(`UPDATE orders SET fulfillment_status = 'fulfilled' WHERE id = $1`, [
      decodeId('orders', unpaid),
    ])
    await core.pool.query(`UPDATE shipments SET status = 'shipped' WHERE order_id = $1`, [
      decodeId('orders', unpaid),
    ])
    expect(at(await change(await received(unpaid), { _refund: true }))).toEqual([
      ['422', '/data/attributes/_refund', 'nothing_to_move'],
    ])
  })

  it('takes the capture that is named, which must be of the order', async () => {
    const order = await fulfilled()
    const [capture] = listOf(await core.get(`/api/orders/${order}/captures`, core.tokens.admin)).data
    const [elsewhere] = listOf(
      await core.get(`/api/orders/${await fulfilled()}/captures`, core.tokens.admin),
    ).data
    const id = await received(order)
    const name = (which: string) =>
      change(id, {}, core.tokens.admin, { reference_capture: linkTo('captures', which) })
    expect(at(await name(elsewhere?.id ?? ''))).toEqual([
      ['422', '/data/relationships/reference_capture', 'invalid'],
    ])
    expect((await name(capture?.id ?? '')).status).toBe(200)
    await move(id, '_refund')
    expect(at(await change(id, {}, core.tokens.admin, { reference_capture: { data: null } }))).toEqual([
      ['422', '/data/relationships/reference_capture', 'not_editable'],
    ])
  })
})
