/** Carts, returns, exports and what is bought together, over the demo data: each against the orders that it belongs to. */
import { accessToken, connect } from './support/connect.ts'
import { environment } from './support/demo.ts'
import { ALL_TIME, everyOrder } from './support/every-order.ts'
import type { FbtAnswer, SearchAnswer, StatsAnswer } from './support/wire.ts'

const ask = async <T>(path: string, body: object): Promise<T> => {
  const token = await accessToken('integration')
  const reply = await connect().metrics(path, body, { token })
  expect({ status: reply.status, text: reply.text.slice(0, 2_000) }).toMatchObject({ status: 200 })
  return reply.json<T>()
}

const createdAtAnyTime = { ...ALL_TIME, date_field: 'created_at' }

const countOf = async (resource: string, record: string, filter: object = {}): Promise<number> => {
  const stats = { field: `${record}.id`, operator: 'value_count' }
  const body = { stats, filter: { [record]: { ...createdAtAnyTime, ...filter } } }
  return Number((await ask<StatsAnswer>(`${resource}/stats`, body)).data.value)
}

/** Orders as core counts them. */
const coreCount = async (statuses: readonly string[]): Promise<number> => {
  const token = await accessToken('integration')
  const query = { 'page[size]': 1, 'filter[q][status_in]': statuses.join(',') }
  return (await connect().collection('orders', { token, query })).meta.record_count
}

test('carts are the orders that are drafts or pending, and no others', async () => {
  const carts = await countOf('carts', 'order')
  expect(carts).toBeGreaterThan(0)
  expect(carts).toBe(await coreCount(['draft', 'pending']))
  expect(await countOf('orders', 'order')).toBe(
    await coreCount(['placed', 'approved', 'cancelled', 'editing']),
  )
  expect(await countOf('carts', 'order', { statuses: { in: ['placed'] } })).toBe(0)
})

test('every return belongs to an order that says that it was returned, in the same market', async () => {
  const fields = [
    'return.*',
    'market.*',
    'customer.*',
    'stock_location.*',
    'return_line_items.*',
    'origin_address.*',
  ]
  const { data, meta } = await ask<SearchAnswer>('returns/search', {
    search: { fields, limit: 100 },
    filter: { return: createdAtAnyTime },
  })
  expect(data.length).toBeGreaterThan(0)
  const returned = { order: { ...ALL_TIME, date_field: 'placed_at', returned: true } }
  const orders = new Map(
    (await everyOrder(['order.id', 'market.id', 'line_items.id'], returned)).map((order) => [
      order['id'],
      order,
    ]),
  )
  expect(orders.size).toBe(meta.pagination.record_count)
  for (const one of data) {
    const order = orders.get(one['order_id'])
    expect(order).toBeDefined()
    expect(one['market']).toMatchObject({ id: (order?.['market'] as { id: string }).id })
    const lines = (order?.['line_items'] as readonly { id: string }[]).map(({ id }) => id)
    const sent = one['return_line_items'] as readonly { line_item_id: string; line_item_code: string }[]
    expect(sent.length).toBeGreaterThan(0)
    for (const line of sent) {
      expect(lines).toContain(line.line_item_id)
      expect(line.line_item_code).toMatch(/\S/)
    }
  }
})

test('an export has the records of the search, in its order', async () => {
  const token = await accessToken('integration')
  const search = { fields: ['order.id', 'order.placed_at'], sort: 'asc', sort_by: 'order.placed_at' }
  const filter = { order: { ...ALL_TIME, date_field: 'placed_at' } }
  const reply = await connect().metrics('orders/export', { search, filter }, { token })
  expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({
    status: 200,
    type: 'text/csv; charset=utf-8',
  })
  const [header, ...lines] = reply.text.split('\r\n').slice(0, -1)
  expect(header).toBe('order.id,order.placed_at')
  const orders = await everyOrder(['order.id', 'order.placed_at'])
  expect(lines).toEqual(orders.map((order) => `${String(order['id'])},${String(order['placed_at'])}`))
})

test('what is bought together is in the orders that hold the item', async () => {
  const orders = await everyOrder(['line_items.item_id', 'line_items.item_type'])
  const baskets = orders.map((order) =>
    ((order['line_items'] ?? []) as readonly { item_id?: string; item_type: string }[])
      .filter(({ item_type: type }) => type === 'skus' || type === 'bundles')
      .flatMap(({ item_id: id }) => id ?? []),
  )
  const often = baskets.find((basket) => new Set(basket).size > 1)?.[0] ?? ''
  const { data } = await ask<FbtAnswer>('analysis/fbt', {
    filter: { line_items: { item_ids: { in: [often] } } },
  })
  expect(data.length).toBeGreaterThan(0)
  for (const { item_id: id, value, type, name } of data) {
    expect(value).toBe(baskets.filter((basket) => basket.includes(often) && basket.includes(id)).length)
    expect(['skus', 'bundles']).toContain(type)
    expect(name).toMatch(/\S/)
  }
  expect(data.map(({ value }) => value)).toEqual(data.map(({ value }) => value).toSorted((a, b) => b - a))
})

describe('records of another environment', () => {
  const listed = async (resource: string, record: string, token: string): Promise<readonly unknown[]> => {
    const search = { fields: [`${record}.id`], limit: 100 }
    const reply = await connect().metrics(
      `${resource}/search`,
      { search, filter: { [record]: createdAtAnyTime } },
      { token },
    )
    expect({ status: reply.status, text: reply.text.slice(0, 500) }).toMatchObject({ status: 200 })
    return reply.json<SearchAnswer>().data.map(({ id }) => id)
  }

  test.each([
    ['carts', 'order'],
    ['returns', 'return'],
  ])('are in no search and no export of %s', async (resource, record) => {
    const [mine, theirs] = [
      await accessToken('integration'),
      await accessToken('integration', { mode: 'live' }),
    ]
    const foreign = await listed(resource, record, theirs)
    expect(foreign.length).toBeGreaterThan(0)
    const own = await listed(resource, record, mine)
    expect(foreign.filter((id) => own.includes(id))).toEqual([])
    const filter = { [record]: { ...createdAtAnyTime, ids: { in: foreign } } }
    const search = { fields: [`${record}.id`, 'market.id'] }
    const found = await connect().metrics(`${resource}/search`, { search, filter }, { token: mine })
    expect(found.json<SearchAnswer>().data).toEqual([])
    const exported = await connect().metrics(`${resource}/export`, { search, filter }, { token: mine })
    expect(exported.text).toBe(`${record}.id,market.id\r\n`)
  })

  test('a market in scope limits carts and returns to it', async () => {
    const [market] = environment().markets
    const token = await accessToken('integration_custom', { scope: `market:id:${market?.id ?? ''}` })
    const breakdown = { by: 'market.id', field: 'order.id', operator: 'value_count', limit: 100 }
    const body = { breakdown, filter: { order: createdAtAnyTime } }
    const reply = await connect().metrics('carts/breakdown', body, { token })
    expect({ status: reply.status, text: reply.text.slice(0, 500) }).toMatchObject({ status: 200 })
    const { data } = reply.json<{ data: Record<string, readonly { label: string }[]> }>()
    expect(data['market.id']?.map(({ label }) => label)).toEqual([market?.id])
  })
})
