/** Orders of the demo in the hands of a merchant and a shopper: painted ones move on as those that were sold do. */
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { loadDemo } from '../../../demo/load-demo.ts'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { at, linkTo } from '../support/order-calls.ts'

const ORGANIZATION = { id: 'aaaaaaaaaa', slug: 'first', name: 'First' }

let core: TestCore
let merchant: string

beforeAll(async () => {
  core = await openCore('painted_orders')
  await loadDemo({
    pool: core.pool,
    ids: testIds,
    organizations: [ORGANIZATION],
    sizes: { orders: 400, skus: 100, customers: 100 },
    onProgress: () => undefined,
    now: core.clock.now(),
  })
  const { id, slug } = ORGANIZATION
  merchant = await core.tokens.mint({ organization: { id, slug, enterprise: true, region: 'eu-west-1' } })
}, 60_000)
afterAll(() => core.close())

/** The first few. */
const ordersThat = async (condition: string): Promise<readonly string[]> => {
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT orders.id FROM orders JOIN environments ON environments.id = environment_id
     WHERE organization_id = $1 AND mode = 'test' AND ${condition} ORDER BY orders.id LIMIT 5`,
    [ORGANIZATION.id],
  )
  expect(rows.length).toBeGreaterThan(0)
  return rows.map(({ id }) => testIds.encode('orders', id))
}

const patch = (id: string, attributes: object, relationships: object = {}) =>
  core.send('PATCH', `/api/orders/${id}`, merchant, {
    data: { type: 'orders', id, attributes, relationships },
  })

const statusesOf = async (id: string, attributes: object) => {
  const response = await patch(id, attributes)
  if (response.status !== 200) return errorsOf(response)
  const shown = singleOf(response).data.attributes
  return ['status', 'payment_status', 'fulfillment_status'].map((name) => shown[name])
}

const SHIPPED = `EXISTS (SELECT FROM shipments WHERE order_id = orders.id)`
const TO_DELIVER = `status = 'approved' AND fulfillment_status = 'in_progress' AND payment_status = 'paid'`

test.each([
  [
    `status = 'placed' AND payment_status = 'authorized' AND ${SHIPPED}`,
    '_approve_and_capture',
    'approved paid in_progress',
  ],
  [TO_DELIVER, '_fulfill', 'approved paid fulfilled'],
  [
    `status = 'approved' AND payment_status = 'paid' AND fulfillment_status = 'fulfilled'`,
    '_refund',
    'cancelled refunded fulfilled',
  ],
])('those with %s take %s', async (condition, trigger, expected) => {
  for (const id of await ordersThat(condition))
    expect([id, await statusesOf(id, { [trigger]: true })]).toEqual([id, expected.split(' ')])
})

test('a cart of somebody known has a shipment before and after its first change', async () => {
  for (const id of await ordersThat(`status = 'pending' AND payment_method_id IS NULL AND ${SHIPPED}`)) {
    const shipments = async () => listOf(await core.get(`/api/orders/${id}/shipments`, merchant)).data
    expect((await shipments()).map(({ attributes }) => attributes['status'])).toEqual(['draft'])
    expect((await patch(id, { _refresh: true })).status).toBe(200)
    expect(new Set((await shipments()).map(({ attributes }) => attributes['status']))).toEqual(
      new Set(['draft']),
    )
  }
})

test('a cart that was filled in is paid and placed', async () => {
  const filled = `status = 'pending' AND payment_method_id IS NOT NULL AND total_amount_with_taxes_cents > 0`
  let placed = 0
  for (const id of await ordersThat(filled)) {
    const relationships = { order: linkTo('orders', id) }
    const data = { type: 'wire_transfers', attributes: {}, relationships }
    expect((await core.send('POST', '/api/wire_transfers', merchant, { data })).status).toBe(201)
    const answer = await patch(id, { _place: true })
    if (answer.status === 200) placed += 1
    // What is gone by now is said; nothing else stands against them.
    else expect(new Set(at(answer).map(([, , error]) => error))).toEqual(new Set(['out_of_stock']))
  }
  expect(placed).toBeGreaterThan(0)
})

test('an order in the making costs the same, with the same taxes, after it is refreshed', async () => {
  const taxed = `status = 'pending' AND total_tax_amount_cents > 0 AND coupon_code IS NULL AND gift_card_code IS NULL`
  const amounts = [
    'tax_rate',
    'total_tax_amount_cents',
    'subtotal_tax_amount_cents',
    'subtotal_amount_cents',
    'total_amount_with_taxes_cents',
  ]
  for (const id of await ordersThat(taxed)) {
    const { attributes } = singleOf(await core.get(`/api/orders/${id}`, merchant)).data
    const refreshed = singleOf(await patch(id, { _refresh: true })).data.attributes
    for (const name of amounts) expect([id, name, refreshed[name]]).toEqual([id, name, attributes[name]])
  }
})
