/** Relationships that lead far, and those to what the token is for. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('far_relationships')
})
afterAll(() => core.close())

it.each([
  ['orders', 'links_id_eq', 'xxxxxxxxxx'],
  ['orders', 'links_id_in', 'xxxxxxxxxx,yyyyyyyyyy'],
  ['skus', 'sku_options_id_eq', 'xxxxxxxxxx'],
])('filters of %s by %s find nothing or are refused', async (type, filter, value) => {
  const response = await core.get(`/api/${type}?filter[q][${filter}]=${value}`, core.tokens.admin)
  if (filter.startsWith('sku_options')) expect(response.status).toBe(400)
  else expect(listOf(response).meta.record_count).toBe(0)
})

describe('paths through relationships', () => {
  const order = `/api/orders/${encodeId('orders', 1)}`

  it.each([
    'line_items.item,line_items.line_item_options.sku_option',
    'shipments.stock_line_items.line_item,shipments.stock_transfers.line_item,shipments.stock_location',
    'available_customer_payment_sources.payment_source,payment_source.payment_gateway',
    'returns.return_line_items.line_item.item,order_subscriptions.order_subscription_items.item',
  ])('may be included: %s', async (include) => {
    expect((await core.get(`${order}?include=${include}`, core.tokens.admin)).status).toBe(200)
  })

  it('are open to a guest as far as the permission tables name the types', async () => {
    const guest = await core.tokens.mint(salesChannel([1]))
    const path = `${order}?include=line_items.item,line_items.line_item_options.sku_option`
    expect((await core.get(path, guest)).status).toBe(200)
  })

  it('end where the manifest has no relationship', async () => {
    const response = await core.get(`${order}?include=returns.nothing`, core.tokens.admin)
    expect(errorsOf(response)[0]?.code).toBe('INVALID_INCLUDE')
  })

  it('have fields that may be named', async () => {
    const fieldsOf = (type: string, names: string) =>
      core.get(`${order}?fields[${type}]=${names}`, core.tokens.admin)
    expect((await fieldsOf('customer_addresses', 'address')).status).toBe(200)
    expect((await fieldsOf('returns', 'status,number,return_line_items')).status).toBe(200)
    expect(errorsOf(await fieldsOf('returns', 'colour'))[0]?.code).toBe('INVALID_FIELD')
  })
})

describe('what the token is for', () => {
  const sku = encodeId('skus', 2)
  const linked = async (token: string, path: string, name: string) =>
    singleOf(await core.get(`/api/${path}?include=${name}`, token)).data.relationships?.[name]?.data

  it('is its markets and their stock locations', async () => {
    const guest = await core.tokens.mint(salesChannel([1, 2]))
    expect(await linked(guest, `skus/${sku}`, 'jwt_markets')).toEqual([
      { type: 'markets', id: encodeId('markets', 1) },
      { type: 'markets', id: encodeId('markets', 2) },
    ])
    expect(await linked(guest, `skus/${sku}`, 'jwt_stock_locations')).toEqual([
      { type: 'stock_locations', id: encodeId('stock_locations', 1) },
      { type: 'stock_locations', id: encodeId('stock_locations', 2) },
    ])
    const related = listOf(await core.get(`/api/skus/${sku}/jwt_markets`, guest))
    expect(related.meta.record_count).toBe(2)
  })

  it('is its customer', async () => {
    const ada = await core.tokens.mint(customer(1, [1]))
    expect(await linked(ada, `skus/${sku}`, 'jwt_customer')).toEqual({
      type: 'customers',
      id: encodeId('customers', 1),
    })
  })

  it('is nothing of an integration', async () => {
    for (const name of ['jwt_markets', 'jwt_stock_locations']) {
      expect(await linked(core.tokens.admin, `prices/${encodeId('prices', 1)}`, name)).toEqual([])
    }
    expect(
      await linked(core.tokens.admin, `customers/${encodeId('customers', 1)}`, 'jwt_customer'),
    ).toBeNull()
  })
})
