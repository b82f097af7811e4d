/** Pages of a search among rows that are not merged yet: old versions, late ones, deletions, and many at the same instant. */
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { createRandom } from '../support/random.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const ORDERS = 150
const VERSIONS = 5
const random = createRandom(11)

/** `YYYY-MM-DD`, of few days, so that many orders share one. */
const anyDay = (): string => `2024-0${random.int(1, 3)}-${String(random.int(1, 9)).padStart(2, '0')}`

interface Version {
  readonly id: string
  readonly version: number
  readonly date: string
  readonly isDeleted: boolean
  readonly row: Readonly<Record<string, unknown>>
}

const versions: readonly Version[] = makeDocuments(21, ORDERS).flatMap((document) => {
  const row = toRowOrder({
    ...document,
    organization: { id: 'orgAAAAAAA', slug: 'acme', name: 'Acme' },
    mode: 'test',
    status: 'placed',
  })
  return Array.from({ length: random.int(1, VERSIONS) }, (_, index) => {
    const date = anyDay()
    const isDeleted = random.chance(0.1)
    const changes = {
      version: index + 1,
      current_date: `${date} 00:00:00.000`,
      is_deleted: isDeleted ? 1 : 0,
    }
    return { id: document.id, version: index + 1, date, isDeleted, row: { ...row, ...changes } }
  })
})

/** Each to one of several inserts, so that the newest version of an order may come before the others. */
const inserts = Array.from({ length: 8 }, () => [] as Readonly<Record<string, unknown>>[])
for (const { row } of versions) random.pick(inserts).push(row)

const expected = [...Map.groupBy(versions, ({ id }) => id).values()].flatMap((all) => {
  const newest = all.toSorted((a, b) => b.version - a.version)[0]
  return newest === undefined || newest.isDeleted ? [] : [newest]
})

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly pagination: { readonly record_count: number; readonly cursor: string | null } }
}

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  await store.engine.execute({ text: 'SYSTEM STOP MERGES orders', params: {} })
  for (const rows of inserts) await store.engine.insert('orders', rows)
  app = await openTestApp({ engine: store.engine, env: { RATE_LIMIT_SCALE: '1000' } })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

it('there are several versions of most orders in the store', async () => {
  const text = 'SELECT count() AS total, uniqExact(id) AS orders, uniqExact(_part) AS parts FROM orders'
  const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10 }
  const [row] = await store.engine.run({ text, params: {} }, budget)
  expect(Number(row?.orders)).toBe(ORDERS)
  expect(Number(row?.total)).toBeGreaterThan(ORDERS * 2)
  expect(Number(row?.parts)).toBeGreaterThanOrEqual(inserts.length)
})

const byPosition = (sign: number) => (a: Version, b: Version) => {
  const [one, other] = [`${a.date} ${a.id}`, `${b.date} ${b.id}`]
  return one === other ? 0 : sign * (one < other ? -1 : 1)
}

/** The narrow range holds a few of all days, so versions outside of it come and go. */
const RANGES = {
  whole: ['2024-01-01', '2024-03-31'],
  wide: ['2020-01-01', '2030-01-01'],
  narrow: ['2024-02-02', '2024-02-05'],
} as const

describe.each(['asc', 'desc'] as const)('all pages, %s', (sort) => {
  it.each(
    ([4, 25] as const).flatMap((limit) =>
      (Object.keys(RANGES) as (keyof typeof RANGES)[]).map((range) => ({ limit, range })),
    ),
  )('of $limit records, $range', async ({ limit, range }) => {
    const [from, to] = RANGES[range]
    const order = {
      date_from: `${from}T00:00:00Z`,
      date_to: `${to}T00:00:00Z`,
      date_field: 'current_date',
    }
    const wanted = expected
      .filter(({ date }) => date >= from && date <= to)
      .toSorted(byPosition(sort === 'asc' ? 1 : -1))
    const found: string[] = []
    let cursor: string | null = null
    do {
      const search = { fields: ['order.id'], limit, sort, sort_by: 'order.current_date', cursor }
      const { status, body } = await app.ask('/metrics/orders/search', {
        search,
        filter: { order },
      })
      expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined })
      const page = body as Page
      expect(page.meta.pagination.record_count).toBe(wanted.length)
      found.push(...page.data.map(({ id }) => id))
      cursor = page.meta.pagination.cursor
    } while (cursor !== null)
    expect(found).toEqual(wanted.map(({ id }) => id))
  })
})

it('returns the records that the filter names on one page', async () => {
  const order = { date_from: '2020-01-01T00:00:00Z', date_to: '2030-01-01T00:00:00Z' }
  const gone = versions.map(({ id }) => id).filter((id) => !expected.some((known) => known.id === id))
  const named = [...expected.slice(0, 20).map(({ id }) => id), ...new Set(gone)]
  const { status, body } = await app.ask('/metrics/orders/search', {
    search: { fields: ['order.id'], limit: 100, sort: 'asc', sort_by: 'order.current_date' },
    filter: { order: { ...order, ids: { in: named } } },
  })
  expect(status).toBe(200)
  const { data, meta } = body as Page
  const wanted = expected.slice(0, 20).toSorted(byPosition(1))
  expect(data.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
  expect(meta.pagination).toEqual({ record_count: 20, cursor: null })
})
