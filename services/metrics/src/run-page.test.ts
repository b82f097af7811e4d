import { attribute, orders } from '../test/support/search-engine.ts'
import type { Row } from './engine/engine.ts'
import { ROWS_OF_STATEMENT } from './engine/known-parts.ts'
import type { SearchPlan } from './plan/plan.ts'
import { runPage, type PageDeps } from './run-page.ts'
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
    { attribute: attribute('order.current_date'), direction },
    { attribute: attribute('order.id'), direction },
  ],
  window: { untilMs: Date.UTC(2022, 0, 1) },
  limit: 2,
})

/** Asked for by a page of two: three, and what old versions may take up. */
const MOST = 8

const dateOf = (day: number): string => `2022-01-${String(day).padStart(2, '0')} 00:00:00.000`
const candidate = (day: number, id = `id${day}`): Row => ({ key0: dateOf(1), key1: id, at: dateOf(day) })
const record = (day: number): Row => ({ id: `id${day}`, current_date: dateOf(day) })

const pageOf = async (
  direction: 'asc' | 'desc',
  answers: readonly (readonly Row[])[],
  known?: PageDeps['rows'],
  changes: Partial<SearchPlan> = {},
) => {
  const asked: Statement[] = []
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    asked.push(statement)
    return answers[asked.length - 1] ?? []
  }
  const rows = await runPage({ ...planOf(direction), ...changes }, { run, rows: known })
  return { asked, rows }
}

const days = (...list: readonly number[]): readonly Row[] => list.map((day) => candidate(day))

describe('the records of a window', () => {
  it('are read at once where few rows lie beside other versions', async () => {
    const { asked, rows } = await pageOf('desc', [[record(9)]], {
      all: 1e6,
      scattered: ROWS_OF_STATEMENT,
      spanMs: 0,
    })
    expect(rows).toEqual([record(9)])
    expect(asked).toHaveLength(1)
    expect(asked[0]?.text).toContain('`orders` FINAL WHERE environment')
  })

  describe('that lie far apart', () => {
    const DAY_MS = 86_400_000
    const from = Date.UTC(2022, 0, 1)
    const at = (day: number): number => from + day * DAY_MS
    /** So many that merging is worth eight granules, as many as the candidates; a day is one. */
    const known = { all: 8_192 * 100, scattered: ROWS_OF_STATEMENT + 8 * 5_000, spanMs: 100 * DAY_MS }
    const range = {
      attribute: attribute('order.current_date'),
      from: new Date(from),
      to: new Date(at(100)),
    }
    const reach = { ...planOf('desc').reach, range }
    const position = { id: 'x', fromMs: from, toMs: at(100), total: 9, shown: 1, spacingMs: 1 }

    it.each([
      ['the window', 'desc', { window: { untilMs: at(92) } }],
      ['the window', 'asc', { window: { untilMs: at(8) } }],
      ['a later window', 'desc', { window: { beyondMs: at(50), untilMs: at(42) } }],
      ['a later page', 'asc', { after: { ...position, sortedAtMs: at(50) }, window: { untilMs: at(58) } }],
      ['the rest of the range', 'desc', { window: { beyondMs: at(8) } }],
      ['the range', 'desc', { window: {} }],
    ] as const)('are read at once: %s, %s', async (_what, way, changes) => {
      const { asked } = await pageOf(way, [[record(9)]], known, { reach, ...changes })
      expect(asked).toHaveLength(1)
      expect(asked[0]?.text).toContain('`orders` FINAL WHERE environment')
    })

    it.each([
      ['the window', 'desc', { window: { untilMs: at(92.1) } }],
      ['the window', 'asc', { window: { untilMs: at(7.9) } }],
      ['a later window', 'desc', { window: { beyondMs: at(50), untilMs: at(42.1) } }],
      ['a later page', 'asc', { after: { ...position, sortedAtMs: at(50) }, window: { untilMs: at(57.9) } }],
      ['the rest of the range', 'desc', { window: { beyondMs: at(7.9) } }],
    ] as const)('are not in one that is a little narrower: %s, %s', async (_what, way, changes) => {
      const { asked } = await pageOf(way, [[]], known, { reach, ...changes })
      expect(asked[0]?.text).not.toContain('FINAL')
    })

    it('are taken for it where the dates have no end', async () => {
      const { asked } = await pageOf('desc', [[record(9)]], known, { window: { beyondMs: from } })
      expect(asked[0]?.text).toContain('FINAL')
    })
  })

  it('are none when no row of any version is in it', async () => {
    const { asked, rows } = await pageOf('desc', [[]], {
      all: 1e6,
      scattered: ROWS_OF_STATEMENT + 1,
      spanMs: 0,
    })
    expect(rows).toEqual([])
    expect(asked).toHaveLength(1)
    expect(asked[0]?.text).not.toContain('FINAL')
  })

  it('are read as they are now, by the keys of what was found', async () => {
    const { asked, rows } = await pageOf('desc', [days(9, 8), [record(9)]])
    expect(rows).toEqual([record(9)])
    expect(asked).toHaveLength(2)
    expect(asked[1]?.text).toContain('`orders` FINAL WHERE environment')
    expect(Object.values(asked[1]?.params ?? {})).toContainEqual(['id9', 'id8'])
  })

  it.each([
    ['desc', [20, 19, 18, 17, 16, 15, 14, 13], [20, 19, 14]],
    ['asc', [3, 4, 5, 6, 7, 8, 9, 10], [3, 4, 9]],
  ] as const)('are whole when they come before the last of what was found: %s', async (way, found, kept) => {
    expect(found).toHaveLength(MOST)
    const { asked, rows } = await pageOf(way, [days(...found), kept.map(record)])
    expect(rows).toEqual(kept.map(record))
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['fewer are left of it', 'desc', [20, 19, 18, 17, 16, 15, 14, 13], [20, 19]],
    ['one has moved behind it', 'desc', [20, 19, 18, 17, 16, 15, 14, 13], [20, 19, 12]],
    [
      'one lies at the same instant, where others may',
      'desc',
      [20, 19, 18, 17, 16, 15, 14, 13],
      [20, 19, 13],
    ],
    ['one has moved behind it', 'asc', [3, 4, 5, 6, 7, 8, 9, 10], [3, 4, 11]],
  ] as const)('are looked for among all when %s: %s', async (_why, way, found, kept) => {
    const all = [record(1), record(2), record(3)]
    const { asked, rows } = await pageOf(way, [days(...found), kept.map(record), all])
    expect(rows).toEqual(all)
    expect(asked).toHaveLength(3)
    expect(asked[2]?.text).toContain('`orders` FINAL WHERE environment')
    expect(asked[2]?.text).not.toContain('`created_at` IN')
  })

  it('are looked for among all when what was found ends among records without a date', async () => {
    const undated = Array.from({ length: MOST }, (_, index) => ({ ...candidate(1, `x${index}`), at: null }))
    const { asked } = await pageOf('desc', [undated, [record(3), record(2), record(1)], []])
    expect(asked).toHaveLength(3)
  })
})
