/** Related and linkage endpoints, includes and sparse fieldsets. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, pluck, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { SKUS } from '../../support/seed-shop.ts'

let core: TestCore
const sku = encodeId('skus', SKUS.B)
const base = 'http://localhost:8080/api'

beforeAll(async () => {
  core = await openCore('related')
})
afterAll(() => core.close())

const get = (path: string) => core.get(path, core.tokens.admin)
const names = (resources: readonly ResourceObject[] | undefined) =>
  (resources ?? []).map(({ type, id }) => `${type}/${id}`)
const named = (type: string, number: number) => `${type}/${encodeId(type, number)}`

describe('a related collection', () => {
  it('has the envelope, its own address in links, and can be sorted, filtered and paged', async () => {
    const body = listOf(await get(`/api/skus/${sku}/prices?sort=-amount_cents&page[size]=1`))
    expect(pluck(body, 'amount_cents')).toEqual([4500])
    expect(body.meta).toEqual({ record_count: 2, page_count: 2 })
    expect(body.links).toEqual({
      first: `${base}/skus/${sku}/prices?sort=-amount_cents&page%5Bnumber%5D=1&page%5Bsize%5D=1`,
      next: `${base}/skus/${sku}/prices?sort=-amount_cents&page%5Bnumber%5D=2&page%5Bsize%5D=1`,
      last: `${base}/skus/${sku}/prices?sort=-amount_cents&page%5Bnumber%5D=2&page%5Bsize%5D=1`,
    })
    const cheap = await get(`/api/skus/${sku}/prices?filter[q][amount_cents_lt]=4200`)
    expect(pluck(listOf(cheap), 'amount_cents')).toEqual([4000])
  })

  it('includes and selects fields of the related type', async () => {
    const body = listOf(
      await get(
        `/api/skus/${sku}/prices?include=price_list&fields[prices]=price_list&fields[price_lists]=code`,
      ),
    )
    expect(body.data[0]?.attributes).toEqual({})
    expect(body.included?.map(({ attributes }) => attributes)).toEqual([{ code: 'eu' }, { code: 'us' }])
  })

  it('of a resource that is not there is 404', async () => {
    expect((await get(`/api/skus/${encodeId('skus', 777)}/prices`)).status).toBe(404)
    expect((await get(`/api/skus/${encodeId('skus', 1001)}/prices`)).status).toBe(404)
  })

  it('of an unknown relationship is 404', async () => {
    expect(errorsOf(await get(`/api/skus/${sku}/nope`))[0]?.code).toBe('NOT_FOUND')
    expect((await get(`/api/skus/${sku}/relationships/nope`)).status).toBe(404)
  })
})

describe('a related resource', () => {
  it('is one document', async () => {
    const { data } = singleOf(await get(`/api/skus/${sku}/shipping_category`))
    expect([data.type, data.attributes['name']]).toEqual(['shipping_categories', 'Merchandise'])
    expect(data.links.self).toBe(`${base}/shipping_categories/${data.id}`)
    expect(data.relationships?.['skus']).not.toHaveProperty('data')
  })

  it('that is empty is null with 200', async () => {
    const response = await get(`/api/markets/${encodeId('markets', 1)}/customer_group`)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ data: null })
  })

  it('takes include and fields, and refuses page, sort and filter', async () => {
    const body = singleOf(await get(`/api/skus/${sku}/shipping_category?include=skus&fields[skus]=code`))
    expect(body.included?.map(({ attributes }) => attributes)).toEqual([
      { code: 'SKU-A' },
      { code: 'SKU-B' },
      { code: 'SKU-C' },
    ])
    expect(errorsOf(await get(`/api/skus/${sku}/shipping_category?sort=id`))[0]?.code).toBe(
      'PARAM_NOT_ALLOWED',
    )
  })

  it('of a polymorphic relationship has its concrete type', async () => {
    const item = async (number: number) =>
      singleOf(await get(`/api/line_items/${encodeId('line_items', number)}/item`)).data
    expect((await item(1)).type).toBe('skus')
    expect((await item(2)).type).toBe('payment_methods')
  })

  it('of an abstract type has its concrete type and address', async () => {
    const { data } = singleOf(
      await get(`/api/payment_methods/${encodeId('payment_methods', 1)}/payment_gateway`),
    )
    expect(data.type).toBe('manual_gateways')
    expect(singleOf(await get(new URL(data.links.self).pathname)).data.id).toBe(data.id)
    expect(singleOf(await get(`/api/payment_gateways/${data.id}`)).data.type).toBe('manual_gateways')
  })
})

describe('linkage', () => {
  it('of a to-many is a page of identifiers', async () => {
    const body = (await get(`/api/skus/${sku}/relationships/prices?page[size]=1`)).body
    const self = `${base}/skus/${sku}/relationships/prices`
    expect(body).toEqual({
      data: [{ type: 'prices', id: encodeId('prices', 2) }],
      meta: { record_count: 2, page_count: 2 },
      links: {
        self,
        related: `${base}/skus/${sku}/prices`,
        first: `${self}?page%5Bnumber%5D=1&page%5Bsize%5D=1`,
        next: `${self}?page%5Bnumber%5D=2&page%5Bsize%5D=1`,
        last: `${self}?page%5Bnumber%5D=2&page%5Bsize%5D=1`,
      },
    })
  })

  it('of a to-one is one identifier or null', async () => {
    const path = `/api/markets/${encodeId('markets', 4)}/relationships/customer_group`
    expect((await get(path)).body).toEqual({
      links: {
        self: `http://localhost:8080${path}`,
        related: `http://localhost:8080${path.replace('relationships/', '')}`,
      },
      data: { type: 'customer_groups', id: encodeId('customer_groups', 1) },
    })
    expect((await get(path.replace(encodeId('markets', 4), encodeId('markets', 1)))).body).toMatchObject({
      data: null,
    })
  })
})

describe('include', () => {
  it('adds each resource once and linkage at every level', async () => {
    const body = listOf(
      await get('/api/skus?include=prices.price_list,shipping_category&filter[q][code_in]=SKU-A,SKU-B'),
    )
    expect(names(body.included).sort()).toEqual(
      [
        named('prices', 1),
        named('prices', 2),
        named('prices', 5),
        named('price_lists', 1),
        named('price_lists', 2),
        named('shipping_categories', 1),
      ].sort(),
    )
    expect(body.data[1]?.relationships?.['prices']?.data).toEqual([
      { type: 'prices', id: encodeId('prices', 2) },
      { type: 'prices', id: encodeId('prices', 5) },
    ])
    const price = body.included?.find(({ id }) => id === encodeId('prices', 5))
    expect(price?.relationships?.['price_list']?.data).toEqual({
      type: 'price_lists',
      id: encodeId('price_lists', 2),
    })
    expect(price?.relationships?.['sku']).not.toHaveProperty('data')
    expect(body.data[0]?.relationships?.['stock_items']).not.toHaveProperty('data')
  })

  it('gives null for an empty to-one and an empty list for an empty to-many', async () => {
    const body = listOf(await get('/api/markets?include=customer_group,stores&filter[q][code_eq]=us'))
    expect(body.data[0]?.relationships?.['customer_group']?.data).toBeNull()
    expect(body.data[0]?.relationships?.['stores']?.data).toEqual([])
    expect(body.included).toEqual([])
  })

  it('does not repeat primary data, also where paths lead back to it', async () => {
    const body = listOf(
      await get('/api/skus?include=shipping_category.skus&filter[q][shipping_category_code_eq]=merch'),
    )
    expect(names(body.included)).toEqual([named('shipping_categories', 1)])
    const category = body.included?.[0]
    expect(category?.relationships?.['skus']?.data).toHaveLength(3)
  })

  it('follows polymorphic and abstract relationships', async () => {
    const body = listOf(
      await get('/api/line_items?include=item,order.payment_method.payment_gateway&sort=id&page[size]=2'),
    )
    expect(body.data.map(({ relationships }) => relationships?.['item']?.data)).toEqual([
      { type: 'skus', id: encodeId('skus', 1) },
      { type: 'payment_methods', id: encodeId('payment_methods', 1) },
    ])
    expect(body.included?.map(({ type }) => type).sort()).toEqual([
      'manual_gateways',
      'orders',
      'payment_methods',
      'skus',
    ])
  })

  it('works on one resource', async () => {
    const body = singleOf(await get(`/api/skus/${sku}?include=stock_items.stock_location`))
    expect(body.included?.map(({ type }) => type).sort()).toEqual([
      'stock_items',
      'stock_items',
      'stock_locations',
      'stock_locations',
    ])
  })

  it('leaves single-only attributes out of included resources', async () => {
    const body = listOf(await get('/api/prices?include=sku&page[size]=1'))
    expect(body.included?.[0]?.attributes).not.toHaveProperty('inventory')
  })
})

describe('sparse fieldsets', () => {
  it('limit attributes and relationships; without a relationship the key is missing', async () => {
    const [first] = listOf(await get('/api/skus?fields[skus]=code,name&page[size]=1')).data
    expect(Object.keys(first ?? {})).toEqual(['id', 'type', 'links', 'attributes', 'meta'])
    expect(first?.attributes).toEqual({ code: 'SKU-A', name: 'Black shirt' })
  })

  it('keep a named relationship, and what is included needs none of its own', async () => {
    const body = listOf(await get('/api/skus?fields[skus]=code,prices&include=prices&page[size]=1'))
    expect(Object.keys(body.data[0]?.relationships ?? {})).toEqual(['prices'])
    expect(body.included?.[0]?.attributes).toHaveProperty('amount_cents', 5000)
  })

  it('accept id', async () => {
    const [first] = listOf(await get('/api/skus?fields[skus]=id,reference&page[size]=1')).data
    expect(first?.attributes).toEqual({ reference: 'ref-1' })
  })
})

describe('money', () => {
  it('comes as cents, units and text', async () => {
    const body = listOf(
      await get(
        '/api/prices?page[size]=2&fields[prices]=amount_cents,amount_float,formatted_amount,compare_at_amount_cents,formatted_compare_at_amount',
      ),
    )
    expect(body.data.map(({ attributes }) => attributes)).toEqual([
      {
        amount_cents: 5000,
        amount_float: 50,
        formatted_amount: '€50,00',
        compare_at_amount_cents: 6000,
        formatted_compare_at_amount: '€60,00',
      },
      {
        amount_cents: 4000,
        amount_float: 40,
        formatted_amount: '€40,00',
        compare_at_amount_cents: null,
        formatted_compare_at_amount: null,
      },
    ])
  })
})

describe('linkage of a relationship', () => {
  it('brings nothing along: identifiers have no attributes and no relationships of their own', async () => {
    for (const name of ['prices', 'shipping_category']) {
      const response = await get(`/api/skus/${sku}/relationships/${name}?include=prices&fields[skus]=code`)
      expect(response.status).toBe(400)
      expect(
        errorsOf(response)
          .map(({ code, source }) => [code, source?.parameter])
          .slice(0, 2),
      ).toEqual([
        ['PARAM_NOT_ALLOWED', 'include'],
        ['PARAM_NOT_ALLOWED', 'fields[skus]'],
      ])
    }
  })

  it('is filtered, sorted and paged like the resources', async () => {
    const path = `/api/skus/${encodeId('skus', 2)}/relationships/prices`
    const { body } = await get(`${path}?sort=-amount_cents&filter[q][amount_cents_gt]=4200&page[size]=1`)
    expect(body).toMatchObject({
      data: [{ type: 'prices', id: encodeId('prices', 5) }],
      meta: { record_count: 1, page_count: 1 },
    })
  })
})

describe('an include without paths', () => {
  it('is answered with a compound document that includes nothing', async () => {
    for (const path of [
      `/api/skus/${sku}?include=`,
      '/api/skus?include=',
      `/api/skus/${sku}/shipping_category?include=`,
    ]) {
      expect((await get(path)).body).toMatchObject({ included: [] })
    }
    expect((await get(`/api/skus/${sku}`)).body).not.toHaveProperty('included')
  })
})

describe('a page far beyond the last', () => {
  it('is empty, with the true count, and leads back to the last', async () => {
    const { data, meta, links } = listOf(await get('/api/skus?page[number]=999&page[size]=4'))
    expect([data, meta]).toEqual([[], { record_count: 6, page_count: 2 }])
    expect(links).not.toHaveProperty('next')
    expect(links['prev']).toBe(links['last'])
    expect(links['last']).toContain('page%5Bnumber%5D=2')
  })
})

describe('an include of more than five thousand rows', () => {
  beforeAll(async () => {
    await core.pool.query(`INSERT INTO customers (environment_id, email, customer_group_id)
      SELECT 1, 'one-of-' || n || '@example.com', 1 FROM generate_series(1, 5000) AS n`)
  })

  it('is refused, naming the address that has pages', async () => {
    const group = `/api/customer_groups/${encodeId('customer_groups', 1)}`
    const refused = await get(`${group}?include=customers`)
    expect(refused.status).toBe(400)
    expect(errorsOf(refused)).toMatchObject([
      {
        code: 'INVALID_INCLUDE',
        source: { parameter: 'include' },
        detail: '"customers" leads to more than 5000 customers; use its own address, which has pages',
      },
    ])
    expect(listOf(await get(`${group}/customers`)).meta.record_count).toBe(5001)
    await core.pool.query(`DELETE FROM customers WHERE environment_id = 1 AND email = 'one-of-1@example.com'`)
    expect(singleOf(await get(`${group}?include=customers`)).included).toHaveLength(5000)
  })
})

describe('a filter by the name of a relationship alone', () => {
  it('is one by its id', async () => {
    const market = encodeId('markets', 1)
    for (const name of ['market_in', 'market_eq', 'market_id_in'])
      expect(listOf(await get(`/api/orders?filter[q][${name}]=${market}`)).meta.record_count).toBe(4)
  })
})
