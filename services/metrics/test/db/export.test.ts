/** Exports over HTTP on the real engine: the records of the search with the same filter and order, as CSV. */
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { toRowsReturns } from '../../src/ingest/return-rows.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const documents = makeDocuments(41, 300).map((document) => ({
  ...document,
  organization: { id: 'orgAAAAAAA', slug: 'acme', name: 'Acme' },
  mode: 'test' as const,
}))
const range = { date_from: '2020-01-01T00:00:00Z', date_to: '2030-01-01T00:00:00Z', date_field: 'created_at' }
const RECORDS_MAX = 100_000

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  await store.engine.insert('orders', documents.map(toRowOrder))
  await store.engine.insert('returns', documents.flatMap(toRowsReturns))
  app = await openTestApp({ engine: store.engine, env: { RATE_LIMIT_SCALE: '1000' } })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

const linesOf = (text: string): readonly string[] => text.split('\r\n').slice(0, -1)

const exported = async (resource: string, search: object, filter: object) => {
  const { status, text, headers } = await app.ask(`/metrics/${resource}/export`, { search, filter })
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  return linesOf(text)
}

const searched = async (resource: string, search: object, filter: object): Promise<readonly string[]> => {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await app.ask(`/metrics/${resource}/search`, {
      search: { ...search, limit: 100, cursor },
      filter,
    })
    const page = body as {
      data: readonly { id: string }[]
      meta: { pagination: { cursor: string | null } }
    }
    ids.push(...page.data.map(({ id }) => id))
    ;({ cursor } = page.meta.pagination)
  } while (cursor !== null)
  return ids
}

describe('an export', () => {
  it.each([
    ['orders', 'order', { sort_by: 'order.placed_at', sort: 'asc' }],
    ['orders', 'order', {}],
    ['carts', 'order', { sort_by: 'cart.updated_at' }],
    ['returns', 'return', { sort_by: 'return.restocked_at' }],
  ])('of %s has the records of a search, in its order', async (resource, record, order) => {
    const query = { fields: [`${record}.id`], ...order }
    const [header, ...ids] = await exported(resource, query, { [record]: range })
    expect(header).toBe(`${record}.id`)
    expect(ids.length).toBeGreaterThan(20)
    expect(ids).toEqual(await searched(resource, query, { [record]: range }))
  })

  it('shows what the documents say', async () => {
    const fields = ['order.id', 'order.number', 'customer.email', 'order.created_at', 'tags.name']
    const lines = await exported('orders', { fields }, { order: range })
    for (const line of lines.slice(1)) {
      const [id = ''] = line.split(',')
      const document = documents.find((one) => one.id === id)
      const tags = document?.tags.map(({ name }) => name).join(',') ?? ''
      const cells = [id, document?.number, document?.customer?.email ?? '', document?.created_at]
      expect(line).toBe([...cells, tags.includes(',') ? `"${tags}"` : tags].join(','))
    }
  })

  it('expands a wildcard to what can be exported, once', async () => {
    const [header] = await exported('orders', { fields: ['market.*', 'market.id'] }, { order: range })
    expect(header).toBe('market.id,market.name,market.number')
  })

  it('is its header alone when nothing matches', async () => {
    const none = { order: { ...range, ids: { in: ['nothingXXX'] } } }
    expect(await exported('orders', { fields: ['order.id'] }, none)).toEqual(['order.id'])
  })

  it.each([
    ['a limit', { fields: ['order.id'], limit: 5 }, { limit: ['not valid'] }],
    ['a cursor', { fields: ['order.id'], cursor: null }, { cursor: ['not valid'] }],
    [
      'a list of the record',
      { fields: ['line_items.code', 'line_items.*'] },
      { fields: [expect.stringMatching(/^not valid: "line_items.code", "line_items.\*"; valid are/)] },
    ],
    ['no fields', { sort: 'asc' }, { fields: ["can't be blank"] }],
    [
      'an unknown order',
      { fields: ['order.id'], sort_by: 'order.total_amount' },
      { sort_by: [expect.stringContaining('valid values are: order.approved_at')] },
    ],
  ])('refuses %s', async (_name, search, violation) => {
    const { status, body } = await app.ask('/metrics/orders/export', { search })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: { title: 'query is not valid', meta: { errors: [{ search: [violation] }] } },
    })
  })

  it('takes its query under the key search alone', async () => {
    const { status, body } = await app.ask('/metrics/orders/export', { export: { fields: ['order.id'] } })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { meta: { errors: [{ export: ['not valid'] }] } } })
  })

  describe('of very many records', () => {
    const fill = async (from: number, count: number): Promise<void> => {
      const text = `INSERT INTO returns (organization_id, mode, order_id, id, version, market_id, created_at, current_date)
        SELECT 'orgAAAAAAA', 'test', concat('order', toString(number)), concat('return', toString(number)), 1, 'marketEURO',
          toDateTime64('2031-01-01 00:00:00.000', 3, 'UTC') + number AS at, at
        FROM numbers(${from}, ${count})`
      await store.engine.execute({ text, params: {} })
    }
    const late = {
      return: {
        date_from: '2031-01-01T00:00:00Z',
        date_to: '2039-01-01T00:00:00Z',
        date_field: 'created_at',
      },
    }
    const search = { fields: ['return.id', 'return.order_id'], sort: 'asc' }

    it('writes 100,000 and refuses one more', async () => {
      await fill(0, RECORDS_MAX)
      const lines = await exported('returns', search, late)
      expect(lines).toHaveLength(RECORDS_MAX + 1)
      expect(lines[1]).toBe('return0,order0')
      expect(lines.at(-1)).toBe(`return${RECORDS_MAX - 1},order${RECORDS_MAX - 1}`)
      await fill(RECORDS_MAX, 1)
      const { status, body } = await app.ask('/metrics/returns/export', { search, filter: late })
      expect(status).toBe(422)
      expect(body).toMatchObject({
        error: {
          title: 'query is not valid',
          meta: { errors: [{ search: [expect.stringContaining('more than 100000 records')] }] },
        },
      })
    })
  })
})
