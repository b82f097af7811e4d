/** Another organization, the other environment and another market are never seen, counted, filtered or sorted by. */
import { accessToken, connect, everyRecord } from './support/connect.ts'
import { environment, organization, publicMarket, type Mode } from './support/demo.ts'
import { ALL_TIME, everyOrder } from './support/every-order.ts'
import { expectCoreError } from './support/expect-errors.ts'
import { COLLECTION_TYPES } from './support/resource-types.ts'
import { catalogueOf, marketOf } from './support/sellable.ts'
import type { BreakdownAnswer, CollectionDocument, ResourceDocument, StatsAnswer } from './support/wire.ts'

interface Place {
  readonly organization: number
  readonly mode: Mode
}

const HOME: Place = { organization: 0, mode: 'test' }

/** Places whose rows a token of HOME must never meet. */
const OTHER_TENANTS: readonly (readonly [string, Place])[] = [
  ['another organization', { organization: 1, mode: 'test' }],
  ['the other environment', { organization: 0, mode: 'live' }],
  ['another organization in the other environment', { organization: 1, mode: 'live' }],
]

const tokenOf = (place: Place): Promise<string> => accessToken('integration', place)

const page = async (place: Place, path: string, query: Readonly<Record<string, string | number>> = {}) =>
  connect().collection(path, { token: await tokenOf(place), query: { 'page[size]': 25, ...query } })

const idsOf = (document: CollectionDocument): readonly string[] => document.data.map(({ id }) => id)

const someIdOf = async (place: Place, type: string): Promise<string> => {
  const { data } = await page(place, type, { 'page[size]': 1 })
  if (data[0] === undefined) throw new Error(`no ${type} in ${JSON.stringify(place)}`)
  return data[0].id
}

describe('core: one environment', () => {
  test.concurrent.each(COLLECTION_TYPES)(
    '%s: every record belongs to the token’s environment',
    async (type) => {
      for (const sort of ['id', '-id', 'created_at', '-updated_at']) {
        const { data } = await page(HOME, type, { sort })
        for (const record of data) {
          expect(record.meta).toEqual({ mode: 'test', organization_id: organization(0).id })
        }
      }
    },
  )

  test.concurrent.each(COLLECTION_TYPES)('%s: counting does not include foreign rows', async (type) => {
    const [all, none] = [
      await page(HOME, type),
      await page(HOME, type, { 'filter[q][created_at_gt]': '2000-01-01' }),
    ]
    expect(all.meta.record_count).toBe(none.meta.record_count)
    const { data, recordCount } =
      all.meta.record_count <= 500
        ? await everyRecord(type, { token: await tokenOf(HOME) })
        : { data: all.data, recordCount: all.data.length }
    expect(data).toHaveLength(recordCount)
  })
})

describe.each(OTHER_TENANTS)('core: %s', (_name, other) => {
  test.concurrent.each(COLLECTION_TYPES)('%s: a foreign id is not found', async (type) => {
    const foreign = await someIdOf(other, type)
    const reply = await connect().core(`${type}/${foreign}`, { token: await tokenOf(HOME) })
    // An id is opaque and numbered per type, so the same letters may be an own record; then it must be an own one.
    if (reply.status === 200) {
      const { meta } = reply.json<ResourceDocument>().data
      expect(meta).toEqual({ mode: 'test', organization_id: organization(0).id })
    } else expectCoreError(reply, 404, 'RECORD_NOT_FOUND')
  })

  test.concurrent.each(COLLECTION_TYPES)('%s: a filter by foreign ids finds nothing', async (type) => {
    const foreign = idsOf(await page(other, type))
    const { data, meta } = await page(HOME, type, { 'filter[q][id_in]': foreign.join(',') })
    expect({ data, count: meta.record_count }).toEqual({ data: [], count: 0 })
  })

  test.each([
    ['prices', 'sku_id_eq', 'skus'],
    ['prices', 'price_list_id_in', 'price_lists'],
    ['stock_items', 'stock_location_id_eq', 'stock_locations'],
    ['stores', 'market_id_eq', 'markets'],
    ['orders', 'market_id_in', 'markets'],
    ['orders', 'customer_id_eq', 'customers'],
    ['line_items', 'order_id_eq', 'orders'],
  ])(
    '%s: a filter through a relationship (%s) does not reach foreign %s',
    async (type, predicate, target) => {
      const foreign = await someIdOf(other, target)
      const { meta } = await page(HOME, type, { [`filter[q][${predicate}]`]: foreign })
      expect(meta.record_count).toBe(0)
    },
  )

  test.each([
    ['skus', 'prices'],
    ['markets', 'stores'],
    ['orders', 'line_items'],
    ['customers', 'orders'],
    ['orders', 'market'],
    ['skus', 'relationships/prices'],
  ])('%s/<foreign id>/%s is a 404', async (type, related) => {
    const foreign = await someIdOf(other, type)
    const reply = await connect().core(`${type}/${foreign}/${related}`, { token: await tokenOf(HOME) })
    expectCoreError(reply, 404)
  })

  test('included records belong to the token’s environment', async () => {
    const document = await page(HOME, 'orders', {
      include: 'market.price_list,customer,line_items,shipping_address',
    })
    expect((document.included ?? []).length).toBeGreaterThan(0)
    for (const record of document.included ?? []) {
      expect(record.meta).toEqual({ mode: 'test', organization_id: organization(0).id })
    }
  })

  test('a foreign record cannot be changed or deleted, nor linked to', async () => {
    const token = await tokenOf(HOME)
    const foreign = await someIdOf(other, 'skus')
    const before = (await connect().core(`skus/${foreign}`, { token: await tokenOf(other) })).text
    const body = { data: { type: 'skus', id: foreign, attributes: { name: 'Stolen' } } }
    expect((await connect().core(`skus/${foreign}`, { token, method: 'PATCH', body })).status).toBe(404)
    expect((await connect().core(`skus/${foreign}`, { token, method: 'DELETE' })).status).toBe(404)
    expect((await connect().core(`skus/${foreign}`, { token: await tokenOf(other) })).text).toBe(before)
    const category = await someIdOf(other, 'shipping_categories')
    const relationships = { shipping_category: { data: { type: 'shipping_categories', id: category } } }
    const create = {
      data: { type: 'skus', attributes: { code: `X${Date.now()}`, name: 'Linked' }, relationships },
    }
    const reply = await connect().core('skus', { token, method: 'POST', body: create })
    expect([400, 404, 422]).toContain(reply.status)
  })
})

describe('core: another market', () => {
  const scopes = () => environment().markets.filter((market) => !market.private)

  /** Two public markets that sell from different price lists. */
  const otherTenants = async () => {
    const catalogue = await catalogueOf()
    const lists = Map.groupBy(scopes(), ({ id }) => marketOf(catalogue, id).priceListId)
    const [one, two] = [...lists.values()].map(([market]) => market)
    return [one, two] as const
  }

  test.each(['skus', 'prices', 'stock_items'])('%s: two markets count only their own', async (type) => {
    const [one, two] = scopes()
    const counts: number[] = []
    for (const market of [one, two]) {
      const token = await accessToken('integration_custom', { scope: `market:id:${market?.id}` })
      const { meta, data } = await connect().collection(type, { token, query: { 'page[size]': 25 } })
      expect(data.length).toBe(Math.min(25, meta.record_count))
      counts.push(meta.record_count)
    }
    const all = await page(HOME, type)
    for (const count of counts) expect(count).toBeLessThan(all.meta.record_count)
  })

  test('prices of another market are neither listed, found by id, filtered nor included', async () => {
    const [one, two] = await otherTenants()
    const [mine, other] = await Promise.all(
      [one, two].map((market) => accessToken('sales_channel', { scope: `market:id:${market?.id}` })),
    )
    const { priceListOf } = await catalogueOf()
    const theirs = await connect().collection('prices', { token: other ?? '' })
    const own = await connect().collection('prices', { token: mine ?? '' })
    const lists = (document: CollectionDocument) =>
      new Set(idsOf(document).map((id) => priceListOf.get(id) ?? ''))
    expect([...lists(theirs)].filter((id) => lists(own).has(id))).toEqual([])
    const [foreign] = idsOf(theirs)
    expect([401, 404]).toContain((await connect().core(`prices/${foreign}`, { token: mine ?? '' })).status)
    const query = { 'filter[q][id_eq]': foreign ?? '' }
    expect((await connect().collection('prices', { token: mine ?? '', query })).meta.record_count).toBe(0)
    const byList = { 'filter[q][price_list_id_in]': [...lists(theirs)].join(',') }
    expect(
      (await connect().collection('prices', { token: mine ?? '', query: byList })).meta.record_count,
    ).toBe(0)
  })

  test('a filter on SKUs through prices cannot probe prices of another market', async () => {
    const [one, two] = await otherTenants()
    const other = await accessToken('sales_channel', { scope: `market:id:${two?.id}` })
    const mine = await accessToken('sales_channel', { scope: `market:id:${one?.id}` })
    const [foreign] = idsOf(await connect().collection('prices', { token: other }))
    const reply = await connect().core('skus', {
      token: mine,
      query: { 'filter[q][prices_id_eq]': foreign ?? '' },
    })
    if (reply.status === 200) expect(reply.json<CollectionDocument>().meta.record_count).toBe(0)
    else expectCoreError(reply, 400)
  })

  test('a sales channel cannot list orders, nor read an order of another market', async () => {
    const token = await accessToken('sales_channel')
    expectCoreError(await connect().core('orders', { token }), 401, 'UNAUTHORIZED')
    const other = scopes()[1]
    const query = { 'filter[q][market_id_eq]': other?.id ?? '', 'page[size]': 1 }
    const [order] = (await page(HOME, 'orders', query)).data
    const reply = await connect().core(`orders/${order?.id}`, { token })
    expect([401, 404]).toContain(reply.status)
  })
})

describe('metrics', () => {
  const stats = async (filter: object, token: string): Promise<number> => {
    const body = { stats: { field: 'order.id', operator: 'value_count' }, filter }
    const reply = await connect().metrics('orders/stats', body, { token })
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    return Number(reply.json<StatsAnswer>().data.value)
  }

  const order = { ...ALL_TIME, date_field: 'placed_at' }

  test.each(OTHER_TENANTS)(
    'orders of %s are not found by id, market, number or customer',
    async (_name, other) => {
      const [mine, theirs] = [await tokenOf(HOME), await tokenOf(other)]
      const fields = ['order.id', 'market.id', 'customer.email', 'order.number']
      const foreign = await everyOrder(fields, { order }, { token: theirs })
      const own = new Set(
        (await everyOrder(['order.id'], { order }, { token: mine })).map((record) => record['id']),
      )
      expect(foreign.filter((record) => own.has(record['id']))).toEqual([])
      const ids = foreign.slice(0, 100).map((record) => record['id'])
      expect(await stats({ order: { ...order, ids: { in: ids } } }, mine)).toBe(0)
      const markets = environment(other.mode, other.organization).markets.map(({ id }) => id)
      expect(await stats({ order, market: { ids: { in: markets } } }, mine)).toBe(0)
      expect(await stats({ order }, mine)).toBe(own.size)
      expect(await stats({ order }, theirs)).toBe(foreign.length)
    },
    60_000,
  )

  test('a market in scope limits an integration with a custom role to its orders', async () => {
    const { id } = publicMarket()
    const token = await accessToken('integration_custom', { scope: `market:id:${id}` })
    const body = {
      breakdown: { by: 'market.id', field: 'order.id', operator: 'value_count', limit: 100 },
      filter: { order },
    }
    const reply = await connect().metrics('orders/breakdown', body, { token })
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    const { data, meta } = reply.json<BreakdownAnswer>()
    expect(meta.market_ids).toEqual([id])
    expect(data['market.id']?.map(({ label }) => label)).toEqual([id])
    const other = environment().markets.find((market) => market.id !== id)
    expect(await stats({ order, market: { ids: { in: [other?.id] } } }, token)).toBe(0)
    expect(await stats({ order, market: { ids: { not_in: [id] } } }, token)).toBe(0)
  })

  test('a market in scope does not limit an admin integration (rule 9)', async () => {
    const scoped = await accessToken('integration', { scope: `market:id:${publicMarket().id}` })
    expect(await stats({ order }, scoped)).toBe(await stats({ order }, await tokenOf(HOME)))
  })

  test('a cursor of one organization does not open the records of another', async () => {
    const search = { fields: ['order.id'], limit: 5 }
    const theirs = await tokenOf({ organization: 1, mode: 'test' })
    const first = await connect().metrics('orders/search', { search, filter: { order } }, { token: theirs })
    const { cursor } = first.json<{ meta: { pagination: { cursor: string } } }>().meta.pagination
    const body = { search: { ...search, cursor }, filter: { order } }
    const reply = await connect().metrics('orders/search', body, { token: await tokenOf(HOME) })
    if (reply.status !== 200) return
    const ids = reply.json<{ data: readonly { id: string }[] }>().data.map(({ id }) => id)
    const own = new Set((await everyOrder(['order.id'])).map((record) => record['id']))
    expect(ids.filter((id) => !own.has(id))).toEqual([])
  })
})
