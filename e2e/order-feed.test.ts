/**
 * What changes in core comes into the metrics answers by itself, complete and once: here only that it comes, however
 * busy the machine is, and not how soon.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect } from './support/connect.ts'
import type { Mode } from './support/demo.ts'
import { ALL_TIME } from './support/every-order.ts'
import { linkedIds } from './support/sellable.ts'
import type { ResourceDocument, ResourceObject, SearchAnswer, StatsAnswer } from './support/wire.ts'

/** So much longer than it takes that whoever waits this long waits for ever. */
const PATIENCE_MS = 100_000

const someOrders = async (count: number, mode: Mode = 'test'): Promise<readonly ResourceObject[]> => {
  const token = await accessToken('integration', { mode })
  const query = { 'page[size]': count, 'filter[q][status_eq]': 'approved', sort: '-id' }
  const { data } = await connect().collection('orders', { token, query })
  expect(data).toHaveLength(count)
  return data
}

const change = async (id: string, attributes: object, mode: Mode = 'test'): Promise<ResourceObject> => {
  const token = await accessToken('integration', { mode })
  const body = { data: { type: 'orders', id, attributes, relationships: {} } }
  const reply = await connect().core(`orders/${id}`, { token, method: 'PATCH', body })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<ResourceDocument>().data
}

const count = async (filter: object, mode: Mode = 'test', sections: object = {}): Promise<number> => {
  const token = await accessToken('integration', { mode })
  const order = { ...ALL_TIME, date_field: 'created_at', ...filter }
  const body = { stats: { field: 'order.id', operator: 'value_count' }, filter: { order, ...sections } }
  const reply = await connect().metrics('orders/stats', body, { token })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return Number(reply.json<StatsAnswer>().data.value)
}

/** The records of a search for one reference, in any order. */
const found = async (reference: string): Promise<SearchAnswer['data']> => {
  const token = await accessToken('integration')
  const search = { fields: ['order.id', 'order.reference', 'order.language_code'], limit: 10 }
  const order = { ...ALL_TIME, date_field: 'created_at', references: { in: [reference] } }
  const reply = await connect().metrics('orders/search', { search, filter: { order } }, { token })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<SearchAnswer>().data
}

/** Asks until a search answers with an order by its new reference; throws when it never does. */
const untilFound = async (reference: string): Promise<SearchAnswer['data']> => {
  const since = performance.now()
  for (;;) {
    const data = await found(reference)
    if (data.length > 0) return data
    if (performance.now() - since > PATIENCE_MS) throw new Error(`not found after ${PATIENCE_MS} ms`)
    await wait(10)
  }
}

/** Asks until the metrics interface counts `expected` orders; throws when it never does. */
const untilCounted = async (filter: object, expected: number, sections: object = {}): Promise<void> => {
  const since = performance.now()
  for (;;) {
    const counted = await count(filter, 'test', sections)
    if (counted === expected) return
    if (performance.now() - since > PATIENCE_MS)
      throw new Error(`${counted} orders after ${PATIENCE_MS} ms, not ${expected}`)
    await wait(20)
  }
}

const unique = (name: string): string => `${name}-${Date.now()}-${Math.random().toString(36).slice(2)}`

describe('the order itself', () => {
  test('a changed order is visible in metrics, ten times in a row', async () => {
    const [order] = await someOrders(1)
    for (let turn = 0; turn < 10; turn += 1) {
      const reference = unique('feed')
      await change(order?.id ?? '', { reference })
      await untilCounted({ references: { in: [reference] } }, 1)
    }
  })

  test('a search answers with the changed order, twenty orders in a row', async () => {
    for (const { id, attributes } of await someOrders(20)) {
      const reference = unique('search')
      const language = attributes['language_code'] === 'it' ? 'de' : 'it'
      await change(id, { reference, language_code: language })
      expect(await untilFound(reference)).toEqual([{ id, reference, language_code: language }])
    }
  })

  test('twenty orders changed at once are all visible', async () => {
    const reference = unique('many')
    const orders = await someOrders(20)
    await Promise.all(orders.map(({ id }) => change(id, { reference })))
    await untilCounted({ references: { in: [reference] } }, 20)
  })

  test('the last of many quick changes wins, and no order is doubled', async () => {
    const [order] = await someOrders(1)
    const before = await count({})
    const references = Array.from({ length: 15 }, () => unique('quick'))
    for (const reference of references) await change(order?.id ?? '', { reference })
    await untilCounted({ references: { in: [references.at(-1)] } }, 1)
    expect(await count({ references: { in: references.slice(0, -1) } })).toBe(0)
    expect(await count({})).toBe(before)
  })

  test('archiving and unarchiving moves an order between the two answers', async () => {
    const [order] = await someOrders(1)
    const ids = { in: [order?.id] }
    const archived = await change(order?.id ?? '', { _archive: true })
    expect(archived.attributes['archived_at']).toEqual(expect.stringMatching(/Z$/))
    await untilCounted({ ids, archived: true }, 1)
    await change(order?.id ?? '', { _unarchive: true })
    await untilCounted({ ids, archived: false }, 1)
  })

  test('updated_at in metrics is the one core answered with', async () => {
    const [order] = await someOrders(1)
    const reference = unique('stamp')
    const changed = await change(order?.id ?? '', { reference })
    await untilCounted({ references: { in: [reference] } }, 1)
    const token = await accessToken('integration')
    const search = { fields: ['order.updated_at'], limit: 1 }
    const filter = { order: { ...ALL_TIME, date_field: 'created_at', ids: { in: [order?.id] } } }
    const { data } = (
      await connect().metrics('orders/search', { search, filter }, { token })
    ).json<SearchAnswer>()
    expect(data).toEqual([{ id: order?.id, updated_at: changed.attributes['updated_at'] }])
  })

  test('a change in test is not seen in live', async () => {
    const [order] = await someOrders(1)
    const reference = unique('apart')
    await change(order?.id ?? '', { reference })
    await untilCounted({ references: { in: [reference] } }, 1)
    expect(await count({ references: { in: [reference] } }, 'live')).toBe(0)
  })
})

/** What an order's document takes from related records; a change there is a change of the order. */
describe('what belongs to an order', () => {
  const withAddress = async (): Promise<{ readonly order: string; readonly address: string }> => {
    const token = await accessToken('integration')
    const query = {
      'page[size]': 1,
      'filter[q][status_eq]': 'approved',
      sort: '-id',
      include: 'shipping_address',
    }
    const [order] = (await connect().collection('orders', { token, query })).data
    if (order === undefined) throw new Error('no approved order')
    return { order: order.id, address: linkedIds(order, 'shipping_address')[0] ?? '' }
  }

  const patch = async (type: string, id: string, attributes: object): Promise<void> => {
    const token = await accessToken('integration')
    const body = { data: { type, id, attributes } }
    const reply = await connect().core(`${type}/${id}`, { token, method: 'PATCH', body })
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  }

  test('a changed shipping address is visible, ten times in a row', async () => {
    const { order, address } = await withAddress()
    for (let turn = 0; turn < 10; turn += 1) {
      const city = unique('City')
      await patch('addresses', address, { city })
      const sections = { shipping_address: { cities: { in: [city] } } }
      await untilCounted({ ids: { in: [order] } }, 1, sections)
    }
  })

  test('a renamed market is the new label of its orders', async () => {
    const token = await accessToken('integration')
    const [market] = (await connect().collection('markets', { token })).data
    const { id = '', attributes } = market ?? {}
    const orders = await count({}, 'test', { market: { ids: { in: [id] } } })
    expect(orders).toBeGreaterThan(0)
    const name = unique('Market')
    await patch('markets', id, { name })
    try {
      await untilCounted({}, orders, { market: { names: { in: [name] } } })
    } finally {
      await patch('markets', id, { name: attributes?.['name'] })
    }
  })
})
