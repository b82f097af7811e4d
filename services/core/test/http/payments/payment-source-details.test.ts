/** `payment_source_details` of orders: what may be shown of how an order is paid (docs/adr/0101-payment-source-details.md). */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { attributesOf, linkTo, orderCalls } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('payment_source_details')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, pay, move, ok } = paymentCalls(() => core)
const { changeOrder, setOrder } = orderCalls(() => core)

const NAME = 'payment_source_details'

const detailsOf = async (order: string, token = core.tokens.admin) =>
  attributesOf(await core.get(`/api/orders/${order}`, token))[NAME]

const INSTRUMENT = { issuer: 'Bank', card_type: 'debit' }

/** What a gateway said of the source of an order, before the order gets it again. */
const instrumentOf = async (order: string, table: string): Promise<string> => {
  const { rows } = await core.pool.query<{ payment_source_id: string }>(
    'SELECT payment_source_id FROM orders WHERE environment_id = 1 AND id = $1',
    [decodeId('orders', order)],
  )
  const number = Number(rows[0]?.payment_source_id)
  await core.pool.query(`UPDATE ${table} SET payment_instrument = $2 WHERE environment_id = 1 AND id = $1`, [
    number,
    INSTRUMENT,
  ])
  return encodeId(table, number)
}

describe('payment_source_details', () => {
  it('has the type of the source, and is null without one', async () => {
    const order = await payable()
    expect(await detailsOf(order)).toEqual({ type: 'wire_transfers' })
    expect(attributesOf(await changeOrder(order, { _nullify_payment_source: true }))[NAME]).toBeNull()
    expect(await detailsOf(order)).toBeNull()
    ok(await pay(order))
    await move(order, '_place', '_approve_and_capture')
    expect(await detailsOf(order)).toEqual({ type: 'wire_transfers' })
  })

  it('has what the gateway said of the card or account, in the answer that gives the order the source', async () => {
    const order = await payable()
    const source = await instrumentOf(order, 'wire_transfers')
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    const relationships = { payment_source: linkTo('wire_transfers', source) }
    const details = { type: 'wire_transfers', payment_instrument: INSTRUMENT }
    expect(attributesOf(await changeOrder(order, {}, relationships))[NAME]).toEqual(details)
    expect(await detailsOf(order)).toEqual(details)
  })

  it('goes with the source when it is deleted', async () => {
    const order = await payable()
    const source = await instrumentOf(order, 'wire_transfers')
    expect((await core.send('DELETE', `/api/wire_transfers/${source}`, core.tokens.admin)).status).toBe(204)
    expect(await detailsOf(order)).toBeNull()
  })

  it('has no token of an external payment', async () => {
    const order = await payable()
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    await core.pool.query("UPDATE payment_methods SET payment_source_type = 'external_payments' WHERE id = 1")
    const relationships = { order: linkTo('orders', order) }
    const attributes = { payment_source_token: 'tok_secret', options: { plan: 'gold' } }
    const data = { type: 'external_payments', attributes, relationships }
    ok(await core.send('POST', '/api/external_payments', core.tokens.admin, { data }))
    expect(await detailsOf(order)).toEqual({ type: 'external_payments' })
  })

  it('is shown to the shop front of the order, and finds orders', async () => {
    const order = await payable()
    const source = await instrumentOf(order, 'wire_transfers')
    ok(await changeOrder(order, { _nullify_payment_source: true }))
    ok(await changeOrder(order, {}, { payment_source: linkTo('wire_transfers', source) }))
    await setOrder(order, 'guest = true')
    const guest = await core.tokens.mint(salesChannel([1]))
    expect(await detailsOf(order, guest)).toMatchObject({ payment_instrument: INSTRUMENT })
    const find = async (value: object) => {
      const query = `filter%5Bq%5D%5B${NAME}_jcont%5D=${encodeURIComponent(JSON.stringify(value))}`
      return listOf(await core.get(`/api/orders?${query}`, core.tokens.admin)).data.map(({ id }) => id)
    }
    expect(await find({ payment_instrument: { issuer: 'Bank' } })).toEqual([order])
    expect(await find({ type: 'external_payments' })).toEqual([])
  })

  it('is written by nobody', async () => {
    const order = await payable()
    const response = await changeOrder(order, { [NAME]: { type: 'x' } })
    expect(response.status).toBe(400)
    expect(singleOf(await core.get(`/api/orders/${order}`, core.tokens.admin)).data.attributes[NAME]).toEqual(
      {
        type: 'wire_transfers',
      },
    )
  })
})
