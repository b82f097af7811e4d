/** A page and its count from one statement, over so many granules that the engine may pass over some of them. */
import type { Engine } from '../../src/engine/engine.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10 }
const ORDERS = 60_000
/** One in seven has a second version, which is not merged with the first. */
const CHANGED = 7

/** Order n was changed n minutes after the year began, or two years later if that was its second version. */
const insert = (version: number, every: number): string => `INSERT INTO orders
(version, id, organization_id, mode, status, created_at, current_date, total_amount_with_taxes)
SELECT ${version}, 'order' || leftPad(toString(number), 6, '0'), 'orgAAAAAAA', 'test', if(number % 5 = 0, 'draft', 'placed'),
toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + number,
toDateTime64('${version === 1 ? '2024' : '2026'}-01-01 00:00:00', 3, 'UTC') + number * 60, number % 10000
FROM numbers(${ORDERS}) WHERE number % ${every} = 0`

let store: TestStore
let app: TestApp
let counted = 0

beforeAll(async () => {
  store = await openStore()
  await store.engine.execute({ text: 'SYSTEM STOP MERGES orders', params: {} })
  await store.engine.execute({ text: insert(1, 1), params: {} })
  await store.engine.execute({ text: insert(2, CHANGED), params: {} })
  const runCounted: Engine['runCounted'] = (statement, ...rest) => {
    counted += 1
    return store.engine.runCounted(statement, ...rest)
  }
  app = await openTestApp({
    engine: { ...store.engine, runCounted },
    env: { RATE_LIMIT_SCALE: '1000' },
  })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

const numbers = Array.from({ length: ORDERS }, (_, number) => number).filter((number) => number % 5 !== 0)
const minuteOf = (number: number): number => number + (number % CHANGED === 0 ? 10_000_000 : 0)
const idOf = (number: number): string => `order${String(number).padStart(6, '0')}`

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly pagination: { readonly record_count: number; readonly cursor: string | null } }
}

it('the store has several granules and two parts', async () => {
  const text =
    'SELECT max(marks) AS marks, count() AS parts FROM system.parts WHERE active AND table = {table:String}'
  const [row] = await store.engine.run({ text, params: { table: 'orders' } }, budget)
  expect(Number(row?.marks)).toBeGreaterThan(6)
  expect(Number(row?.parts)).toBe(2)
})

describe.each(['asc', 'desc'] as const)('of a search, %s', (sort) => {
  it.each([
    ['all records', {}, () => true],
    ['some', { total_amount_with_taxes: { lt: 100 } }, (number: number) => number % 10_000 < 100],
    ['two', { total_amount_with_taxes: { eq: 7_777 } }, (number: number) => number % 10_000 === 7_777],
    ['none', { total_amount_with_taxes: { gt: 10_000 } }, () => false],
  ] as const)('of %s', async (_of, order, matches) => {
    const before = counted
    const range = { date_from: '2023-01-01T00:00:00Z', date_to: '2028-01-01T00:00:00Z' }
    const limit = 20
    const { status, body } = await app.ask('/metrics/orders/search', {
      search: { fields: ['order.id', 'order.number'], limit, sort, sort_by: 'order.current_date' },
      filter: { order: { ...range, date_field: 'current_date', ...order } },
    })
    expect({ status, body: status === 200 ? undefined : body }).toEqual({ status: 200, body: undefined })
    const sign = sort === 'asc' ? 1 : -1
    const wanted = numbers
      .filter(matches)
      .toSorted((left, right) => sign * (minuteOf(left) - minuteOf(right)))
    const { data, meta } = body as Page
    expect(meta.pagination.record_count).toBe(wanted.length)
    expect(data.map(({ id }) => id)).toEqual(wanted.slice(0, limit).map(idOf))
    expect(meta.pagination.cursor === null).toBe(wanted.length <= limit)
    expect(counted).toBe(before + 1)
  })
})

describe('the engine', () => {
  it('counts the rows that a statement has without its LIMIT', async () => {
    const text = 'SELECT id FROM orders FINAL WHERE status = {status:String} ORDER BY id LIMIT 3'
    const { rows, total } = await store.engine.runCounted({ text, params: { status: 'draft' } }, budget)
    expect({ rows: rows.length, total }).toEqual({ rows: 3, total: ORDERS / 5 })
  })

  it('counts zero rows where there are none', async () => {
    const text = "SELECT id FROM orders FINAL WHERE id = 'no' ORDER BY id LIMIT 3"
    expect(await store.engine.runCounted({ text, params: {} }, budget)).toEqual({ rows: [], total: 0 })
  })

  it('refuses to count a statement without LIMIT', async () => {
    const text = 'SELECT id FROM orders WHERE id = {id:String}'
    await expect(store.engine.runCounted({ text, params: { id: 'no' } }, budget)).rejects.toThrow()
  })

  it('ends a counted statement that takes too long', async () => {
    const text = 'SELECT sleepEachRow(0.1) AS slept FROM numbers(1000) ORDER BY slept LIMIT 1'
    await expect(
      store.engine.runCounted({ text, params: {} }, { ...budget, timeoutMs: 200 }),
    ).rejects.toMatchObject({ code: 'metrics_query_timeout' })
  })
})
