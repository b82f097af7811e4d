/** Custom roles with restrictions: which fields a permission covers (docs/adr, Restrictions of custom roles). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, pluck, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { expectUnauthorized, linkTo, patch, permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('restricted_fields')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const order = (number: number): string => encodeId('orders', number)

describe('fields', () => {
  const some = { fields: { read: ['number', 'status', 'total_amount_with_taxes_cents', 'market'] } }
  const withSome = () =>
    tokenWith(
      core,
      permission('orders', some),
      permission('customers'),
      permission('line_items'),
      permission('markets'),
    )

  it('that may not be read are left out of every document, relationships too', async () => {
    const token = await withSome()
    const names = [
      'number',
      'status',
      'total_amount_with_taxes_cents',
      'total_amount_with_taxes_float',
      'formatted_total_amount_with_taxes',
    ]
    const one = singleOf(await core.get(`/api/orders/${order(2)}`, token)).data
    const [first] = listOf(await core.get('/api/orders', token)).data
    const included = singleOf(
      await core.get(`/api/customers/${encodeId('customers', 1)}?include=orders`, token),
    ).included
    for (const shown of [one, first, included?.[0]]) {
      expect(Object.keys(shown?.attributes ?? {}).sort()).toEqual([...names].sort())
      expect(Object.keys(shown?.relationships ?? {})).toEqual(['market'])
    }
  })

  it.each([
    ['orders?filter[q][customer_email_null]=true', 'filter[q][customer_email_null]'],
    ['orders?filter[q][number_or_guest_not_null]=true', 'filter[q][number_or_guest_not_null]'],
    ['orders?filter[guest]=true', 'filter[guest]'],
    ['orders?filter[q][line_items_sku_code_eq]=SKU-A', 'filter[q][line_items_sku_code_eq]'],
    ['orders?filter[q][customer_id_null]=true', 'filter[q][customer_id_null]'],
    ['line_items?filter[q][order_guest_eq]=true', 'filter[q][order_guest_eq]'],
    ['orders?sort=number,-placed_at', 'sort'],
    ['orders?sort=customer', 'sort'],
    ['orders?include=market,line_items', 'include'],
    ['line_items?include=order.customer', 'include'],
    ['orders?fields[orders]=number,customer_email', 'fields[orders]'],
    ['orders?fields[orders]=customer', 'fields[orders]'],
  ])('may not be asked for: %s', async (path, parameter) => {
    const response = await core.get(`/api/${path}`, await withSome())
    expectUnauthorized(response, { parameter })
    expect(errorsOf(response)[0]?.detail).toMatch(/^You are not authorized to read orders\.\w+\.$/)
  })

  it('are named all at once', async () => {
    const response = await core.get(
      '/api/orders?sort=guest&include=customer&filter[q][guest_eq]=true',
      await withSome(),
    )
    expect(errorsOf(response).map(({ detail }) => detail)).toEqual([
      'You are not authorized to read orders.guest.',
      'You are not authorized to read orders.guest.',
      'You are not authorized to read orders.customer.',
    ])
  })

  it('may be asked for when they may be read', async () => {
    const token = await withSome()
    const query =
      'filter[q][number_in]=1,2&filter[q][market_code_eq]=eu&sort=-number&include=market&fields[orders]=number,market'
    const list = listOf(await core.get(`/api/orders?${query}`, token))
    expect([pluck(list, 'number'), list.included?.length]).toEqual([['2', '1'], 1])
  })

  it.each(['customer', 'relationships/customer', 'line_items', 'relationships/line_items'])(
    'have no address: /%s',
    async (path) => {
      expectUnauthorized(await core.get(`/api/orders/${order(2)}/${path}`, await withSome()))
    },
  )

  it('that take a query of their own are not even computed', async () => {
    const id = encodeId('skus', 1)
    const market = {
      id: [encodeId('markets', 1)],
      stock_location_ids: [],
      geocoder_id: null,
      allows_external_prices: false,
    }
    core.roles.set('rNoStock', {
      kind: 'custom',
      permissions: [permission('skus', { fields: { read: ['code'] } })],
    })
    const token = await core.tokens.mint({
      role: { id: 'rNoStock', kind: 'custom' },
      market,
      scope: 'market:code:eu',
    })
    expect(singleOf(await core.get(`/api/skus/${id}`, token)).data.attributes).toEqual({ code: 'SKU-A' })
  })

  it('of singletons are restricted too', async () => {
    const token = await tokenWith(core, permission('organizations', { fields: { read: ['name'] } }))
    expect(singleOf(await core.get('/api/organization', token)).data.attributes).toEqual({
      name: 'The Blue Brand',
    })
    expectUnauthorized(await core.get('/api/organization?fields[organizations]=slug', token), {
      parameter: 'fields[organizations]',
    })
  })

  it('of singletons whose restrictions do not fit are not shown at all', async () => {
    const token = await tokenWith(core, permission('organizations', { fields: { read: ['gone'] } }))
    expectUnauthorized(await core.get('/api/organization', token))
  })

  it('that may not be sent are refused, each named, nothing is written', async () => {
    const token = await tokenWith(
      core,
      permission('skus', { fields: { update: ['name', 'metadata'], create: [] } }),
    )
    const id = encodeId('skus', 1)
    const refused = await patch(
      core,
      token,
      { type: 'skus', id },
      { name: 'x', weight: 1 },
      { shipping_category: linkTo('shipping_categories', 2) },
    )
    expect(errorsOf(refused)).toMatchObject([
      {
        status: '401',
        code: 'UNAUTHORIZED',
        detail: 'You are not authorized to send "weight" when skus are updated; allowed: name, metadata.',
        source: { pointer: '/data/attributes/weight' },
      },
      { status: '401', source: { pointer: '/data/relationships/shipping_category' } },
    ])
    expect(
      (await patch(core, token, { type: 'skus', id: id }, { name: 'x', metadata: { a: 1 } })).status,
    ).toBe(200)
    const created = await core.send('POST', '/api/skus', token, {
      data: { type: 'skus', attributes: { code: 'N' } },
    })
    expect(errorsOf(created)[0]?.detail).toContain('allowed: nothing.')
  })

  it('include triggers', async () => {
    const token = await tokenWith(core, permission('markets', { fields: { update: ['_disable'] } }))
    const id = encodeId('markets', 1)
    expectUnauthorized(await patch(core, token, { type: 'markets', id: id }, { _enable: true }), {
      pointer: '/data/attributes/_enable',
    })
    expect((await patch(core, token, { type: 'markets', id: id }, { _disable: true })).status).toBe(200)
  })
})
