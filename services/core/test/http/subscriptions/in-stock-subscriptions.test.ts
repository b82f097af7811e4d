/** In-stock subscriptions: who may have one, and that each is told once, when there is enough in its market. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { findInStock } from '../../../src/subscriptions/jobs/notify-in-stock.ts'
import { customer, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { runNow } from '../support/run-now.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('in_stock_subscriptions')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query('DELETE FROM jobs.job; UPDATE stock_items SET quantity = 0')
})
afterAll(() => core.close())

const create = (token: string, attributes: Body, relationships: Body = { market: one('markets', 1) }) =>
  core.send('POST', '/api/in_stock_subscriptions', token, {
    data: { type: 'in_stock_subscriptions', attributes, relationships },
  })

const subscribe = async (attributes: Body = {}): Promise<string> =>
  singleOf(
    await create(core.tokens.admin, { customer_email: 'ada@example.com', sku_code: 'SKU-A', ...attributes }),
  ).data.id

const statusOf = async (id: string): Promise<unknown> =>
  singleOf(await core.get(`/api/in_stock_subscriptions/${id}`, core.tokens.admin)).data.attributes['status']

const send = (id: string, trigger: string) =>
  core.send('PATCH', `/api/in_stock_subscriptions/${id}`, core.tokens.admin, {
    data: { type: 'in_stock_subscriptions', id, attributes: { [trigger]: true } },
  })

const stock = (item: number, quantity: number) =>
  core.pool.query('UPDATE stock_items SET quantity = $2 WHERE id = $1', [item, quantity])

const eventsOf = async (id: string): Promise<readonly string[]> => {
  const { rows } = await core.pool.query<{ name: string }>(
    `SELECT name FROM events WHERE resource_type = 'in_stock_subscriptions' AND record_id = $1 ORDER BY id`,
    [decodeId('in_stock_subscriptions', id)],
  )
  return rows.map(({ name }) => name.replace('in_stock_subscriptions.', ''))
}

const look = () => runNow(core, findInStock)

test('is told once, when there is enough of the SKU in the market', async () => {
  const one = await subscribe()
  const five = await subscribe({ stock_threshold: 5 })
  await look()
  expect([await statusOf(one), await statusOf(five)]).toEqual(['active', 'active'])
  await stock(1, 4)
  await look()
  expect([await statusOf(one), await statusOf(five)]).toEqual(['notified', 'active'])
  await stock(1, 5)
  await look()
  await look()
  expect([await statusOf(one), await statusOf(five)]).toEqual(['notified', 'notified'])
  expect([await eventsOf(one), await eventsOf(five)]).toEqual([
    ['create', 'notify'],
    ['create', 'notify'],
  ])
})

test('is not told of stock that is reserved, or is where its market takes nothing from', async () => {
  const id = await subscribe()
  await stock(9, 100) // in a location of no inventory model
  await look()
  await stock(1, 2)
  const reserve = { stock_item: one('stock_items', 1) }
  singleOf(
    await core.send('POST', '/api/stock_reservations', core.tokens.admin, {
      data: { type: 'stock_reservations', attributes: { quantity: 2 }, relationships: reserve },
    }),
  )
  await look()
  expect(await statusOf(id)).toBe('active')
  await stock(1, 3)
  await look()
  expect(await statusOf(id)).toBe('notified')
})

test('is told of a SKU whose stock is not counted', async () => {
  const id = await subscribe({ sku_code: 'SKU-D' })
  await look()
  expect(await statusOf(id)).toBe('notified')
})

test('that is inactive waits until it is active again', async () => {
  const id = await subscribe()
  singleOf(await send(id, '_deactivate'))
  singleOf(await send(id, '_deactivate'))
  await stock(1, 9)
  await look()
  expect(await statusOf(id)).toBe('inactive')
  singleOf(await send(id, '_activate'))
  await look()
  expect(await statusOf(id)).toBe('notified')
  expect(at(await send(id, '_activate'))).toEqual([['422', '/data/attributes/status', 'invalid_transition']])
  expect(await eventsOf(id)).toEqual(['create', 'deactivate', 'activate', 'notify'])
})

test('of many, every one is told, in slices', async () => {
  await core.pool.query(
    `INSERT INTO in_stock_subscriptions (environment_id, customer_email, sku_code, market_id, customer_id, sku_id)
      SELECT 1, 'ada@example.com', 'SKU-A', 1, 1, 1 FROM generate_series(1, 450)`,
  )
  await stock(1, 1)
  await look()
  const { rows } = await core.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM events WHERE name = 'in_stock_subscriptions.notify'`,
  )
  expect(rows).toEqual([{ count: 450 }])
})

describe('a shop front', () => {
  it('subscribes a guest by email in the market in scope, and reads it by id', async () => {
    const guest = await core.tokens.mint(salesChannel([1]))
    const created = await create(guest, { customer_email: 'new@example.com', sku_code: 'SKU-A' })
    const { id } = singleOf(created).data
    expect((await core.get(`/api/in_stock_subscriptions/${id}`, guest)).status).toBe(200)
    expect((await core.get('/api/in_stock_subscriptions', guest)).status).toBe(401)
    const elsewhere = await core.tokens.mint(salesChannel([2]))
    expect((await core.get(`/api/in_stock_subscriptions/${id}`, elsewhere)).status).toBe(401)
  })

  it('cannot subscribe in another market than its own', async () => {
    const guest = await core.tokens.mint(salesChannel([2]))
    const response = await create(guest, { customer_email: 'new@example.com', sku_code: 'SKU-B' })
    expect(at(response)).toEqual([['422', '/data/relationships/market', 'noent']])
  })

  it('shows a customer no subscription of somebody else', async () => {
    const id = await subscribe()
    const [ada, vip] = [await core.tokens.mint(customer(1, [1])), await core.tokens.mint(customer(2, [1]))]
    expect((await core.get(`/api/in_stock_subscriptions/${id}`, ada)).status).toBe(200)
    expect((await core.get(`/api/in_stock_subscriptions/${id}`, vip)).status).toBe(401)
  })
})

test.each([
  [
    'no market',
    { customer_email: 'ada@example.com', sku_code: 'SKU-A' },
    {},
    '/data/relationships/market',
    'blank',
  ],
  ['no customer', { sku_code: 'SKU-A' }, undefined, '/data/relationships/customer', 'blank'],
  ['no SKU', { customer_email: 'ada@example.com' }, undefined, '/data/relationships/sku', 'blank'],
  [
    'an unknown SKU',
    { customer_email: 'ada@example.com', sku_code: 'NOPE' },
    undefined,
    '/data/attributes/sku_code',
    'not_found',
  ],
  [
    'a threshold of nothing',
    { customer_email: 'ada@example.com', sku_code: 'SKU-A', stock_threshold: 0 },
    undefined,
    '/data/attributes/stock_threshold',
    'greater_than_or_equal_to',
  ],
] as const)('is refused with %s', async (_case, attributes, relationships, pointer, error) => {
  expect(at(await create(core.tokens.admin, attributes, relationships))).toEqual([['422', pointer, error]])
})

test('follows the email of its customer', async () => {
  const id = await subscribe()
  await core.pool.query(
    `UPDATE customers SET email = 'lovelace@example.com' WHERE id = 1 AND environment_id = 1`,
  )
  const { attributes } = singleOf(await core.get(`/api/in_stock_subscriptions/${id}`, core.tokens.admin)).data
  expect(attributes['customer_email']).toBe('lovelace@example.com')
})
