/** Parcels of a shipment: their numbers, what they hold, and what their carrier says of them, as events. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { TRACKING_STATUSES } from '../../../src/shipping/parcel-workflow.ts'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, checkoutCalls, linkTo, one, WITH_SHIPPING } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
let shipment: string

beforeAll(async () => {
  core = await openCore('parcels')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
  await core.pool
    .query(`INSERT INTO packages (id, environment_id, name, stock_location_id, length, width, height, unit_of_length)
    VALUES (1, 1, 'Box', 1, 10, 10, 10, 'cm')`)
  const order = await payable()
  await move(order, '_place', '_approve_and_capture')
  shipment = listOf(await core.get(`/api/orders/${order}/shipments`, core.tokens.admin)).data[0]?.id ?? ''
})
afterAll(() => core.close())

const { payable, move } = checkoutCalls(() => core)

const create = (type: string, attributes: Body, relationships: Body) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })

const newParcel = (attributes: Body = {}) =>
  create(
    'parcels',
    { weight: 500, unit_of_weight: 'gr', ...attributes },
    { shipment: linkTo('shipments', shipment), package: one('packages', 1) },
  )

const change = (id: string, attributes: Body) =>
  core.send('PATCH', `/api/parcels/${id}`, core.tokens.admin, { data: { type: 'parcels', id, attributes } })

const eventsOf = async (id: string): Promise<readonly string[]> => {
  const { rows } = await core.pool.query<{ name: string }>(
    `SELECT name FROM events WHERE resource_type = 'parcels' AND record_id = $1 ORDER BY id`,
    [decodeId('parcels', id)],
  )
  return rows.map(({ name }) => name)
}

test('parcels are counted within their shipment', async () => {
  const { number } = attributesOf(await core.get(`/api/shipments/${shipment}`, core.tokens.admin))
  const numbers = [attributesOf(await newParcel())['number'], attributesOf(await newParcel())['number']]
  expect(numbers).toEqual([`${String(number)}/P/001`, `${String(number)}/P/002`])
})

test('a parcel holds no more than its stock line item has, and nothing of another shipment', async () => {
  const parcel = linkTo('parcels', singleOf(await newParcel()).data.id)
  const [line] = listOf(await core.get(`/api/shipments/${shipment}/stock_line_items`, core.tokens.admin)).data
  const stock_line_item = linkTo('stock_line_items', String(line?.id))
  expect(at(await create('parcel_line_items', { quantity: 3 }, { parcel, stock_line_item }))).toEqual([
    ['422', '/data/attributes/quantity', 'less_than_or_equal_to'],
  ])
  const held = await create('parcel_line_items', { quantity: 2 }, { parcel, stock_line_item })
  expect(attributesOf(held)).toMatchObject({ sku_code: 'SKU-A', quantity: 2 })
})

test('each new status that carriers agree on is an event, once', async () => {
  const { id } = singleOf(await newParcel()).data
  for (const tracking_status of TRACKING_STATUSES)
    for (const _time of [1, 2]) expect((await change(id, { tracking_status })).status).toBe(200)
  expect(await eventsOf(id)).toEqual([
    'parcels.create',
    ...TRACKING_STATUSES.map((status) => `parcels.${status}`),
  ])
})

test('a parcel that is made with a status has both events, and other texts have none', async () => {
  const { id } = singleOf(await newParcel({ tracking_status: 'booked' })).data
  const changed = await change(id, { tracking_status: 'lost in Milano', tracking_status_detail: 'x' })
  expect(attributesOf(changed)['tracking_status']).toBe('lost in Milano')
  expect((await change(id, { tracking_number: '1Z' })).status).toBe(200)
  expect((await core.send('DELETE', `/api/parcels/${id}`, core.tokens.admin)).status).toBe(204)
  expect(await eventsOf(id)).toEqual(['parcels.create', 'parcels.booked', 'parcels.destroy'])
})

test('words are needed for kinds that say nothing', async () => {
  expect(at(await newParcel({ contents_type: 'other', restriction_type: 'other' }))).toEqual([
    ['422', '/data/attributes/contents_explanation', 'blank'],
    ['422', '/data/attributes/restriction_comments', 'blank'],
  ])
})
