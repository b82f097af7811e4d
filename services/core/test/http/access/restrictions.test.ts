/** Custom roles with restrictions: which rows a permission covers (docs/adr, Restrictions of custom roles). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { errorsOf, listOf, openCore, pluck, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { expectUnauthorized, linkTo, patch, permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('restrictions')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const order = (number: number): string => encodeId('orders', number)
const numbersOf = (response: InProcessResponse): readonly unknown[] => pluck(listOf(response), 'number')

describe('rows', () => {
  const euOnly = { rows: { all: { market_code_in: ['eu'] } } }

  it('that a permission does not cover are neither listed nor counted', async () => {
    const token = await tokenWith(core, permission('orders', euOnly))
    const list = listOf(await core.get('/api/orders', token))
    expect([pluck(list, 'number'), list.meta.record_count]).toEqual([['1', '2', '3', '5'], 4])
  })

  it('are paged and sorted as if there were no others', async () => {
    const token = await tokenWith(core, permission('orders', euOnly))
    const page = listOf(await core.get('/api/orders?page[size]=3&page[number]=2&sort=-number', token))
    expect([pluck(page, 'number'), page.meta]).toEqual([['1'], { record_count: 4, page_count: 2 }])
  })

  it.each([
    ['number_eq=4', []],
    [`id_in=${order(3)},${order(4)}`, ['3']],
    ['market_code_eq=us', []],
    ['customer_email_eq=vip@example.com', []],
    ['status_eq=placed', ['2']],
  ])('cannot be found by filter[q][%s]', async (filter, numbers) => {
    const token = await tokenWith(
      core,
      permission('orders', euOnly),
      permission('markets'),
      permission('customers'),
    )
    expect(numbersOf(await core.get(`/api/orders?filter[q][${filter.replace('=', ']=')}`, token))).toEqual(
      numbers,
    )
  })

  it.each(['', '/market', '/line_items', '/relationships/line_items', '/relationships/customer'])(
    'are 401 by their id, at the address …%s',
    async (path) => {
      const types = ['line_items', 'markets', 'customers'].map((type) => permission(type))
      const token = await tokenWith(core, permission('orders', euOnly), ...types)
      expectUnauthorized(await core.get(`/api/orders/${order(4)}${path}`, token))
      expect((await core.get(`/api/orders/${order(1)}${path}`, token)).status).toBe(200)
    },
  )

  it('of no order are 404', async () => {
    const token = await tokenWith(core, permission('orders', euOnly))
    expect((await core.get(`/api/orders/${order(999)}`, token)).status).toBe(404)
  })

  it('are hidden in related collections, includes and linkage', async () => {
    const token = await tokenWith(
      core,
      permission('orders', { rows: { read: { status_eq: 'placed' } } }),
      permission('customers'),
      permission('line_items'),
    )
    const ada = encodeId('customers', 1)
    expect(numbersOf(await core.get(`/api/customers/${ada}/orders`, token))).toEqual(['2'])
    const linkage = listOf(await core.get(`/api/customers/${ada}/relationships/orders`, token))
    expect([linkage.data.map(({ id }) => id), linkage.meta.record_count]).toEqual([[order(2)], 1])
    const included = singleOf(await core.get(`/api/customers/${ada}?include=orders`, token))
    expect(included.included?.map(({ id }) => id)).toEqual([order(2)])
    const items = listOf(await core.get('/api/line_items?include=order', token))
    expect(items.data.map(({ relationships }) => relationships?.['order']?.data)).toEqual([
      null,
      null,
      { type: 'orders', id: order(2) },
      null,
    ])
  })

  it('do not count in filters that cross them', async () => {
    const token = await tokenWith(core, permission('orders', euOnly), permission('line_items'))
    await core.pool.query('UPDATE line_items SET order_id = 4 WHERE id = 4')
    expect(
      listOf(await core.get('/api/line_items?filter[q][order_status_eq]=placed', token)).data,
    ).toHaveLength(1)
    const byId = `/api/line_items?filter[q][order_id_eq]=${order(4)}`
    expect(listOf(await core.get(byId, token)).meta.record_count).toBe(0)
    expect(listOf(await core.get(byId, core.tokens.admin)).meta.record_count).toBe(1)
  })

  it('are judged as they are, although the role may not read what the condition looks at', async () => {
    // order 4 is of a customer, whom this role does not see: a hidden customer must not pass for none
    const token = await tokenWith(
      core,
      permission('orders', { rows: { all: { customer_status_null: true } } }),
    )
    expect(numbersOf(await core.get('/api/orders', token))).toEqual(['1', '5'])
  })

  it('are narrowed by the scope of the token as well', async () => {
    const id = 'rScopedToo'
    core.roles.set(id, {
      kind: 'custom',
      permissions: [permission('orders', { rows: { all: { status_eq: 'placed' } } })],
    })
    const market = {
      id: [encodeId('markets', 2)],
      stock_location_ids: [],
      geocoder_id: null,
      allows_external_prices: false,
    }
    const token = await core.tokens.mint({ role: { id, kind: 'custom' }, market, scope: 'market:code:us' })
    expect(numbersOf(await core.get('/api/orders', token))).toEqual(['4'])
  })

  it('of SKUs are counted as exactly as without restrictions', async () => {
    const token = await tokenWith(
      core,
      permission('skus', { rows: { read: { code_start: 'SKU', do_not_track_eq: false } } }),
    )
    const list = listOf(await core.get('/api/skus?page[size]=2', token))
    expect([pluck(list, 'code'), list.meta.record_count]).toEqual([['SKU-A', 'SKU-B'], 5])
    expect(listOf(await core.get('/api/skus?filter[q][code_start]=SKU-D', token)).meta.record_count).toBe(0)
  })

  it('of a type that is reached through another name are restricted there too', async () => {
    await core.pool.query(
      `INSERT INTO payment_gateways (id, environment_id, type, name) VALUES (2, 1, 'manual_gateways', 'Hidden')`,
    )
    const token = await tokenWith(
      core,
      permission('payment_gateways'),
      permission('manual_gateways', { rows: { all: { name_eq: 'Manual' } } }),
    )
    for (const path of ['payment_gateways', 'manual_gateways'])
      expect(pluck(listOf(await core.get(`/api/${path}`, token)), 'name')).toEqual(['Manual'])
  })
})

describe('writes', () => {
  it('touch only rows that are covered', async () => {
    const token = await tokenWith(core, permission('orders', { rows: { all: { market_code_eq: 'eu' } } }))
    expectUnauthorized(await patch(core, token, { type: 'orders', id: order(4) }, { reference: 'mine' }))
    expectUnauthorized(await core.send('DELETE', `/api/orders/${order(4)}`, token))
    expect((await patch(core, token, { type: 'orders', id: order(1) }, { reference: 'mine' })).status).toBe(
      200,
    )
    const { rows } = await core.pool.query(
      'SELECT reference FROM orders WHERE environment_id = 1 AND id IN (1, 4) ORDER BY id',
    )
    expect(rows).toEqual([{ reference: 'mine' }, { reference: null }])
  })

  it('touch only rows of the action, others are read', async () => {
    const token = await tokenWith(
      core,
      permission('skus', { rows: { update: { code_eq: 'SKU-A' }, destroy: { code_eq: 'SKU-F' } } }),
    )
    expect(listOf(await core.get('/api/skus', core.tokens.admin)).meta.record_count).toBe(6)
    expect(listOf(await core.get('/api/skus', token)).meta.record_count).toBe(6)
    expect(
      (await patch(core, token, { type: 'skus', id: encodeId('skus', 1) }, { name: 'Blacker' })).status,
    ).toBe(200)
    const refused = await patch(core, token, { type: 'skus', id: encodeId('skus', 2) }, { name: 'Whiter' })
    expectUnauthorized(refused)
    expect(errorsOf(refused)[0]?.detail).toBe(
      'Your permission on skus has row restrictions; you are not authorized to update this row.',
    )
    expectUnauthorized(await core.send('DELETE', `/api/skus/${encodeId('skus', 1)}`, token))
    expect((await core.send('DELETE', `/api/skus/${encodeId('skus', 6)}`, token)).status).toBe(204)
  })

  it('may take a row out of what an action covers, not out of what the permission covers at all', async () => {
    const token = await tokenWith(
      core,
      permission('skus', { rows: { all: { code_start: 'SKU' }, update: { name_eq: 'Black shirt' } } }),
    )
    const id = encodeId('skus', 1)
    expectUnauthorized(await patch(core, token, { type: 'skus', id: id }, { code: 'OTHER' }))
    expect((await patch(core, token, { type: 'skus', id: id }, { name: 'Sold out' })).status).toBe(200)
    expectUnauthorized(await patch(core, token, { type: 'skus', id: id }, { name: 'Black shirt' }))
    expect((await core.pool.query('SELECT code, name FROM skus WHERE id = 1')).rows).toEqual([
      { code: 'SKU-A', name: 'Sold out' },
    ])
  })

  const create = (token: string, code: string) =>
    core.send('POST', '/api/skus', token, {
      data: {
        type: 'skus',
        attributes: { code, name: 'New' },
        relationships: { shipping_category: linkTo('shipping_categories', 1) },
      },
    })

  it.each([
    ['all', { all: { code_start: 'EU-' } }],
    ['create', { create: { code_start: 'EU-' } }],
  ])('create only rows that %s covers', async (_name, rows) => {
    const token = await tokenWith(core, permission('skus', { rows }))
    expect((await create(token, 'EU-1')).status).toBe(201)
    const refused = await create(token, 'US-1')
    expectUnauthorized(refused)
    expect(errorsOf(refused)[0]?.detail).toContain('not authorized to create such a row')
    expect((await core.pool.query("SELECT 1 FROM skus WHERE code = 'US-1'")).rows).toEqual([])
  })

  it('link only to rows that are covered', async () => {
    const token = await tokenWith(
      core,
      permission('prices'),
      permission('price_lists', { rows: { all: { code_eq: 'eu' } } }),
      permission('skus', { rows: { read: { code_eq: 'SKU-F' } } }),
    )
    const price = (list: number, sku: number) =>
      core.send('POST', '/api/prices', token, {
        data: {
          type: 'prices',
          attributes: { amount_cents: 1 },
          relationships: { price_list: linkTo('price_lists', list), sku: linkTo('skus', sku) },
        },
      })
    expect((await price(1, 6)).status).toBe(201)
    for (const [list, sku, name] of [
      [2, 6, 'price_list'],
      [1, 5, 'sku'],
    ] as const) {
      const refused = await price(list, sku)
      expect([refused.status, errorsOf(refused)[0]?.source]).toEqual([
        422,
        { pointer: `/data/relationships/${name}` },
      ])
    }
  })
})

describe('roles', () => {
  it('whose restriction of a family does not fit permit nothing of its members', async () => {
    const token = await tokenWith(
      core,
      permission('payment_gateways', { rows: { all: { gone_eq: 1 } } }),
      permission('manual_gateways'),
    )
    expectUnauthorized(await core.get('/api/payment_gateways', token))
    expect(listOf(await core.get('/api/manual_gateways', token)).meta.record_count).toBe(0)
  })

  it('that change count at the next request', async () => {
    const token = await core.tokens.mint({ role: { id: 'rChanges', kind: 'custom' } })
    const listed = async (restrictions: Readonly<Record<string, unknown>>) => {
      core.roles.set('rChanges', { kind: 'custom', permissions: [permission('orders', restrictions)] })
      return listOf(await core.get('/api/orders', token)).meta.record_count
    }
    expect(await listed({})).toBe(5)
    expect(await listed({ rows: { all: { status_eq: 'placed' } } })).toBe(2)
    expect(await listed({ rows: { all: { status_eq: 'draft' } } })).toBe(1)
  })

  it.each([
    ['name no filter', { rows: { all: { gone_eq: 1 } } }],
    ['are of another form', { market_ids: ['x'] }],
  ])(
    'whose restrictions %s permit nothing of the type, and the rest as ever',
    async (_name, restrictions) => {
      const token = await tokenWith(core, permission('orders', restrictions), permission('skus'))
      expectUnauthorized(await core.get('/api/orders', token))
      expectUnauthorized(await core.get(`/api/orders/${order(1)}`, token))
      expect((await core.get('/api/skus', token)).status).toBe(200)
    },
  )
})
