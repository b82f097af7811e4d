/** Every type of tier 1 through the unmodified @commercelayer/sdk: made, read, found, sorted, changed, followed, deleted. */
import { gunzipSync } from 'node:zlib'
import { CommerceLayer } from '@commercelayer/sdk/bundle'
import { eventually } from '@merx/testing/eventually'
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

/** As a plain array; the SDK's lists stay lists when they are mapped. */
const idsOf = (list: readonly Made[]): string[] => Array.from(list, ({ id }) => id)

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
const market = async (parts: Readonly<Record<string, Made>> = {}) =>
  make('markets', {
    ...name(),
    merchant: await merchant(),
    price_list: parts['price_list'] ?? (await priceList()),
    inventory_model: parts['inventory_model'] ?? (await inventoryModel()),
  })
const order = async () => make('orders', { market: await market() })

/** A line of a SKU that has a price and stock where the market of its order sells. */
const lineItem = async () => {
  const [article, list, model, location] = [
    await sku(),
    await priceList(),
    await inventoryModel(),
    await stockLocation(),
  ]
  await make('inventory_stock_locations', { priority: 1, inventory_model: model, stock_location: location })
  await make('prices', { amount_cents: 1_250, sku: article, price_list: list })
  await make('stock_items', { quantity: 9, sku: article, stock_location: location })
  const cart = await make('orders', { market: await market({ price_list: list, inventory_model: model }) })
  return make('line_items', { order: cart, item: article, quantity: 1 })
}

interface Row {
  readonly type: string
  readonly make: () => Promise<Made>
  readonly change: Readonly<Record<string, unknown>>
  /** What is included when it is read: to-one relationships that lead somewhere, or to-many ones. */
  readonly includes: readonly string[]
}

const rows: readonly Row[] = [
  { type: 'addresses', make: address, change: { city: 'Elsewhere' }, includes: ['tags', 'events'] },
  {
    type: 'customer_groups',
    make: () => make('customer_groups', name()),
    change: { name: 'Others' },
    includes: ['customers', 'markets'],
  },
  {
    type: 'customers',
    make: async () =>
      make('customers', {
        email: `${unique()}@example.com`,
        customer_group: await make('customer_groups', name()),
      }),
    change: { metadata: { a: 1 } },
    includes: ['customer_group', 'orders'],
  },
  {
    type: 'inventory_models',
    make: inventoryModel,
    change: { stock_locations_cutoff: 3 },
    includes: ['inventory_stock_locations'],
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
    includes: ['stock_location', 'inventory_model'],
  },
  { type: 'line_items', make: lineItem, change: { quantity: 3 }, includes: ['order', 'item', 'tags'] },
  {
    type: 'manual_gateways',
    make: () => make('manual_gateways', name()),
    change: { name: 'Till' },
    includes: ['payment_methods'],
  },
  {
    type: 'markets',
    make: market,
    change: { checkout_url: 'https://example.com/:order_id' },
    includes: ['price_list', 'inventory_model', 'merchant', 'stores'],
  },
  { type: 'merchants', make: merchant, change: { name: 'Other' }, includes: ['address'] },
  {
    type: 'orders',
    make: order,
    change: { metadata: { gift: 'yes' } },
    includes: ['market', 'line_items', 'tags'],
  },
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
    includes: ['payment_gateway'],
  },
  { type: 'price_lists', make: priceList, change: { tax_included: false }, includes: ['prices'] },
  {
    type: 'prices',
    make: async () => make('prices', { amount_cents: 100, sku: await sku(), price_list: await priceList() }),
    change: { amount_cents: 4_250 },
    includes: ['sku', 'price_list'],
  },
  { type: 'shipping_categories', make: shippingCategory, change: { name: 'Heavy' }, includes: ['skus'] },
  {
    type: 'skus',
    make: sku,
    change: { weight: 1.5, unit_of_weight: 'gr' },
    includes: ['shipping_category', 'prices', 'stock_items', 'tags'],
  },
  {
    type: 'stock_items',
    make: async () =>
      make('stock_items', { quantity: 1, sku: await sku(), stock_location: await stockLocation() }),
    change: { quantity: 12 },
    includes: ['stock_location', 'sku'],
  },
  {
    type: 'stock_locations',
    make: stockLocation,
    change: { suppress_etd: true },
    includes: ['address', 'stock_items'],
  },
  {
    type: 'stores',
    make: async () => make('stores', { ...name(), market: await market() }),
    change: { name: 'Corso' },
    includes: ['market'],
  },
]

/** Methods of a resource of the SDK that follow a relationship: all but these and the triggers. */
const OWN_METHODS =
  /^(_.*|constructor|create|update|delete|retrieve|list|is[A-Z].*|relationship.*|type|path)$/

const relationshipsOf = (resource: Resource): readonly string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((method) => !OWN_METHODS.test(method))

/** Every relationship the SDK knows of the type leads to an answer, null and nothing included. */
const followAll = async (type: string, id: string): Promise<number> => {
  const names = relationshipsOf(resourceOf(type))
  for (const method of names) {
    const resource = resourceOf(type)
    const follow = Reflect.get(resource, method) as (owner: string) => Promise<unknown>
    await follow.call(resource, id).catch((error: unknown) => {
      throw new Error(`${type}.${method} cannot be followed`, { cause: error })
    })
  }
  return names.length
}

describe.each(rows)('$type', ({ type, make: makeOne, change, includes }) => {
  test('is made, read, found, sorted, changed, followed and deleted', async () => {
    const resource = resourceOf(type)
    const [other, made] = [await makeOne(), await makeOne()]
    expect(made.type).toBe(type)
    const read = await resource.retrieve(made.id, { include: includes })
    expect(read.id).toBe(made.id)
    for (const include of includes) expect([include, read[include]]).not.toEqual([include, undefined])
    const found = await resource.list({
      filters: { id_eq: made.id, reference_eq: String(read['reference']), created_at_gt: '2020-01-01' },
      include: includes,
    })
    expect([found.meta.recordCount, found[0]?.id]).toEqual([1, made.id])
    const both = { id_in: [made.id, other.id] }
    const order = async (sort: object) =>
      idsOf(await resource.list({ filters: both, sort, fields: ['id', 'reference'] }))
    expect(await order({ id: 'desc' })).toEqual([made.id, other.id])
    expect(await order({ created_at: 'asc', id: 'asc' })).toEqual([other.id, made.id])
    expect(await order({ reference: 'desc' })).toHaveLength(2)
    expect(await resource.update({ id: made.id, ...change })).toMatchObject(change)
    expect(await resource.retrieve(made.id)).toMatchObject(change)
    expect(await followAll(type, made.id)).toBeGreaterThan(0)
    for (const { id } of [made, other]) await resource.delete(id)
    expect(await resource.list({ filters: both })).toHaveLength(0)
  })

  test('is paged through to the last page, every record once', async () => {
    const [newest] = await resourceOf(type).list({ sort: { id: 'desc' }, pageSize: 1 })
    const upTo = newest === undefined ? {} : { filters: { id_lteq: newest.id } }
    const page = (pageNumber: number) =>
      resourceOf(type).list({ pageNumber, pageSize: 25, sort: { id: 'asc' }, ...upTo })
    const first = await page(1)
    const { recordCount, pageCount } = first.meta
    const ids = idsOf(first)
    // All of them, or of many the first ones and the last.
    const numbers = Array.from({ length: Math.max(0, pageCount - 1) }, (_, index) => index + 2)
    for (const number of numbers.filter((each) => each <= 6 || each === pageCount))
      ids.push(...idsOf(await page(number)))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(pageCount <= 7 ? recordCount : 6 * 25 + (((recordCount - 1) % 25) + 1))
    if (newest !== undefined) expect(ids.at(-1)).toBe(newest.id)
  })
})

describe('what is only read', () => {
  test('payment_gateways are the gateways of every kind', async () => {
    const made = await make('manual_gateways', name())
    const resource = resourceOf('payment_gateways')
    expect(await resource.retrieve(made.id, { include: ['payment_methods'] })).toMatchObject({
      id: made.id,
      type: 'manual_gateways',
      payment_methods: [],
    })
    const found = await resource.list({ filters: { id_in: [made.id] }, sort: { created_at: 'desc' } })
    expect(idsOf(found)).toEqual([made.id])
    expect(await followAll('payment_gateways', made.id)).toBeGreaterThan(0)
  })

  test('organization and application are those of the token', async () => {
    for (const [type, plural] of [
      ['organization', 'organizations'],
      ['application', 'applications'],
    ] as const) {
      const singleton = resourceOf(type) as unknown as {
        retrieve(params?: object): Promise<Made & Record<string, unknown>>
      }
      const read = await singleton.retrieve({ fields: ['name'] })
      expect(read).toMatchObject({ type: plural, name: expect.any(String) as string })
    }
    const { id } = await (resourceOf('organization') as unknown as { retrieve(): Promise<Made> }).retrieve()
    expect(await followAll('organization', id)).toBe(1)
  })
})

describe('bulk', () => {
  const settled = (type: 'imports' | 'exports', id: string) =>
    eventually(async () => {
      const job = await resourceOf(type).retrieve(id)
      return !['pending', 'in_progress'].includes(String(job['status'])) && job
    })

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
  })
})
