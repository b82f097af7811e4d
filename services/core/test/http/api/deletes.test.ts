/** A delete that others depend on is 423 and changes nothing; one that nobody depends on goes through. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('deletes')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const remove = (type: string, number: number) =>
  core.send('DELETE', `/api/${type}/${encodeId(type, number)}`, core.tokens.admin)

it.each([
  ['addresses', 1, 'merchants'],
  ['merchants', 1, 'markets'],
  ['customer_groups', 1, 'customers'],
  ['price_lists', 1, 'prices'],
  ['inventory_models', 1, 'markets'],
  ['stock_locations', 1, 'inventory_stock_locations'],
  ['shipping_categories', 1, 'skus'],
  ['markets', 1, 'stores'],
  ['markets', 2, 'payment_methods'],
  ['stores', 1, 'orders'],
  ['skus', 1, 'line_items'],
  ['customers', 1, 'orders'],
  ['manual_gateways', 1, 'payment_methods'],
  ['payment_methods', 1, 'orders'],
])('%s %d stays while there are %s of it', async (type, number, dependents) => {
  const { pool } = core
  const path = `/api/${type}/${encodeId(type === 'manual_gateways' ? 'payment_gateways' : type, number)}`
  const response = await core.send('DELETE', path, core.tokens.admin)
  expect([response.status, errorsOf(response)[0]?.code]).toEqual([423, 'LOCKED'])
  expect(errorsOf(response)[0]?.detail).toContain('Cannot be deleted because dependent')
  expect(errorsOf(response)[0]?.detail).toContain(dependents)
  expect((await core.get(path, core.tokens.admin)).status).toBe(200)
  expect((await pool.query('SELECT FROM versions')).rowCount).toBe(0)
})

it.each([
  ['skus', 4],
  ['prices', 1],
  ['stock_items', 1],
  ['inventory_stock_locations', 1],
  ['stores', 2],
  ['payment_methods', 5],
  ['orders', 1],
])('%s %d goes', async (type, number) => {
  expect((await remove(type, number)).status).toBe(204)
  expect((await core.get(`/api/${type}/${encodeId(type, number)}`, core.tokens.admin)).status).toBe(404)
  expect((await remove(type, number)).status).toBe(404)
})
