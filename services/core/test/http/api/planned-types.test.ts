/** Relationships to what is not built yet, and to what the token is for: answered like any other, with nothing in them. */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { VENDOR_GATEWAYS, VENDOR_SOURCES } from '../../../src/payments/vendors/vendors.ts'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('planned_types')
})
afterAll(() => core.close())

const registry = createRegistry(areas, { ids: testIds })

/** Made by writes only. */
const UNSEEDED: readonly string[] = [
  'attachments',
  'avalara_accounts',
  'billing_info_validation_rules',
  'bing_geocoders',
  'bundles',
  'captures',
  'carrier_accounts',
  'cleanups',
  'customer_addresses',
  'customer_password_resets',
  'customer_payment_sources',
  'customer_subscriptions',
  'discount_engine_items',
  'discount_engines',
  'easypost_pickups',
  'events',
  'exports',
  'external_gateways',
  'external_payments',
  'geocoders',
  'google_geocoders',
  'imports',
  'links',
  'notifications',
  'order_copies',
  'order_factories',
  'order_subscription_items',
  'order_subscriptions',
  'order_validation_rules',
  'parcel_line_items',
  'payment_options',
  'pickups',
  'price_list_schedulers',
  'recurring_order_copies',
  'refunds',
  'resource_errors',
  'shipment_line_items',
  'shipments',
  'shipping_methods',
  'sku_list_items',
  'sku_lists',
  'stripe_tax_accounts',
  'subscription_models',
  'tags',
  'talon_one_accounts',
  'taxjar_accounts',
  'versions',
  'vertex_accounts',
  ...VENDOR_GATEWAYS,
  ...VENDOR_SOURCES,
]

/** Every relationship to a type that is not built, of types with a row number 1. */
const cases = registry.definitions
  .filter(
    ({ isPlanned, operations, type }) =>
      !isPlanned && operations.includes('list') && !UNSEEDED.includes(type),
  )
  .flatMap((definition) =>
    Object.entries(definition.relationships).flatMap(([name, relationship]) => {
      if (relationship.kind === 'polymorphicToOne') return []
      return registry.require(relationship.target).isPlanned
        ? [[definition.type, name, relationship.kind] as const]
        : []
    }),
  )

it.each(cases)('%s.%s is a %s with links and nothing in it', async (type, name, kind) => {
  const path = `/api/${type}/${encodeId(type, 1)}`
  const { data } = singleOf(await core.get(path, core.tokens.admin))
  expect(data.relationships?.[name]).toEqual({
    links: {
      self: `http://localhost:8080${path}/relationships/${name}`,
      related: `http://localhost:8080${path}/${name}`,
    },
  })
  const related = await core.get(`${path}/${name}`, core.tokens.admin)
  expect([related.status, (related.body as { data: unknown }).data]).toEqual([
    200,
    kind === 'toMany' ? [] : null,
  ])
  expect((await core.get(`${path}/relationships/${name}`, core.tokens.admin)).status).toBe(200)
})

it.each(['orders', 'skus', 'markets', 'line_items', 'customers'])(
  '%s can include all of them',
  async (type) => {
    const names = cases.filter(([of]) => of === type).map(([, name]) => name)
    const response = singleOf(
      await core.get(`/api/${type}/${encodeId(type, 1)}?include=${names.join(',')}`, core.tokens.admin),
    )
    expect(response.included).toEqual([])
    for (const name of names) expect([null, []]).toContainEqual(response.data.relationships?.[name]?.data)
  },
)

it.each([
  ['orders', 'links_id_eq', 'xxxxxxxxxx'],
  ['orders', 'links_id_in', 'xxxxxxxxxx,yyyyyyyyyy'],
  ['skus', 'sku_options_id_eq', 'xxxxxxxxxx'],
])('filters of %s by %s find nothing or are refused', async (type, filter, value) => {
  const response = await core.get(`/api/${type}?filter[q][${filter}]=${value}`, core.tokens.admin)
  if (filter.startsWith('sku_options')) expect(response.status).toBe(400)
  else expect(listOf(response).meta.record_count).toBe(0)
})

describe('paths through them', () => {
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

it('have no address of their own', async () => {
  expect((await core.get('/api/price_list_schedulers', core.tokens.admin)).status).toBe(404)
  expect((await core.get('/api/price_list_schedulers/xxxxxxxxxx', core.tokens.admin)).status).toBe(404)
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
