/** Codes, names and numbers that are unique are so in their environment, for one writer and for several at once. */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at } from '../support/order-calls.ts'

let core: TestCore

/** A row's number, its environment, and the number that its order, SKU and stock location have there. */
const ROWS = '(VALUES (1, 1, 1), (2, 1, 1), (1002, 3, 1001)) AS rows (id, environment_id, place)'

beforeAll(async () => {
  core = await openCore('unique_values')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(`
    INSERT INTO customer_groups (id, environment_id, name) VALUES (2, 1, 'B'), (1002, 3, 'B');
    INSERT INTO tags (id, environment_id, name) VALUES (1, 1, 'a'), (2, 1, 'b'), (1001, 3, 'c'), (1002, 3, 'd');
    INSERT INTO packages (id, environment_id, name, length, width, height, unit_of_length, stock_location_id)
      SELECT id, environment_id, 'Box', 1, 1, 1, 'cm', place FROM ${ROWS};
    INSERT INTO shipments (id, environment_id, number, currency_code, order_id)
      SELECT id, environment_id, 'shipment-' || id, 'EUR', place FROM ${ROWS};
    INSERT INTO stock_transfers (id, environment_id, number, sku_code, quantity, sku_id, origin_stock_location_id,
        destination_stock_location_id)
      SELECT id, environment_id, 'transfer-' || id, 'SKU', 1, place, place, place + 1 FROM ${ROWS}`)
})
afterAll(() => core.close())

const unique = createRegistry(areas, { ids: testIds }).definitions.flatMap(
  ({ type, attributes, operations }) =>
    operations.includes('update')
      ? Object.entries(attributes).flatMap(([name, attribute]) =>
          attribute.unique && ['always', 'update'].includes(attribute.write) ? [[type, name] as const] : [],
        )
      : [],
)

const NEW: Readonly<Record<string, string>> = { email: 'one@example.com' }

const set = (type: string, number: number, name: string, value: string, token = core.tokens.admin) =>
  core.send('PATCH', `/api/${type}/${encodeId(type, number)}`, token, {
    data: { type, id: encodeId(type, number), attributes: { [name]: value } },
  })

test('everything that scopes and imports name is unique', () => {
  expect(unique.map((path) => path.join('.'))).toEqual(
    expect.arrayContaining([
      'markets.code',
      'stores.code',
      'stock_locations.code',
      'price_lists.code',
      'skus.code',
      'customers.email',
      'orders.number',
      'tags.name',
    ]),
  )
})

describe.each(unique)('%s.%s', (type, name) => {
  const value = NEW[name] ?? 'one-of-a-kind'

  it('is refused when another has it, and free in another organization', async () => {
    expect((await set(type, 1, name, value)).status).toBe(200)
    expect((await set(type, 1, name, value)).status).toBe(200)
    expect(at(await set(type, 2, name, value))).toEqual([['422', `/data/attributes/${name}`, 'taken']])
    expect((await set(type, 1002, name, value, core.tokens.otherOrganization)).status).toBe(200)
  })

  it('goes to one of two simultaneous writers', async () => {
    const answers = await Promise.all([1, 2].map((number) => set(type, number, name, value)))
    const [won, lost] = answers.map(({ status }) => status).toSorted()
    expect(won).toBe(200)
    expect([409, 422]).toContain(lost)
  })
})
