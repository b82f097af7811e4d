/** contract.md, Scopes: the nine rules as core applies them to what a token sees. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import {
  customer,
  errorsOf,
  listOf,
  marketClaim,
  openCore,
  pluck,
  salesChannel,
  singleOf,
  storeClaim,
} from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { SKUS } from '../../support/seed-shop.ts'

let core: TestCore
const claims = new Map<string, string>()

beforeAll(async () => {
  core = await openCore('scopes')
  const subjects = [
    'skus',
    'prices',
    'stock_items',
    'stock_locations',
    'markets',
    'stores',
    'orders',
    'payment_methods',
  ]
  const permissions = subjects.map((subject) => ({ subject, actions: ['read'] as const }))
  core.roles.set('rCusTomRol', { kind: 'custom', permissions })
})
afterAll(() => core.close())

const tokenOf = async (claim: Readonly<Record<string, unknown>>): Promise<string> => {
  const key = JSON.stringify(claim)
  const token = claims.get(key) ?? (await core.tokens.mint(claim))
  claims.set(key, token)
  return token
}

/** A custom role that may read everything. */
const custom = (more: Readonly<Record<string, unknown>>) => ({
  role: { id: 'rCusTomRol', kind: 'custom' },
  ...more,
})

const seen = async (path: string, claim: Readonly<Record<string, unknown>>, name = 'code') =>
  pluck(listOf(await core.get(path, await tokenOf(claim))), name)

describe('rule 1: a market in scope filters what is fetched', () => {
  it('leaves SKUs with a price in its list and a stock item in its locations, whatever the quantity', async () => {
    expect(await seen('/api/skus', salesChannel([1]))).toEqual(['SKU-A', 'SKU-B', 'SKU-D'])
    expect(await seen('/api/skus', salesChannel([2]))).toEqual(['SKU-B'])
  })

  it('counts and pages only those', async () => {
    const token = await tokenOf(salesChannel([1]))
    const body = listOf(await core.get('/api/skus?page[size]=2&page[number]=2', token))
    expect(body.meta).toEqual({ record_count: 3, page_count: 2 })
    expect(pluck(body, 'code')).toEqual(['SKU-D'])
  })

  it('leaves the prices of its list', async () => {
    expect(await seen('/api/prices', salesChannel([1]), 'amount_cents')).toEqual([5000, 4000, 9000, 1500])
    expect(await seen('/api/prices', salesChannel([2]), 'amount_cents')).toEqual([4500, 2500])
  })

  it('leaves the stock items of its locations', async () => {
    expect(await seen('/api/stock_items', salesChannel([2]), 'sku_code')).toEqual(['SKU-B', 'SKU-E'])
  })

  it('shows what is sellable in any of several markets', async () => {
    expect(await seen('/api/skus', salesChannel([1, 2]))).toEqual(['SKU-A', 'SKU-B', 'SKU-D'])
    expect(await seen('/api/prices', salesChannel([1, 2]), 'amount_cents')).toHaveLength(6)
  })

  it('narrows included resources too', async () => {
    const token = await tokenOf(salesChannel([2]))
    const body = listOf(await core.get('/api/skus?include=prices,stock_items', token))
    expect(body.data).toHaveLength(1)
    expect(
      body.included?.map(({ type, attributes }) => [
        type,
        attributes['amount_cents'] ?? attributes['quantity'],
      ]),
    ).toEqual([
      ['prices', 4500],
      ['stock_items', 3],
    ])
  })

  it('narrows related collections too', async () => {
    const id = encodeId('skus', SKUS.B)
    expect(await seen(`/api/skus/${id}/prices`, salesChannel([2]), 'amount_cents')).toEqual([4500])
    expect(await seen(`/api/skus/${id}/stock_items`, salesChannel([1]), 'quantity')).toEqual([3])
  })

  it('narrows what filters through relationships can find', async () => {
    expect(await seen('/api/skus?filter[q][prices_amount_cents_eq]=4000', salesChannel([1]))).toEqual([
      'SKU-B',
    ])
    expect(await seen('/api/skus?filter[q][prices_amount_cents_eq]=4000', salesChannel([2]))).toEqual([])
    expect(await seen('/api/skus?filter[q][stock_items_quantity_eq]=6', salesChannel([1]))).toEqual([])
  })

  it('takes effect at once when a price or stock item comes or goes', async () => {
    const claim = salesChannel([2])
    await core.pool
      .query(`INSERT INTO stock_items (id, environment_id, sku_id, sku_code, stock_location_id, quantity)
      VALUES (900, 1, 6, 'SKU-F', 2, 1)`)
    expect(await seen('/api/skus', claim)).toEqual(['SKU-B', 'SKU-F'])
    await core.pool.query('DELETE FROM stock_items WHERE id = 900')
    expect(await seen('/api/skus', claim)).toEqual(['SKU-B'])
  })
})

describe('rule 2: the market must be active', () => {
  it('shows nothing to a token whose only market was disabled', async () => {
    for (const path of ['/api/skus', '/api/prices', '/api/stock_items', '/api/payment_methods']) {
      expect(await seen(path, salesChannel([3]))).toEqual([])
    }
  })

  it('drops a disabled market out of several', async () => {
    expect(await seen('/api/skus', salesChannel([3, 2]))).toEqual(['SKU-B'])
  })

  it('follows a market that is disabled and enabled between two requests', async () => {
    const claim = salesChannel([2])
    await core.pool.query('UPDATE markets SET disabled_at = now() WHERE id = 2')
    expect(await seen('/api/skus', claim)).toEqual([])
    await core.pool.query('UPDATE markets SET disabled_at = NULL WHERE id = 2')
    expect(await seen('/api/skus', claim)).toEqual(['SKU-B'])
  })

  it('shows nothing for a market that does not exist or is of another environment', async () => {
    expect(await seen('/api/skus', salesChannel([999]))).toEqual([])
    expect(await seen('/api/skus', salesChannel([1001]))).toEqual([])
  })
})

describe('rule 3: a sales channel without a market', () => {
  it('sees what is sellable in the markets open to everybody', async () => {
    expect(await seen('/api/skus', salesChannel([], { market: undefined, scope: 'market:all' }))).toEqual([
      'SKU-A',
      'SKU-B',
      'SKU-D',
    ])
  })
})

describe('rule 5: a store in scope', () => {
  it("filters by the store's market, also when the token names no market", async () => {
    const claim = salesChannel([], { market: undefined, store: storeClaim(2) })
    expect(await seen('/api/skus', claim)).toEqual(['SKU-A', 'SKU-B', 'SKU-D'])
    expect(await seen('/api/prices', claim, 'amount_cents')).toHaveLength(4)
  })

  it("offers the store's own payment methods", async () => {
    expect(await seen('/api/payment_methods', salesChannel([1], { store: storeClaim(1) }), 'name')).toEqual([
      'At the counter',
    ])
  })

  it("offers the market's payment methods when the store has none", async () => {
    const names = ['Wire EU', 'Anywhere in euro']
    expect(await seen('/api/payment_methods', salesChannel([1], { store: storeClaim(2) }), 'name')).toEqual(
      names,
    )
  })

  it("offers an order the methods of its store, or its market's when the store has none", async () => {
    const offered = async (number: number) => {
      const id = encodeId('orders', number)
      const related = listOf(await core.get(`/api/orders/${id}/available_payment_methods`, core.tokens.admin))
      const include = '?include=available_payment_methods'
      const { included } = singleOf(await core.get(`/api/orders/${id}${include}`, core.tokens.admin))
      expect(included?.map((resource) => resource.id)).toEqual(related.data.map((resource) => resource.id))
      return pluck(related, 'name')
    }
    expect(await offered(2)).toEqual(['At the counter'])
    expect(await offered(3)).toEqual(['Wire EU', 'Anywhere in euro'])
    expect(await offered(4)).toEqual(['Wire US'])
  })

  it('shows the orders of the store only', async () => {
    const order = encodeId('orders', 2)
    const claim = { ...customer(1, [1]), store: storeClaim(1) }
    expect(singleOf(await core.get(`/api/orders/${order}`, await tokenOf(claim))).data.id).toBe(order)
    const elsewhere = { ...customer(1, [1]), store: storeClaim(2) }
    expect((await core.get(`/api/orders/${order}`, await tokenOf(elsewhere))).status).toBe(401)
  })

  it('shows nothing when the store is gone', async () => {
    expect(await seen('/api/skus', salesChannel([1], { store: storeClaim(99) }))).toEqual([])
  })
})

describe("rule 6: the store's stock location", () => {
  const withStore = salesChannel([1], { store: storeClaim(1) })
  const inventory = async (number: number, claim: Readonly<Record<string, unknown>>) => {
    const response = await core.get(`/api/skus/${encodeId('skus', number)}`, await tokenOf(claim))
    return singleOf(response).data.attributes['inventory']
  }
  const levels = (...quantities: number[]) =>
    quantities.map((quantity) => ({ quantity, delivery_lead_times: [] }))

  it('makes sellable what only the store has', async () => {
    expect(await seen('/api/skus', withStore)).toEqual(['SKU-A', 'SKU-B', 'SKU-C', 'SKU-D'])
  })

  it('comes first, and one location more than the cutoff counts', async () => {
    expect(await inventory(SKUS.A, salesChannel([1]))).toEqual({
      available: true,
      quantity: 7,
      levels: levels(7),
    })
    expect(await inventory(SKUS.A, withStore)).toEqual({ available: true, quantity: 9, levels: levels(2, 7) })
    await core.pool.query('UPDATE inventory_models SET stock_locations_cutoff = 1 WHERE id = 1')
    expect(await inventory(SKUS.B, salesChannel([1]))).toEqual({ available: false, quantity: 0, levels: [] })
    expect(await inventory(SKUS.A, withStore)).toEqual({ available: true, quantity: 9, levels: levels(2, 7) })
    await core.pool.query('UPDATE inventory_models SET stock_locations_cutoff = 2 WHERE id = 1')
  })

  it('gives the levels in the order of the locations, moved up when the market has the store’s own', async () => {
    await core.pool
      .query(`INSERT INTO stock_items (id, environment_id, sku_id, sku_code, stock_location_id, quantity)
      VALUES (90, 1, 1, 'SKU-A', 2, 11)`)
    expect(await inventory(SKUS.A, salesChannel([1]))).toMatchObject({ quantity: 18, levels: levels(7, 11) })
    expect(await inventory(SKUS.A, withStore)).toMatchObject({ quantity: 20, levels: levels(2, 7, 11) })
    await core.pool.query('UPDATE inventory_models SET stock_locations_cutoff = 1 WHERE id = 1')
    expect(await inventory(SKUS.A, withStore)).toMatchObject({ quantity: 9, levels: levels(2, 7) })
    await core.pool.query('UPDATE stores SET stock_location_id = 2 WHERE id = 1')
    expect(await inventory(SKUS.A, withStore)).toMatchObject({ quantity: 18, levels: levels(11, 7) })
    await core.pool.query('UPDATE stores SET stock_location_id = 3 WHERE id = 1')
    await core.pool.query(
      'UPDATE inventory_stock_locations SET priority = 3 - priority WHERE inventory_model_id = 1',
    )
    expect(await inventory(SKUS.A, salesChannel([1]))).toMatchObject({ quantity: 11, levels: levels(11) })
    await core.pool.query(
      'UPDATE inventory_stock_locations SET priority = 3 - priority WHERE inventory_model_id = 1',
    )
    await core.pool.query('UPDATE inventory_models SET stock_locations_cutoff = 2 WHERE id = 1')
    await core.pool.query('DELETE FROM stock_items WHERE id = 90')
  })

  it('counts one location only with the strategy no_split', async () => {
    await core.pool.query("UPDATE inventory_models SET strategy = 'no_split' WHERE id = 1")
    expect(await inventory(SKUS.A, withStore)).toEqual({ available: true, quantity: 2, levels: levels(2) })
    await core.pool.query("UPDATE inventory_models SET strategy = 'split_shipments' WHERE id = 1")
  })

  it('says that what is not tracked is available without stock', async () => {
    expect(await inventory(SKUS.D, salesChannel([1]))).toEqual({
      available: true,
      quantity: 0,
      levels: levels(0),
    })
  })

  it('is null without a market in scope', async () => {
    const { data } = singleOf(await core.get(`/api/skus/${encodeId('skus', SKUS.A)}`, core.tokens.admin))
    expect(data.attributes['inventory']).toBeNull()
  })
})

describe('rule 8: a stock location in scope', () => {
  const at = (location: number) =>
    salesChannel([1], { stock_location: { id: encodeId('stock_locations', location) } })

  it('leaves what that location has', async () => {
    expect(await seen('/api/skus', at(1))).toEqual(['SKU-A', 'SKU-D'])
    expect(await seen('/api/skus', at(2))).toEqual(['SKU-B'])
    expect(await seen('/api/stock_items', at(2), 'sku_code')).toEqual(['SKU-B', 'SKU-E'])
  })

  it('is the only one whose stock counts, also beyond the cutoff', async () => {
    await core.pool.query('UPDATE inventory_models SET stock_locations_cutoff = 1 WHERE id = 1')
    const response = await core.get(`/api/skus/${encodeId('skus', SKUS.B)}`, await tokenOf(at(2)))
    expect(singleOf(response).data.attributes['inventory']).toMatchObject({ available: true, quantity: 3 })
    await core.pool.query('UPDATE inventory_models SET stock_locations_cutoff = 2 WHERE id = 1')
  })

  it('leaves nothing once the location is no longer of the market', async () => {
    expect(await seen('/api/skus', at(4))).toEqual([])
    expect(await seen('/api/stock_items', at(4))).toEqual([])
  })
})

describe('rule 9: integrations', () => {
  const scoped = { market: marketClaim([2]), scope: 'market:code:us' }

  it.each(['admin', 'read_only'])('with the role %s are not narrowed by a scope', async (kind) => {
    expect(await seen('/api/skus', { ...scoped, role: { id: 'rZbnXFNpbw', kind } })).toHaveLength(6)
  })

  it.each([
    ['skus', 'code', ['SKU-B']],
    ['prices', 'amount_cents', [4500, 2500]],
    ['stock_items', 'sku_code', ['SKU-B', 'SKU-E']],
    ['stock_locations', 'code', ['new-york']],
    ['markets', 'code', ['us']],
    ['stores', 'code', []],
    ['orders', 'number', ['4']],
    ['payment_methods', 'name', ['Wire US']],
  ])('with a custom role are narrowed: %s', async (path, name, expected) => {
    expect(await seen(`/api/${path}`, custom(scoped), name)).toEqual(expected)
  })

  it('with a custom role and a store see the store, its market and its locations', async () => {
    const claim = custom({ market: marketClaim([1]), store: storeClaim(1) })
    expect(await seen('/api/stores', claim)).toEqual(['corso'])
    expect(await seen('/api/markets', claim)).toEqual(['eu'])
    expect(await seen('/api/stock_locations', claim)).toEqual(['milano', 'new-york', 'shop'])
    expect(await seen('/api/orders', claim, 'number')).toEqual(['2'])
  })

  it('with a custom role and no scope see everything, disabled payment methods too', async () => {
    expect(await seen('/api/skus', custom({}))).toHaveLength(6)
    expect(await seen('/api/payment_methods', custom({}), 'name')).toContain('Closed')
  })

  it('with a custom role get 404, not 401, for what their scope hides', async () => {
    const token = await tokenOf(custom(scoped))
    expect((await core.get(`/api/skus/${encodeId('skus', SKUS.A)}`, token)).status).toBe(404)
  })
})

describe('a single SKU', () => {
  it('that is not sellable in the market is 401 UNAUTHORIZED to a sales channel', async () => {
    const response = await core.get(`/api/skus/${encodeId('skus', SKUS.C)}`, await tokenOf(salesChannel([1])))
    expect(response.status).toBe(401)
    expect(errorsOf(response)[0]).toMatchObject({ code: 'UNAUTHORIZED', title: 'Access denied' })
  })

  it.each([
    ['of another organization', encodeId('skus', 1001)],
    ['that does not exist', encodeId('skus', 99_999)],
    ['with an id that is none', 'abcdefghij'],
  ])('%s is 404', async (_name, id) => {
    for (const claim of [salesChannel([1]), {}]) {
      const response = await core.get(`/api/skus/${id}`, await tokenOf(claim))
      expect(response.status).toBe(404)
      expect(errorsOf(response)[0]).toMatchObject({ code: 'RECORD_NOT_FOUND', title: 'Record not found' })
    }
  })
})
