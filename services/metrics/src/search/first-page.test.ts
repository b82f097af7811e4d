import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import type { CountedRows, Row } from '../engine/engine.ts'
import type { SearchPlan } from '../plan/plan.ts'
import type { Statement } from '../sql/statement.ts'
import { findFirstPage } from './first-page.ts'

const orders = loadCatalogue().get('orders')
const approvedAt = orders?.attributes.get('order.approved_at')
const orderId = orders?.attributes.get('order.id')
if (orders === undefined || approvedAt === undefined || orderId === undefined)
  throw new Error('the catalogue lacks an attribute')

const planOf = (direction: 'asc' | 'desc'): SearchPlan => ({
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    predicates: [],
  },
  fields: [orderId],
  order: [
    { attribute: approvedAt, direction },
    { attribute: orderId, direction },
  ],
  limit: 2,
})
/** A page of two reads one record more. */
const LIMIT = 3

const dateOf = (day: number | null): string | null =>
  day === null ? null : `2022-01-${String(day).padStart(2, '0')} 00:00:00.000`
const answered = (id: string, day: number | null): Row => ({ shown_id: id, approved_at: dateOf(day) })
const record = (id: string, day: number | null): Row => ({ id, approved_at: dateOf(day) })

const pageOf = async (direction: 'asc' | 'desc', answers: readonly CountedRows[]) => {
  const asked: Statement[] = []
  const runCounted = async (statement: Statement): Promise<CountedRows> => {
    asked.push(statement)
    const answer = answers[asked.length - 1]
    if (answer === undefined) throw new Error('one statement more than expected')
    return answer
  }
  const run = async (): Promise<readonly Row[]> => {
    throw new Error('one statement more than expected')
  }
  return { found: await findFirstPage(planOf(direction), { run, runCounted, isCluster: false }), asked }
}

describe('the first page of a search', () => {
  it('comes with the count of all records from one statement, ordered by the date only', async () => {
    const rows = [answered('a', 9), answered('b', 8), answered('c', 7)]
    const { found, asked } = await pageOf('desc', [{ rows, total: 3 }])
    expect(found).toEqual({ rows: [record('a', 9), record('b', 8), record('c', 7)], total: 3, shown: 0 })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.text).toContain('SELECT `shown_id`, `approved_at` FROM `orders` FINAL WHERE')
    expect(asked[0]?.text).toContain('ORDER BY `approved_at` DESC NULLS LAST LIMIT {')
    expect(Object.values(asked[0]?.params ?? {})).toContain(LIMIT)
  })

  it.each([
    ['desc', ['b', 'a', 'c'], [9, 9, 8]],
    ['asc', ['a', 'b', 'c'], [8, 8, 9]],
  ] as const)('orders records of one date by their ids, %s', async (direction, ids, days) => {
    const rows = [answered('b', days[0]), answered('a', days[1]), answered('c', days[2])]
    const { found, asked } = await pageOf(direction, [{ rows, total: 50 }])
    expect(found.rows.map(({ id }) => id)).toEqual(ids)
    expect(asked).toHaveLength(1)
  })

  it('orders ids by their bytes', async () => {
    const rows = [answered('\u{1F600}', 9), answered('\uFFFD', 9)]
    const { found } = await pageOf('asc', [{ rows, total: 2 }])
    expect(found.rows.map(({ id }) => id)).toEqual(['\uFFFD', '\u{1F600}'])
  })

  it.each([
    ['desc', [9, 8, null], ['a', 'b', 'c']],
    ['asc', [8, 9, null], ['a', 'b', 'c']],
    ['desc', [9, null], ['a', 'b']],
  ] as const)('puts records without the date last, %s: %j', async (direction, days, ids) => {
    const rows = days.map((day, index) => answered('abc'[index] ?? '', day))
    const { found, asked } = await pageOf(direction, [{ rows, total: 4 }])
    expect(found.rows.map(({ id }) => id)).toEqual(ids)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['one date', 9],
    ['no date', null],
  ])('is read again by date and id when it ends between records of %s', async (_of, day) => {
    const cut = [answered('x', 9), answered('b', day), answered('a', day)]
    const whole = [answered('z', day), answered('y', day), answered('x', day)]
    const { found, asked } = await pageOf('desc', [
      { rows: cut, total: 50 },
      { rows: whole, total: 51 },
    ])
    expect(found).toEqual({
      rows: [record('z', day), record('y', day), record('x', day)],
      total: 51,
      shown: 0,
    })
    expect(asked[1]?.text).toContain('ORDER BY `approved_at` DESC NULLS LAST, `id` DESC NULLS LAST LIMIT {')
    expect(Object.values(asked[1]?.params ?? {})).toContain(LIMIT)
  })

  it('is complete when there are no more records than it holds', async () => {
    const { found, asked } = await pageOf('asc', [{ rows: [answered('b', 9), answered('a', 9)], total: 2 }])
    expect(found.rows.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(asked).toHaveLength(1)
  })

  it('of a cluster is read in parallel with its count', async () => {
    const asked: Statement[] = []
    const run = async (statement: Statement): Promise<readonly Row[]> => {
      asked.push(statement)
      return statement.text.startsWith('SELECT count()') ? [{ total: '7' }] : [record('a', 9)]
    }
    const runCounted = async (): Promise<CountedRows> => {
      throw new Error('a cluster does not count rows before a LIMIT')
    }
    const found = await findFirstPage(planOf('desc'), { run, runCounted, isCluster: true })
    expect(found).toEqual({ rows: [record('a', 9)], total: 7, shown: 0 })
    expect(asked).toHaveLength(2)
    expect(asked[0]?.text).toContain('ORDER BY `approved_at` DESC NULLS LAST, `id` DESC NULLS LAST LIMIT {')
  })
})
