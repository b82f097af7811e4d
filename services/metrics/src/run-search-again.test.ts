import { bounds, engineOf, FROM, HOUR_MS, plan, TO, windowOf } from '../test/support/search-engine.ts'
import type { CountedRows, Row } from './engine/engine.ts'
import { ROWS_TO_COUNT_WITH_PAGE } from './engine/known-parts.ts'
import type { KnownCounts, LeftOut } from './known-counts.ts'
import { runSearch } from './run-search.ts'
import type { Statement } from './sql/statement.ts'

/** A part of the year is looked at while its records are counted. */
const GUESS = '>= 2022-12-19 15:00:00.000'

describe('a page of a large table that is asked for again', () => {
  const rows = { all: ROWS_TO_COUNT_WITH_PAGE * 2, scattered: 0, spanMs: 0, state: '1' }
  const leaving = (leftOut: LeftOut) => {
    const noted: number[] = []
    const counts: KnownCounts = {
      leaveOut: async () => leftOut,
      note: (_plan, most) => {
        noted.push(most)
      },
    }
    return { counts, noted }
  }

  it('is told with the count of those quarters that have to be read', async () => {
    const { run, asked } = engineOf(undefined, [])
    const { counts, noted } = leaving({
      partitions: ['20221', '20222'],
      total: 70,
      rows: rows.all / 2,
      edge: Infinity,
    })
    const found = await runSearch(plan, { ...run, rows, counts })
    expect(found).toEqual({ rows: [{ id: 'x' }], total: 1_070, shown: 0 })
    expect(asked[0]?.text).toContain('AND _partition_id NOT IN {')
    expect(Object.values(asked[0]?.params ?? {})).toContainEqual(['20221', '20222'])
    expect(noted).toEqual([plan.limit + 1])
  })

  it('is looked for in windows when too many have to be read, and counted whole', async () => {
    const { run, asked, pages } = engineOf(bounds(1_000), [10])
    const { counts } = leaving({ partitions: ['20221'], total: 70, rows: rows.all / 2 - 1, edge: -TO })
    expect(await runSearch(plan, { ...run, rows, counts })).toMatchObject({ total: 1_000 })
    expect(windowOf(pages[0] as Statement)).toEqual([GUESS])
    expect(asked.some(({ text }) => text.includes('_partition_id'))).toBe(false)
  })

  describe('while orders are written', () => {
    const most = plan.limit + 1
    const recordAt = (ms: number): Row => ({
      shown_id: 'x',
      current_date: new Date(ms).toISOString().replace('T', ' ').replace('Z', ''),
    })
    const leftOut = { partitions: ['20221'], total: 70, rows: rows.all / 2 + 1, edge: -(TO - HOUR_MS) }
    /** So many records, an hour between two, the last one at an instant. */
    const recordsUntil = (ms: number, count = most): readonly Row[] =>
      Array.from({ length: count }, (_, at) => recordAt(ms + (count - 1 - at) * HOUR_MS))
    const withPage = async (page: readonly Row[]) => {
      const asked: Statement[] = []
      const { counts } = leaving(leftOut)
      const count = async (statement: Statement): Promise<CountedRows> => {
        asked.push(statement)
        return statement.text.includes('_partition_id')
          ? { rows: page, total: 1_000 }
          : { rows: [], total: 1_100 }
      }
      const { run } = engineOf(undefined, [])
      const small = { ...rows, all: ROWS_TO_COUNT_WITH_PAGE }
      return { found: await runSearch(plan, { ...run, count, rows: small, counts }), asked }
    }

    it('is taken as it is when it ends before all that was left out', async () => {
      const { found, asked } = await withPage(recordsUntil(TO - HOUR_MS))
      expect(found).toMatchObject({ total: 1_070 })
      expect(asked).toHaveLength(1)
    })

    it.each([
      ['ends later', recordsUntil(TO - HOUR_MS - 1)],
      ['has fewer records', recordsUntil(TO, most - 1)],
      ['has none', []],
      ['ends with one without a date', [...recordsUntil(TO, most - 1), { shown_id: 'x' }]],
    ])('is looked for in all quarters when it %s', async (_what, page) => {
      const { found, asked } = await withPage(page)
      expect(found).toEqual({ rows: [], total: 1_100, shown: 0 })
      expect(asked.map(({ text }) => text.includes('_partition_id'))).toEqual([true, false])
    })
  })

  it('remembers nothing of a table that is counted at once', async () => {
    const { run } = engineOf(undefined, [])
    const { counts, noted } = leaving({ partitions: ['20221'], total: 70, rows: 1, edge: Infinity })
    const small = { ...rows, all: 500_000 }
    expect(await runSearch(plan, { ...run, rows: small, counts })).toMatchObject({ total: 1_000 })
    expect(noted).toEqual([])
  })

  it('follows another without it', async () => {
    const after = {
      sortedAtMs: TO,
      id: 'x',
      fromMs: FROM,
      toMs: TO,
      total: 50,
      shown: 20,
      spacingMs: HOUR_MS,
    }
    const { run } = engineOf(undefined, [10])
    const { counts, noted } = leaving({ partitions: ['20221'], total: 70, rows: rows.all, edge: -TO })
    expect(await runSearch({ ...plan, after }, { ...run, rows, counts })).toMatchObject({
      total: 50,
      shown: 20,
    })
    expect(noted).toEqual([])
  })
})
