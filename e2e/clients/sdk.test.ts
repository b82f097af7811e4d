/** The unmodified npm package @commercelayer/sdk against the running system; only host names are mapped. */
import { CommerceLayerStatic, type ApiError } from '@commercelayer/sdk'
import { CommerceLayer } from '@commercelayer/sdk/bundle'
import { accessToken, connect, customerToken } from '../support/connect.ts'
import { demo, environment, organization, publicMarket } from '../support/demo.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'
import type { TokenBody } from '../support/wire.ts'

/** As an application makes it: the token says organization and domain. */
const client = async (name: 'integration' | 'sales_channel' = 'integration') =>
  CommerceLayer({ accessToken: await accessToken(name), fetch: createMappedFetch().fetch })

/** A SKU that has prices and stock items, found as an application would: through its price. */
const pricedSku = async (cl: Awaited<ReturnType<typeof client>>) => {
  const [price] = await cl.prices.list({ include: ['sku'], pageSize: 1 })
  if (price?.sku?.code === undefined) throw new Error('there are no prices')
  return price.sku
}

const errorOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!CommerceLayerStatic.isApiError(error)) throw new Error(`no ApiError but ${String(error)}`)
  return error
}

describe('the client itself', () => {
  test('finds organization and domain in the token', async () => {
    const { fetch, seen } = createMappedFetch()
    const cl = CommerceLayer({ accessToken: await accessToken('integration'), fetch })
    await cl.skus.list()
    expect(cl.currentOrganization).toBe(organization().slug)
    expect(seen[0]?.url.startsWith(`https://${organization().slug}.${demo().domain}/api/skus`)).toBe(true)
  })
})

describe('lists', () => {
  test('SKUs page by page: every record once', async () => {
    const token = await accessToken('integration')
    const ids: string[] = []
    let pageNumber = 1
    for (let more = true; more; pageNumber += 1) {
      const cl = CommerceLayer({ accessToken: token, fetch: createMappedFetch().fetch })
      const page = await cl.skus.list({ pageNumber, pageSize: 25, fields: { skus: ['code'] } })
      ids.push(...page.map(({ id }) => id))
      more = page.hasNextPage()
      expect(page.meta.recordsPerPage).toBe(25)
      if (!more) expect(page.meta.recordCount).toBe(ids.length)
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('default page', async () => {
    const page = await (await client()).skus.list()
    expect(page).toHaveLength(10)
    expect(page.meta).toMatchObject({ currentPage: 1, recordsPerPage: 10 })
    expect(page.first()?.type).toBe('skus')
  })

  test('filters', async () => {
    const cl = await client()
    const one = await pricedSku(cl)
    const [two] = await cl.skus.list({ filters: { code_not_eq: one.code }, pageSize: 1 })
    if (two === undefined) throw new Error('no other SKU')
    const found = await cl.skus.list({
      filters: { code_in: [one.code, two.code], created_at_lt: new Date().toISOString() },
    })
    expect(Array.from(found, ({ code }) => code).toSorted()).toEqual([one.code, two.code].toSorted())
    expect(await cl.skus.list({ filters: { code_eq: 'no such code' } })).toHaveLength(0)
    const across = await cl.prices.list({
      filters: { sku_code_eq: one.code, amount_cents_gt: 0 },
      include: ['sku'],
    })
    expect(new Set(Array.from(across, (price) => price.sku?.code))).toEqual(new Set([one.code]))
  })

  test('sort by several attributes, both directions', async () => {
    const cl = await client()
    const up = await cl.skus.list({ sort: { code: 'asc' }, pageSize: 25 })
    const down = await cl.skus.list({ sort: ['-code'], pageSize: 25 })
    const codes = (list: typeof up) => Array.from(list, ({ code }) => code)
    expect(codes(up)).toEqual(codes(up).toSorted())
    expect(codes(down)).toEqual(codes(down).toSorted().reverse())
  })

  test('include: to-one and to-many, resolved to objects', async () => {
    const cl = await client()
    const { code } = await pricedSku(cl)
    const page = await cl.skus.list({
      filters: { code_eq: code },
      include: ['shipping_category', 'prices.price_list'],
    })
    const sku = page.first()
    expect(sku?.shipping_category?.name).toEqual(expect.any(String))
    expect(sku?.prices?.[0]?.price_list?.currency_code).toMatch(/^[A-Z]{3}$/)
  })

  test('fields: only those requested', async () => {
    const [sku] = await (await client()).skus.list({ fields: { skus: ['code', 'name'] }, pageSize: 1 })
    expect(Object.keys(sku ?? {}).sort()).toEqual(['code', 'id', 'name', 'type'])
  })

  test('count', async () => {
    const cl = await client()
    expect(await cl.skus.count()).toBe((await cl.skus.list()).meta.recordCount)
    expect(await cl.skus.count({ filters: { code_eq: 'no such code' } })).toBe(0)
  })

  test('related lists', async () => {
    const cl = await client()
    const { id } = await pricedSku(cl)
    const prices = await cl.skus.prices(id)
    expect(prices.length).toBeGreaterThan(0)
    expect(new Set(Array.from(prices, ({ type }) => type))).toEqual(new Set(['prices']))
    const items = await cl.skus.stock_items(id, { pageSize: 2, include: ['stock_location'] })
    expect(items[0]?.stock_location?.name).toEqual(expect.any(String))
    const [order] = await cl.orders.list({ pageSize: 1 })
    expect((await cl.orders.line_items(order?.id ?? '')).length).toBeGreaterThan(0)
    expect((await cl.orders.market(order?.id ?? '')).type).toBe('markets')
  })

  test('all resources the contract names', async () => {
    const cl = await client()
    const lists = await Promise.all([
      cl.skus.list(),
      cl.prices.list(),
      cl.stock_items.list(),
      cl.markets.list(),
      cl.stores.list(),
      cl.stock_locations.list(),
      cl.orders.list(),
      cl.price_lists.list(),
      cl.inventory_models.list(),
      cl.customer_groups.list(),
      cl.payment_methods.list(),
    ])
    for (const list of lists) expect(list.length).toBeGreaterThan(0)
  })
})

describe('single records', () => {
  test('retrieve', async () => {
    const cl = await client()
    const listed = await pricedSku(cl)
    const sku = await cl.skus.retrieve(listed.id, { include: ['prices'] })
    expect(sku.code).toBe(listed.code)
    expect(sku.prices?.length).toBeGreaterThan(0)
    expect(sku.metadata).toEqual(expect.any(Object))
  })

  test('the singletons application and organization', async () => {
    const cl = await client()
    expect(await cl.organization.retrieve()).toMatchObject({
      type: 'organizations',
      slug: organization().slug,
    })
    expect(await cl.application.retrieve()).toMatchObject({
      type: 'applications',
      kind: 'integration',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      metadata: {},
    })
  })

  test('update and read back', async () => {
    const cl = CommerceLayer({
      accessToken: await accessToken('integration', { organization: 1 }),
      fetch: createMappedFetch().fetch,
    })
    const [sku] = await cl.skus.list({ pageSize: 1 })
    const reference = `e2e-${Date.now()}`
    const updated = await cl.skus.update({ id: sku?.id ?? '', reference, metadata: { tested: true } })
    expect(updated).toMatchObject({ reference, metadata: { tested: true } })
    expect(await cl.skus.retrieve(sku?.id ?? '')).toMatchObject({ reference, metadata: { tested: true } })
  })

  test('create and delete', async () => {
    const cl = CommerceLayer({
      accessToken: await accessToken('integration', { organization: 1 }),
      fetch: createMappedFetch().fetch,
    })
    const group = await cl.customer_groups.create({ name: `Group ${Date.now()}` })
    expect(group.id).toEqual(expect.any(String))
    await cl.customer_groups.delete(group.id)
    expect((await errorOf(cl.customer_groups.retrieve(group.id))).status).toBe(404)
  })
})

describe('errors', () => {
  test('404 RECORD_NOT_FOUND', async () => {
    const error = await errorOf((await client()).skus.retrieve('aaaaaaaaaa'))
    expect(error.status).toBe(404)
    expect(error.first()).toMatchObject({
      code: 'RECORD_NOT_FOUND',
      title: 'Record not found',
      status: '404',
    })
  })

  test('401 INVALID_TOKEN', async () => {
    const token = await accessToken('integration')
    const cl = CommerceLayer({
      accessToken: `${token.slice(0, -4)}AAAA`,
      organization: organization().slug,
      domain: demo().domain,
      fetch: createMappedFetch().fetch,
    })
    const error = await errorOf(cl.skus.list())
    expect(error.first()).toMatchObject({ code: 'INVALID_TOKEN', title: 'Invalid token', status: '401' })
  })

  test('401 UNAUTHORIZED for a list a sales channel may not read', async () => {
    const error = await errorOf((await client('sales_channel')).orders.list())
    expect(error.first()).toMatchObject({ code: 'UNAUTHORIZED', title: 'Access denied', status: '401' })
  })

  test('422 VALIDATION_ERROR with pointer and machine key', async () => {
    const cl = await client()
    const call = cl.customer_groups.create({ name: '' })
    const error = await errorOf(call)
    expect(error.status).toBe(422)
    expect(error.first()).toMatchObject({
      code: 'VALIDATION_ERROR',
      title: "can't be blank",
      detail: "name - can't be blank",
      source: { pointer: '/data/attributes/name' },
      meta: { error: 'blank' },
    })
  })

  test('400 for a filter that does not exist', async () => {
    const error = await errorOf((await client()).skus.list({ filters: { nothing_eq: 1 } }))
    expect(error.first()).toMatchObject({ code: 'FILTER_NOT_ALLOWED', status: '400' })
    expect((error.first() as { detail: string }).detail).toContain('nothing')
  })
})

describe('rate limit headers', () => {
  test.each([
    ['skus', '500'],
    ['application', '100'],
  ] as const)('%s: limit, interval and remaining reach the interceptors', async (resource, limit) => {
    const cl = await client()
    const seen: Headers[] = []
    cl.addResponseInterceptor((response) => {
      seen.push(response.headers)
      return response
    })
    await (resource === 'skus' ? cl.skus.list() : cl.application.retrieve())
    await (resource === 'skus' ? cl.skus.list() : cl.application.retrieve())
    const read = (name: string) => seen.map((headers) => Number(headers.get(name)))
    expect(read('x-ratelimit-limit')).toEqual([Number(limit), Number(limit)])
    expect(read('x-ratelimit-interval')).toEqual([60, 60])
    expect(read('x-ratelimit-remaining')).toEqual([Number(limit) - 1, Number(limit) - 2])
  })
})

describe('a storefront', () => {
  test('a customer sees the catalogue of the market and only own orders', async () => {
    const { access_token, owner_id } = (await customerToken()).json<TokenBody>()
    const cl = CommerceLayer({ accessToken: access_token, fetch: createMappedFetch().fetch })
    expect((await cl.skus.list()).length).toBeGreaterThan(0)
    const orders = await cl.customers.orders(owner_id ?? '')
    const token = await accessToken('integration')
    const all = await connect().collection('orders', {
      token,
      query: { 'filter[q][customer_id_eq]': owner_id ?? '' },
    })
    expect(orders.meta.recordCount).toBe(all.meta.record_count)
    expect(environment().markets.map(({ id }) => id)).toContain(publicMarket().id)
  })
})
