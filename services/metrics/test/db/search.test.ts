/** Whole records of a search, and pages that hold while data changes. */
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const documents = makeDocuments(21, 200).map((document) => ({
  ...document,
  organization: { id: 'orgAAAAAAA', slug: 'acme', name: 'Acme' },
  mode: 'test' as const,
  status: 'placed',
  placed_at: document.placed_at ?? document.created_at,
}))
const order = { date_from: '2020-01-01T00:00:00Z', date_to: '2030-01-01T00:00:00Z', date_field: 'created_at' }

interface Page {
  readonly data: readonly (Record<string, unknown> & { id: string })[]
  readonly meta: { readonly pagination: { readonly record_count: number; readonly cursor: string | null } }
}

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  await store.engine.insert('orders', documents.map(toRowOrder))
  app = await openTestApp({ engine: store.engine, env: { RATE_LIMIT_SCALE: '1000' } })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

const search = async (query: object, filter: object = { order }): Promise<Page> => {
  const { status, body } = await app.ask('/metrics/orders/search', { search: query, filter })
  expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined })
  return body as Page
}

describe('search', () => {
  it('gives every attribute of a record that has a value, from all wildcards', async () => {
    const fields = [
      'order.*',
      'market.*',
      'customer.*',
      'line_items.*',
      'line_items.options.*',
      'shipments.*',
      'shipments.stock_location.*',
      'shipments.tags.*',
      'refunds.*',
      'tags.*',
      'resource_errors.*',
      'organization.*',
    ]
    const { data } = await search({ fields, limit: 100 })
    for (const record of data) {
      const document = documents.find(({ id }) => id === record.id)
      expect(record).toMatchObject({
        number: document?.number,
        created_at: document?.created_at,
        market: { id: document?.market.id, number: String(document?.market.number) },
        organization: { slug: 'acme' },
        total_amount: (document?.amounts.total ?? 0) / 10 ** (document?.minor_unit_digits ?? 2),
      })
      expect((record.line_items as unknown[] | undefined)?.length ?? 0).toBe(document?.line_items.length)
      expect(JSON.stringify(record)).not.toContain('null')
    }
  })

  it('leaves the arrays of a record whole when a filter picks one of their elements', async () => {
    const { data } = await search(
      { fields: ['line_items.id'], limit: 100 },
      { order, line_items: { codes: { in: ['HAT01'] } } },
    )
    expect(data.length).toBeGreaterThan(0)
    for (const record of data) {
      const document = documents.find(({ id }) => id === record.id)
      expect(record.line_items).toEqual(document?.line_items.map(({ id }) => ({ id })))
    }
  })

  // An element is below when the least one is: found by the stored bounds of the list (docs/adr/0049-minimum-and-maximum-of-lists.md).
  it.each([
    ['discount', 'lt', -5],
    ['discount', 'lte', 0],
    ['discount', 'gte', 0],
    ['discount', 'lt', 5],
    ['quantity', 'gt', 2],
    ['quantity', 'gte', 0],
    ['total_amount', 'lt', 40.5],
    ['unit_amount', 'gt', 60],
  ] as const)(
    'counts orders that have a line item with %s %s %d, and none without line items',
    async (key, op, value) => {
      const [some = documents[0]] = documents
      if (some === undefined) throw new Error('there are no documents')
      const empty = { ...some, id: 'emptyAAAAA', line_items: [] }
      await store.engine.insert('orders', [toRowOrder(empty)])
      const valueOf = (item: (typeof some.line_items)[number], digits: number): number =>
        key === 'quantity' ? item.quantity : item[`${key}_cents`] / 10 ** digits
      const passes = (found: number): boolean =>
        ({ lt: found < value, lte: found <= value, gt: found > value, gte: found >= value })[op]
      const expected = documents.filter(({ line_items: items, minor_unit_digits: digits }) =>
        items.some((item) => passes(valueOf(item, digits))),
      )
      const filter = { order, line_items: { [key]: { [op]: value } } }
      const { meta, data } = await search({ fields: ['order.id'], limit: 100 }, filter)
      await store.engine.insert('orders', [
        { ...toRowOrder(empty), version: empty.version + 1, is_deleted: 1 },
      ])
      expect(meta.pagination.record_count).toBe(expected.length)
      expect(expected.map(({ id }) => id)).toEqual(expect.arrayContaining(data.map(({ id }) => id)))
      expect(data).toHaveLength(Math.min(expected.length, 100))
    },
  )

  it('ends with a null cursor on an exactly full last page', async () => {
    const first = await search({ fields: ['order.id'], limit: 100 })
    expect(first.meta.pagination).toEqual({ record_count: 200, cursor: expect.any(String) as unknown })
    const second = await search({ fields: ['order.id'], limit: 100, cursor: first.meta.pagination.cursor })
    expect(second.meta.pagination).toEqual({ record_count: 200, cursor: null })
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(200)
  })

  it('takes a cursor with another limit and other fields, but not with another filter or order', async () => {
    const { meta } = await search({ fields: ['order.id'], limit: 10 })
    const { cursor } = meta.pagination
    await search({ fields: ['order.number'], limit: 20, cursor })
    for (const [query, filter] of [
      [{ fields: ['order.id'], sort: 'asc', cursor }, { order }],
      [{ fields: ['order.id'], sort_by: 'order.placed_at', cursor }, { order }],
      [{ fields: ['order.id'], cursor }, { order: { ...order, archived: false } }],
    ]) {
      const { status, body } = await app.ask('/metrics/orders/search', { search: query, filter })
      expect(status).toBe(422)
      expect(body).toMatchObject({
        error: { meta: { errors: [{ search: [{ cursor: [expect.any(String)] }] }] } },
      })
    }
  })

  it('refuses the cursor of another environment', async () => {
    const { meta } = await search({ fields: ['order.id'], limit: 10 })
    const token = await app.mint({ test: false })
    const query = { fields: ['order.id'], limit: 10, cursor: meta.pagination.cursor }
    expect(
      (await app.ask('/metrics/orders/search', { search: query, filter: { order } }, { token })).status,
    ).toBe(422)
  })

  it('skips and repeats nothing when newer orders arrive between pages', async () => {
    const query = { fields: ['order.id'], limit: 50, sort_by: 'order.placed_at', sort: 'desc' }
    const first = await search(query)
    const [template] = documents
    if (template === undefined) throw new Error('no documents')
    const late = {
      ...template,
      id: 'lateOrderX',
      placed_at: '2029-01-01T00:00:00.000Z',
      created_at: '2029-01-01T00:00:00.000Z',
    }
    await store.engine.insert('orders', [toRowOrder(late)])
    const ids = first.data.map(({ id }) => id)
    let { cursor } = first.meta.pagination
    while (cursor !== null) {
      const page = await search({ ...query, cursor })
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.meta.pagination.cursor
    }
    expect(new Set(ids).size).toBe(200)
    expect(ids).toHaveLength(200)
  })

  it('keeps a defaulted date range from moving between pages', async () => {
    const recent = documents.slice(0, 3).map((document, index) => ({
      ...document,
      id: `recentOrd${'abc'[index] ?? ''}`,
      placed_at: '2021-12-16T05:00:00.000Z',
    }))
    await store.engine.insert('orders', recent.map(toRowOrder))
    const ask = async (cursor: string | null) =>
      (await app.ask('/metrics/orders/search', { search: { fields: ['order.id'], limit: 1, cursor } }))
        .body as Page
    const first = await ask(null)
    expect(first.meta.pagination.record_count).toBeGreaterThanOrEqual(3)
    app.clock.advance(13 * 3600) // past midnight: a new default range would begin a day later
    const second = await ask(first.meta.pagination.cursor)
    expect(second.meta.pagination.record_count).toBe(first.meta.pagination.record_count)
  })
})
