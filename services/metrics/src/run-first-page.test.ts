import type { Attribute } from './catalogue/attribute.ts'
import { loadCatalogue } from './catalogue/load-catalogue.ts'
import type { CountedRows, Row } from './engine/engine.ts'
import type { SearchPlan } from './plan/plan.ts'
import { runFirstPage } from './run-first-page.ts'
import type { Statement } from './sql/statement.ts'

const orders = loadCatalogue().get('orders')
if (orders === undefined) throw new Error('no orders')
const attribute = (path: string): Attribute => {
  const found = orders.attributes.get(path)
  if (found === undefined) throw new Error(`no ${path}`)
  return found
}

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

/** What a page of two asks for: three, and four more. */
const MOST = 7

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
    ['desc', ['c', 'b', 'a']],
    ['asc', ['a', 'b', 'c']],
  ] as const)('has records of one instant in the order of their ids, %s', async (direction, ids) => {
    const rows = [answered('b', 9), answered('a', 9), answered('c', 9)]
    const { found } = await pageOf(direction, [{ rows, total: 3 }])
    expect(found.rows.map(({ id }) => id)).toEqual(ids)
  })

  it('has ids in the order of their bytes', async () => {
    const rows = [answered('\u{1F600}', 9), answered('\uFFFD', 9), answered('Z', 9), answered('a', 9)]
    const { found } = await pageOf('asc', [{ rows, total: 4 }])
    expect(found.rows.map(({ id }) => id)).toEqual(['Z', 'a', '\uFFFD'])
  })

  it.each([
    ['desc', [9, 8, null, null], ['a', 'b', 'd']],
    ['asc', [8, 9, null, null], ['a', 'b', 'c']],
  ] as const)('has records without the date last, %s', async (direction, days, ids) => {
    const rows = days.map((day, index) => answered('abcd'[index] ?? '', day))
    const { found } = await pageOf(direction, [{ rows, total: 4 }])
    expect(found.rows.map(({ id }) => id)).toEqual(ids)
  })

  it('is known when the last one that was asked for comes later than the page ends', async () => {
    const days = [9, 9, 9, 9, 9, 9, 8]
    const rows = days.map((day, index) => answered(`id${index}`, day))
    const { found, asked } = await pageOf('desc', [{ rows, total: 50 }])
    expect(found).toEqual({ rows: [record('id5', 9), record('id4', 9), record('id3', 9)], total: 50 })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['the last one', 9],
    ['the last one without a date', null],
  ])('is asked for by date and id when others of the instant of %s may be missing', async (_of, day) => {
    const cut = Array.from({ length: MOST }, (_, index) => answered(`id${index}`, day))
    const whole = [answered('z', day), answered('y', day), answered('x', day)]
    const { found, asked } = await pageOf('desc', [
      { rows: cut, total: 50 },
      { rows: whole, total: 51 },
    ])
    expect(found).toEqual({ rows: [record('z', day), record('y', day), record('x', day)], total: 51 })
    expect(asked[1]?.text).toContain('ORDER BY `approved_at` DESC NULLS LAST, `id` DESC NULLS LAST LIMIT {')
    expect(Object.values(asked[1]?.params ?? {})).toContain(3)
  })

  it('is whole when there are no more than were asked for', async () => {
    const rows = Array.from({ length: MOST - 1 }, (_, index) => answered(`id${index}`, 9))
    const { found, asked } = await pageOf('asc', [{ rows, total: MOST - 1 }])
    expect(found.rows.map(({ id }) => id)).toEqual(['id0', 'id1', 'id2'])
    expect(asked).toHaveLength(1)
  })
})
