/** Every plain type of tier 1 through the unmodified @commercelayer/sdk: made, read, found, changed, followed, deleted. */
import { gunzipSync } from 'node:zlib'
import { CommerceLayer } from '@commercelayer/sdk/bundle'
import { accessToken } from '../support/connect.ts'
import { createMappedFetch, toLocalUrl } from '../support/mapped-fetch.ts'

/** Writes stay out of the organization that other suites count. */
const ORGANIZATION = 1

let token: string

beforeAll(async () => {
  token = await accessToken('integration', { organization: ORGANIZATION })
})

interface Made {
  readonly id: string
  readonly type: string
}

/** The part of a resource of the SDK that all types have; their own types differ in attributes only. */
interface Resource {
  create(attributes: object, params?: object): Promise<Made>
  retrieve(id: string, params?: object): Promise<Made & Record<string, unknown>>
  list(
    params?: object,
  ): Promise<readonly (Made & Record<string, unknown>)[] & { readonly meta: Meta; hasNextPage(): boolean }>
  update(attributes: object, params?: object): Promise<Made & Record<string, unknown>>
  delete(id: string): Promise<void>
}

interface Meta {
  readonly recordCount: number
  readonly pageCount: number
}

/** From an address of its own each time: rate limits are not what this is about. */
const resourceOf = (type: string): Resource => {
  const cl = CommerceLayer({ accessToken: token, fetch: createMappedFetch().fetch })
  return Reflect.get(cl, type) as Resource
}

let count = 0
const unique = (): string => `sdk-${process.pid}-${(count += 1)}`

const madeThings: Made[] = []

const make = async (type: string, attributes: object): Promise<Made> => {
  const made = await resourceOf(type).create({ reference: unique(), ...attributes })
  madeThings.push(made)
  return made
}

/** Last made, first deleted: what depends on others goes before them. */
afterAll(async () => {
  for (const { type, id } of madeThings.toReversed()) {
    await resourceOf(type)
      .delete(id)
      .catch((error: unknown) => {
        if (!/not found/i.test(String(error))) throw error
      })
  }
})

const name = (): { readonly name: string } => ({ name: unique() })
const address = () =>
  make('addresses', {
    line_1: 'Street 1',
    city: 'Town',
    country_code: 'IT',
    phone: '1',
    last_name: 'A',
    first_name: 'B',
  })
const priceList = () => make('price_lists', { ...name(), currency_code: 'EUR' })
const stockLocation = async () => make('stock_locations', { ...name(), address: await address() })
const inventoryModel = () => make('inventory_models', name())
const merchant = async () => make('merchants', { ...name(), address: await address() })
const shippingCategory = () => make('shipping_categories', name())
const sku = async () =>
  make('skus', { ...name(), code: unique(), shipping_category: await shippingCategory() })
const market = async () =>
  make('markets', {
    ...name(),
    merchant: await merchant(),
    price_list: await priceList(),
    inventory_model: await inventoryModel(),
  })

interface Row {
  readonly type: string
  readonly make: () => Promise<Made>
  readonly change: Readonly<Record<string, unknown>>
  /** A to-one that is included, and a relationship that has an address of its own. */
  readonly include?: string
  readonly related?: string
}

const rows: readonly Row[] = [
  { type: 'addresses', make: address, change: { city: 'Elsewhere' }, related: 'events' },
  {
    type: 'customer_groups',
    make: () => make('customer_groups', name()),
    change: { name: 'Others' },
    related: 'customers',
  },
  {
    type: 'customers',
    make: async () =>
      make('customers', {
        email: `${unique()}@example.com`,
        customer_group: await make('customer_groups', name()),
      }),
    change: { metadata: { a: 1 } },
    include: 'customer_group',
    related: 'orders',
  },
  {
    type: 'inventory_models',
    make: inventoryModel,
    change: { stock_locations_cutoff: 3 },
    related: 'inventory_stock_locations',
  },
  {
    type: 'inventory_stock_locations',
    make: async () =>
      make('inventory_stock_locations', {
        priority: 1,
        inventory_model: await inventoryModel(),
        stock_location: await stockLocation(),
      }),
    change: { priority: 7 },
    include: 'stock_location',
  },
  {
    type: 'manual_gateways',
    make: () => make('manual_gateways', name()),
    change: { name: 'Till' },
    related: 'payment_methods',
  },
  {
    type: 'markets',
    make: market,
    change: { checkout_url: 'https://example.com/:order_id' },
    include: 'price_list',
    related: 'merchant',
  },
  { type: 'merchants', make: merchant, change: { name: 'Other' }, include: 'address', related: 'address' },
  {
    type: 'payment_methods',
    make: async () =>
      make('payment_methods', {
        payment_source_type: 'wire_transfers',
        currency_code: 'EUR',
        price_amount_cents: 10,
        payment_gateway: await make('manual_gateways', name()),
      }),
    change: { price_amount_cents: 250 },
    include: 'payment_gateway',
    related: 'market',
  },
  { type: 'price_lists', make: priceList, change: { tax_included: false }, related: 'prices' },
  {
    type: 'prices',
    make: async () => make('prices', { amount_cents: 100, sku: await sku(), price_list: await priceList() }),
    change: { amount_cents: 4_250 },
    include: 'sku',
    related: 'price_list',
  },
  { type: 'shipping_categories', make: shippingCategory, change: { name: 'Heavy' }, related: 'skus' },
  {
    type: 'skus',
    make: sku,
    change: { weight: 1.5, unit_of_weight: 'gr' },
    include: 'shipping_category',
    related: 'prices',
  },
  {
    type: 'stock_items',
    make: async () =>
      make('stock_items', { quantity: 1, sku: await sku(), stock_location: await stockLocation() }),
    change: { quantity: 12 },
    include: 'stock_location',
    related: 'sku',
  },
  {
    type: 'stock_locations',
    make: stockLocation,
    change: { suppress_etd: true },
    include: 'address',
    related: 'stock_items',
  },
  {
    type: 'stores',
    make: async () => make('stores', { ...name(), market: await market() }),
    change: { name: 'Corso' },
    include: 'market',
    related: 'market',
  },
]

describe.each(rows)('$type', ({ type, make: makeOne, change, include, related }) => {
  test('is made, read, found, changed, followed and deleted', async () => {
    const resource = resourceOf(type)
    const made = await makeOne()
    expect(made.type).toBe(type)
    const read = await resource.retrieve(made.id, include === undefined ? {} : { include: [include] })
    expect(read.id).toBe(made.id)
    if (include !== undefined) expect(read[include]).toMatchObject({ id: expect.any(String) as string })
    const found = await resource.list({ filters: { id_eq: made.id }, sort: { created_at: 'desc' } })
    expect([found.meta.recordCount, found[0]?.id]).toEqual([1, made.id])
    expect(await resource.update({ id: made.id, ...change })).toMatchObject(change)
    if (related !== undefined) {
      const follow = Reflect.get(resource, related) as (id: string) => Promise<unknown>
      expect(await follow.call(resource, made.id)).toBeDefined()
    }
    await resource.delete(made.id)
    expect(await resource.list({ filters: { id_eq: made.id } })).toHaveLength(0)
  }, 60_000)

  test('is paged through in either order, every record once', async () => {
    const resource = resourceOf(type)
    const ids: string[] = []
    const newest = await resource.list({ sort: { id: 'desc' }, pageSize: 1 })
    const last = newest[0]?.id
    for (let pageNumber = 1; pageNumber <= 4; pageNumber += 1) {
      const page = await resource.list({
        pageNumber,
        pageSize: 25,
        sort: { id: 'asc' },
        ...(last === undefined ? {} : { filters: { id_lteq: last } }),
      })
      ids.push(...page.map(({ id }) => id))
      if (pageNumber >= page.meta.pageCount) {
        expect(ids).toHaveLength(page.meta.recordCount)
        break
      }
    }
    expect(new Set(ids).size).toBe(ids.length)
  }, 60_000)
})

describe('bulk', () => {
  const settled = async (type: 'imports' | 'exports', id: string) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const job = await resourceOf(type).retrieve(id)
      if (!['pending', 'in_progress'].includes(String(job['status']))) return job
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`${type} ${id} is still not over`)
  }

  test('imports are worked on and exports downloaded', async () => {
    const codes = [unique(), unique()]
    const category = await shippingCategory()
    const job = await resourceOf('imports').create({
      resource_type: 'skus',
      inputs: codes.map((code) => ({ code, name: code, shipping_category_id: category.id })),
    })
    expect(await settled('imports', job.id)).toMatchObject({
      status: 'completed',
      processed_count: 2,
      errors_count: 0,
    })
    const stored = await resourceOf('skus').list({ filters: { code_in: codes } })
    madeThings.push(...stored)
    expect(stored).toHaveLength(2)
    const asked = await resourceOf('exports').create({
      resource_type: 'skus',
      filters: { code_in: codes },
      fields: ['code'],
    })
    const done = await settled('exports', asked.id)
    expect(done).toMatchObject({ status: 'completed', records_count: 2, progress: 100 })
    const file = await fetch(toLocalUrl(String(done['attachment_url'])))
    const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString()
    expect((JSON.parse(text) as { code: string }[]).map(({ code }) => code)).toEqual(codes)
    for (const [type, { id }] of [
      ['imports', job],
      ['exports', asked],
    ] as const)
      await resourceOf(type).delete(id)
  }, 60_000)
})
