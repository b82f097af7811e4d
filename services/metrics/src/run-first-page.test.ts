import { attribute, orders } from '../test/support/search-engine.ts'
import type { CountedRows, Row } from './engine/engine.ts'
import type { SearchPlan } from './plan/plan.ts'
import { runFirstPage } from './run-first-page.ts'
import type { Statement } from './sql/statement.ts'

const planOf = (direction: 'asc' | 'desc'): SearchPlan => ({
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    predicates: [],
  },
  fields: [attribute('order.id')],
  order: [
    { attribute: attribute('order.approved_at'), direction },
    { attribute: attribute('order.id'), direction },
  ],
  limit: 2,
})

/** What a page of two asks for: one more. */
const MOST = 3

const dateOf = (day: number | null): string | null =>
  day === null ? null : `2022-01-${String(day).padStart(2, '0')} 00:00:00.000`
const answered = (id: string, day: number | null): Row => ({ shown_id: id, approved_at: dateOf(day) })
const record = (id: string, day: number | null): Row => ({ id, approved_at: dateOf(day) })

const pageOf = async (direction: 'asc' | 'desc', answers: readonly CountedRows[]) => {
  const asked: Statement[] = []
  const count = async (statement: Statement): Promise<CountedRows> => {
    asked.push(statement)
    const answer = answers[asked.length - 1]
    if (answer === undefined) throw new Error('one statement more than expected')
    return answer
  }
  return { found: await runFirstPage(planOf(direction), { count }), asked }
}

describe('the first page of a search', () => {
  it('is told with the count of all records by one statement, ordered by the date alone', async () => {
    const rows = [answered('a', 9), answered('b', 8), answered('c', 7)]
    const { found, asked } = await pageOf('desc', [{ rows, total: 3 }])
    expect(found).toEqual({ rows: [record('a', 9), record('b', 8), record('c', 7)], total: 3 })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.text).toContain('SELECT `shown_id`, `approved_at` FROM `orders` FINAL WHERE')
    expect(asked[0]?.text).toContain('ORDER BY `approved_at` DESC NULLS LAST LIMIT {')
    expect(Object.values(asked[0]?.params ?? {})).toContain(MOST)
  })

  it.each([
    ['desc', ['b', 'a', 'c'], [9, 9, 8]],
    ['asc', ['a', 'b', 'c'], [8, 8, 9]],
  ] as const)('has records of one instant in the order of their ids, %s', async (direction, ids, days) => {
    const rows = [answered('b', days[0]), answered('a', days[1]), answered('c', days[2])]
    const { found, asked } = await pageOf(direction, [{ rows, total: 50 }])
    expect(found.rows.map(({ id }) => id)).toEqual(ids)
    expect(asked).toHaveLength(1)
  })

  it('has ids in the order of their bytes', async () => {
    const rows = [answered('\u{1F600}', 9), answered('\uFFFD', 9)]
    const { found } = await pageOf('asc', [{ rows, total: 2 }])
    expect(found.rows.map(({ id }) => id)).toEqual(['\uFFFD', '\u{1F600}'])
  })

  it.each([
    ['desc', [9, 8, null], ['a', 'b', 'c']],
    ['asc', [8, 9, null], ['a', 'b', 'c']],
    ['desc', [9, null], ['a', 'b']],
  ] as const)('has records without the date last, %s: %j', async (direction, days, ids) => {
    const rows = days.map((day, index) => answered('abc'[index] ?? '', day))
    const { found, asked } = await pageOf(direction, [{ rows, total: 4 }])
    expect(found.rows.map(({ id }) => id)).toEqual(ids)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['an instant', 9],
    ['no date', null],
  ])('is asked for by date and id when it ends among records of %s', async (_of, day) => {
    const cut = [answered('x', 9), answered('b', day), answered('a', day)]
    const whole = [answered('z', day), answered('y', day), answered('x', day)]
    const { found, asked } = await pageOf('desc', [
      { rows: cut, total: 50 },
      { rows: whole, total: 51 },
    ])
    expect(found).toEqual({ rows: [record('z', day), record('y', day), record('x', day)], total: 51 })
    expect(asked[1]?.text).toContain('ORDER BY `approved_at` DESC NULLS LAST, `id` DESC NULLS LAST LIMIT {')
    expect(Object.values(asked[1]?.params ?? {})).toContain(MOST)
  })

  it('is whole when there are no more than it holds', async () => {
    const { found, asked } = await pageOf('asc', [{ rows: [answered('b', 9), answered('a', 9)], total: 2 }])
    expect(found.rows.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(asked).toHaveLength(1)
  })
})
