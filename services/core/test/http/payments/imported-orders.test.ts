/** Orders that were imported as authorized or paid: their money moves here as if it had been taken here. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { attributesOf, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imported_orders')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { move, ok, patch, statusesOf, idsOf, movementsOf } = paymentCalls(() => core)
const { changeOrder, setOrder } = orderCalls(() => core)

/** What it cost where it was sold. */
const DUE = 3_000

const imported = async (attributes: Body): Promise<string> => {
  const order = {
    number: 'OLD-1',
    status: 'approved',
    placed_at: '2026-01-01T00:00:00Z',
    customer_email: 'ada@example.com',
    line_items: [{ sku_code: 'SKU-A', quantity: 2, unit_amount_cents: 1_500 }],
    ...attributes,
  }
  const job = { resource_type: 'orders', parent_resource_id: encodeId('markets', 1), inputs: [order] }
  singleOf(
    await core.send('POST', '/api/imports', core.tokens.admin, {
      data: { type: 'imports', attributes: job },
    }),
  )
  await core.jobs.runUntilIdle()
  const [found] = listOf(await core.get('/api/orders?filter[q][number_eq]=OLD-1', core.tokens.admin)).data
  return String(found?.id)
}

describe('an order that was paid elsewhere', () => {
  it('is refunded, once', async () => {
    const order = await imported({ payment_status: 'paid' })
    await move(order, '_capture', '_refund', '_refund')
    expect(await statusesOf(order)).toEqual(['cancelled', 'refunded', 'unfulfilled'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', DUE],
      ['captures', DUE],
      ['refunds', DUE],
    ])
  })

  it('is refunded in part after _authorize, which shows its transactions', async () => {
    const order = await imported({ payment_status: 'paid' })
    await move(order, '_authorize', '_authorize')
    expect(await statusesOf(order)).toEqual(['approved', 'paid', 'unfulfilled'])
    const [capture = ''] = await idsOf(order, 'captures')
    const refunded = ok(await patch('captures', capture, { _refund: true, _refund_amount_cents: 1_000 }))
    expect(attributesOf(refunded)).toMatchObject({ message: 'Imported', refund_balance_cents: 2_000 })
    expect(await movementsOf(order)).toHaveLength(3)
  })

  it('is given back when it is cancelled', async () => {
    const order = await imported({ payment_status: 'paid', status: 'placed' })
    await move(order, '_cancel')
    expect(await statusesOf(order)).toEqual(['cancelled', 'refunded', 'unfulfilled'])
  })
})

describe('an order that was authorized elsewhere', () => {
  it('is approved, captured with the gateway of its method, and in parts', async () => {
    const order = await imported({ payment_status: 'authorized', status: 'placed' })
    await setOrder(order, 'payment_method_id = 1')
    await move(order, '_approve', '_authorize')
    const [authorization = ''] = await idsOf(order, 'authorizations')
    ok(await patch('authorizations', authorization, { _capture: true, _capture_amount_cents: 1 }))
    await move(order, '_capture')
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['approved', 'paid'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', DUE],
      ['captures', 1],
      ['captures', DUE - 1],
    ])
    const { rows } = await core.pool.query(
      'SELECT DISTINCT payment_gateway_id::int AS gateway FROM transactions WHERE environment_id = 1',
    )
    expect(rows).toEqual([{ gateway: 1 }])
  })

  it('is voided when it is cancelled', async () => {
    const order = await imported({ payment_status: 'authorized', status: 'placed' })
    await move(order, '_cancel')
    expect(await statusesOf(order)).toEqual(['cancelled', 'voided', 'unfulfilled'])
  })
})

test.each(['partially_paid', 'partially_refunded'])(
  'of an order that was %s elsewhere nobody knows how much',
  async (payment_status) => {
    const order = await imported({ payment_status })
    const response = await changeOrder(order, { _refund: true })
    expect(response.status).toBe(422)
    expect(await movementsOf(order)).toEqual([])
  },
)
