/** Frequently bought together, over HTTP on the real engine, against a count over the documents. */
import fc from 'fast-check'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments, MARKETS } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const documents = makeDocuments(51, 400)
const itemIds = [
  ...new Set(documents.flatMap(({ line_items: lines }) => lines.flatMap(({ item_id }) => item_id ?? []))),
]

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

interface Found {
  readonly item_id: string
  readonly value: number
  readonly type: string
  readonly name?: string
}

/** Every order of the caller in the order of creation; each other item of those that hold all given ones. */
const expected = (given: readonly string[], marketIds?: readonly string[]): readonly Found[] => {
  const orders = documents
    .filter(({ organization, mode }) => organization.id === 'orgAAAAAAA' && mode === 'test')
    .filter(({ status }) => ['placed', 'approved', 'cancelled', 'editing'].includes(status))
    .filter(({ market }) => marketIds?.includes(market.id) ?? true)
    .filter(({ line_items: lines }) => given.every((id) => lines.some(({ item_id }) => item_id === id)))
    .sort((a, b) =>
      a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1,
    )
  const found = new Map<string, { value: number; type: string; name: string | null }>()
  for (const { line_items: lines } of orders) {
    const seen = new Set<string>()
    for (const { item_id: id, item_type: type, code } of lines) {
      if (id === null || given.includes(id) || seen.has(id) || !['skus', 'bundles'].includes(type)) continue
      seen.add(id)
      const first = lines.find((line) => line.item_id === id)
      const known = found.get(id) ?? { value: 0, type: first?.item_type ?? type, name: null }
      found.set(id, { ...known, value: known.value + 1, name: known.name ?? first?.name ?? code })
    }
  }
  return [...found]
    .map(([item_id, { name, ...rest }]) => ({ item_id, ...rest, ...(name === null ? {} : { name }) }))
    .sort((a, b) => b.value - a.value || (a.item_id < b.item_id ? -1 : 1))
    .slice(0, 10)
}

const ask = async (body: unknown, token?: string) =>
  app.ask('/metrics/analysis/fbt', body, token === undefined ? {} : { token })

const filterOf = (ids: readonly string[]) => ({ filter: { line_items: { item_ids: { in: ids } } } })

describe('frequently bought together', () => {
  it('counts each other item once in every order that holds all the given ones', async () => {
    const given = fc.uniqueArray(fc.constantFrom(...itemIds), { minLength: 1, maxLength: 3 })
    const property = fc.asyncProperty(given, async (ids) => {
      const { status, body } = await ask(filterOf(ids))
      expect(status).toBe(200)
      expect((body as { data: unknown }).data).toEqual(expected(ids))
    })
    await fc.assert(property, { seed: 5, numRuns: 40 })
  })

  it('has the meta of the interface', async () => {
    const { body } = await ask(filterOf(itemIds.slice(0, 1)))
    expect((body as { meta: object }).meta).toMatchObject({
      type: 'fbt',
      mode: 'test',
      organization_id: 'orgAAAAAAA',
      market_ids: MARKETS.map(({ id }) => id).sort(),
    })
  })

  it('tolerates an empty query object', async () => {
    const { body } = await ask({ ...filterOf(itemIds.slice(0, 1)), fbt: {} })
    expect((body as { data: unknown }).data).toEqual(expected(itemIds.slice(0, 1)))
  })

  it('finds nothing for an item that nobody bought', async () => {
    const { body } = await ask(filterOf(['nobodyXXXX']))
    expect((body as { data: unknown }).data).toEqual([])
  })

  it.each([
    ['no filter', {}, 400, 'filter is not valid', [{ filter: ["can't be blank"] }]],
    [
      'an empty filter',
      { filter: {} },
      400,
      'filter is not valid',
      [{ filter: ["can't be blank if defined"] }],
    ],
    [
      'another first-level key',
      { ...filterOf(['x']), search: {} },
      400,
      'request is not valid',
      [{ search: ['not valid'] }],
    ],
    [
      'a query',
      { ...filterOf(['x']), fbt: { limit: 3 } },
      400,
      'request is not valid',
      [{ fbt: ['not valid, it takes no query'] }],
    ],
    [
      'not_in',
      { filter: { line_items: { item_ids: { not_in: ['x'] } } } },
      422,
      'filter is not valid',
      [{ line_items: [{ item_ids: ['not valid, valid operators are: in'] }] }],
    ],
    [
      'an empty list',
      { filter: { line_items: { item_ids: { in: [] } } } },
      422,
      'filter is not valid',
      [{ line_items: [{ item_ids: ['not valid, in takes an array of 1 to 1000 items'] }] }],
    ],
    [
      'another key and section',
      { filter: { order: { ids: { in: ['x'] } }, line_items: { codes: { in: ['x'] } } } },
      422,
      'filter is not valid',
      [{ order: ['not valid'] }, { line_items: [{ codes: ['not valid'] }] }],
    ],
  ])('refuses %s', async (_name, body, status, title, errors) => {
    const reply = await ask(body)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ error: { title, meta: { errors } } })
  })
})
