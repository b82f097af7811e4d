/** Draft reservations of line items, and what ends them (lifecycles.md 4.3). */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { deleteOldDrafts } from '../../../src/orders/jobs/delete-old-drafts.ts'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, orderCalls } from '../support/order-calls.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('reserve_stock')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { add, change, draft, remove, setOrder } = orderCalls(() => core)

const held = async () => {
  const { rows } = await core.pool.query<Record<string, unknown>>(
    `SELECT (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations WHERE environment_id = 1) AS reservations,
      (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks WHERE environment_id = 1) AS reserved`,
  )
  return rows[0]
}

const reserve = async (order: string, quantity: number) =>
  add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity, _reserve_stock: true })

it('reserves the whole quantity, and again what is changed', async () => {
  const line = singleOf(await reserve(await draft(), 3)).data.id
  expect(await held()).toEqual({ reservations: 3, reserved: 3 })
  await change(core.tokens.admin, line, { quantity: 2, _reserve_stock: true })
  expect(await held()).toEqual({ reservations: 2, reserved: 2 })
})

it('refuses what others have reserved', async () => {
  await reserve(await draft(), 6)
  expect(at(await reserve(await draft(), 2))).toEqual([['422', '/data/attributes/quantity', 'out_of_stock']])
  expect(await held()).toEqual({ reservations: 6, reserved: 6 })
})

it('refuses a line of an order that is placed', async () => {
  const order = await draft()
  const line = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data.id
  await setOrder(order, "status = 'placed'")
  const response = await change(core.tokens.admin, line, { _reserve_stock: true })
  expect(at(response)).toContainEqual(['422', '/data/attributes/_reserve_stock', 'not_editable'])
})

it('ends with the line, and with the order', async () => {
  const order = await draft()
  const line = singleOf(await reserve(order, 2)).data.id
  expect((await remove(core.tokens.admin, line)).status).toBe(204)
  expect(await held()).toEqual({ reservations: 0, reserved: 0 })
  await reserve(order, 2)
  const deleted = await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)
  expect(deleted.status).toBe(204)
  expect(await held()).toEqual({ reservations: 0, reserved: 0 })
})

it('ends with a cart of nobody that was not touched for two months', async () => {
  const order = await draft()
  await reserve(order, 2)
  const recent = await draft()
  await setOrder(order, "updated_at = '2026-09-01'")
  await setOrder(recent, "updated_at = '2026-11-01'")
  await core.jobs.enqueue(deleteOldDrafts, {}, runOn(core.pool))
  await core.jobs.runUntilIdle()
  const { rows } = await core.pool.query<{ id: string }>(
    'SELECT id FROM orders WHERE id = ANY($1::bigint[])',
    [[decodeId('orders', order), decodeId('orders', recent)]],
  )
  expect(rows.map(({ id }) => Number(id))).toEqual([decodeId('orders', recent)])
  expect(await held()).toEqual({ reservations: 0, reserved: 0 })
})

test('a draft of nobody whose payment was authorized stays', async () => {
  const order = await draft()
  await core.pool.query(
    `INSERT INTO transactions (environment_id, type, order_id, number, currency_code, amount_cents, succeeded)
      VALUES (1, 'authorizations', $1, 'T', 'EUR', 5, true)`,
    [decodeId('orders', order)],
  )
  await setOrder(order, "updated_at = '2026-09-01'")
  await core.jobs.enqueue(deleteOldDrafts, {}, runOn(core.pool))
  await core.jobs.runUntilIdle()
  expect((await core.get(`/api/orders/${order}`, core.tokens.admin)).status).toBe(200)
})
