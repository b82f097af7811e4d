import {
  attribute,
  bounds,
  engineOf,
  FROM,
  HOUR_MS,
  plan,
  range,
  TO,
  windowOf,
} from '../test/support/search-engine.ts'
import type { Row } from './engine/engine.ts'
import { FEW_ROWS, ROWS_TO_COUNT_WITH_PAGE } from './engine/known-parts.ts'
import { createKnownSpacings } from './known-spacings.ts'
import type { SearchPlan } from './plan/plan.ts'
import { runSearch } from './run-search.ts'
import type { Statement } from './sql/statement.ts'

/** Everything that does not wait for an answer has happened. */
const settled = async (): Promise<void> => {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A part of the year is looked at while its records are counted. */
const GUESS = '>= 2022-12-19 15:00:00.000'

describe('a page of a search', () => {
  it('of nothing asks for no more than the newest part of the range', async () => {
    const { run, asked } = engineOf(bounds(0), [0])
    expect(await runSearch(plan, run)).toEqual({ rows: [], total: 0, shown: 0 })
    expect(asked).toHaveLength(2)
  })

  it('is looked for in a part of the range while the records are counted', async () => {
    const { run, asked, pages } = engineOf(bounds(1_000), [10])
    const found = runSearch(plan, run)
    expect(asked).toHaveLength(2)
    expect((await found).rows).toHaveLength(10)
    expect(pages).toHaveLength(1)
    expect(windowOf(pages[0] as Statement)).toEqual([GUESS])
  })

  describe('with the conditions of an earlier one', () => {
    const learnt = async (total: number, earliestMs = TO - 1_000 * HOUR_MS) => {
      const spacings = createKnownSpacings()
      const { run } = engineOf({ ...bounds(total), earliest: String(earliestMs) }, [10])
      await runSearch(plan, { ...run, spacings })
      return spacings
    }

    it('is looked for as far as that one had to look, however wide the range', async () => {
      const { run, pages } = engineOf(bounds(1_000), [10])
      await runSearch(plan, { ...run, spacings: await learnt(1_000) })
      expect(windowOf(pages[0] as Statement)).toEqual(['>= 2022-12-30 09:00:00.000'])
      const asked = { ...range, from: new Date(TO - 5 * HOUR_MS) }
      const other = engineOf(bounds(5), [5])
      await runSearch(
        { ...plan, reach: { ...plan.reach, range: asked } },
        { ...other.run, spacings: await learnt(1_000) },
      )
      expect(other.pages).toHaveLength(1)
    })

    it('is looked for once in the whole range when it takes all of it', async () => {
      const { run, pages, asked } = engineOf(bounds(7), [7])
      const found = runSearch(plan, { ...run, spacings: await learnt(10, FROM) })
      expect((await found).rows).toHaveLength(7)
      expect(pages).toHaveLength(1)
      expect(windowOf(pages[0] as Statement)).toEqual([])
      expect(asked.filter(({ text }) => text.startsWith('SELECT count()'))).toHaveLength(1)
    })

    it('is looked for in a second beside the count when they lie closer together', async () => {
      const { run, asked, pages } = engineOf(bounds(1_000), [10])
      const found = runSearch(plan, { ...run, spacings: await learnt(1_000_000, TO - 1_000) })
      expect(asked).toHaveLength(2)
      expect((await found).rows).toHaveLength(10)
      expect(windowOf(pages[0] as Statement)).toEqual(['>= 2022-12-30 23:59:59.000'])
    })

    it('is looked for behind that when it was not far enough', async () => {
      const { run, pages } = engineOf(bounds(1_000), [4, 6])
      expect((await runSearch(plan, { ...run, spacings: await learnt(1_000) })).rows).toHaveLength(10)
      expect(windowOf(pages[1] as Statement)[0]).toBe('< 2022-12-30 09:00:00.000')
    })
  })

  it('is complete when all that were counted lie in that part', async () => {
    const { run, pages } = engineOf(bounds(9), [9])
    expect((await runSearch(plan, run)).rows).toHaveLength(9)
    expect(pages).toHaveLength(1)
  })

  it('that may be incomplete is looked for in all the rest when it would hold all of it', async () => {
    const { run, pages } = engineOf({ ...bounds(9), earliest: String(FROM) }, [8, 1])
    expect((await runSearch(plan, run)).rows).toHaveLength(9)
    expect(windowOf(pages[1] as Statement)).toEqual([`(isNull) ${GUESS.replace('>=', '<')}`])
  })

  it('counts first when the range is of another date: half as many records again as the page holds', async () => {
    const created = { ...plan.reach, range: { ...range, attribute: attribute('order.created_at') } }
    const { run, asked, pages } = engineOf(bounds(1_000), [10])
    const found = runSearch({ ...plan, reach: created }, run)
    expect(asked).toHaveLength(1)
    expect((await found).rows).toHaveLength(10)
    expect(windowOf(pages[0] as Statement)).toEqual(['>= 2022-12-30 09:00:00.000'])
  })

  it('looks behind that part for those that are missing, then at least four times as far, and last at all the rest', async () => {
    const { run, pages, limits } = engineOf(bounds(1_000), [4, 0, 6])
    expect((await runSearch(plan, run)).rows).toHaveLength(10)
    expect(windowOf(pages[1] as Statement)).toEqual([
      '< 2022-12-19 15:00:00.000',
      '>= 2022-12-19 06:00:00.000',
    ])
    expect(windowOf(pages[2] as Statement)).toEqual([
      '< 2022-12-19 06:00:00.000',
      '>= 2022-12-15 21:00:00.000',
    ])
    expect(limits).toEqual([10, 6])
  })

  describe('while its records are still being counted', () => {
    /** Counts when it is told to. */
    const slow = (found: readonly number[]) => {
      const counted = Promise.withResolvers<Row>()
      const { run, ...others } = engineOf(bounds(1_000), found)
      const runSlowly = async (statement: Statement): Promise<readonly Row[]> =>
        statement.text.startsWith('SELECT count()') ? [await counted.promise] : run.run(statement)
      return { ...others, run: { ...run, run: runSlowly }, counted }
    }

    it('is looked for behind that part, as much wider as records were few in it', async () => {
      const { run, pages, counted } = slow([4, 6])
      const found = runSearch(plan, run)
      await settled()
      expect(pages.map(windowOf)).toEqual([
        [GUESS],
        ['< 2022-12-19 15:00:00.000', '>= 2022-11-04 03:00:00.000'],
      ])
      counted.resolve(bounds(1_000))
      expect(await found).toMatchObject({ total: 1_000 })
      expect((await found).rows).toHaveLength(10)
    })

    it('is not looked for any further when nothing was in that part', async () => {
      const { run, pages, counted } = slow([0])
      const found = runSearch(plan, run)
      await settled()
      counted.resolve(bounds(0))
      expect((await found).rows).toEqual([])
      expect(pages).toHaveLength(1)
    })

    it('fails with the count', async () => {
      const { run, counted } = slow([4, 6])
      const found = runSearch(plan, run)
      await settled()
      counted.reject(new Error('away'))
      await expect(found).rejects.toThrow('away')
    })
  })

  it('begins where the first record is when that lies behind the part', async () => {
    const late = {
      ...bounds(1_000),
      latest: String(TO - 1_000 * HOUR_MS),
      earliest: String(TO - 2_000 * HOUR_MS),
    }
    const { run, pages } = engineOf(late, [0, 10])
    expect((await runSearch(plan, run)).rows).toHaveLength(10)
    expect(windowOf(pages[1] as Statement)).toEqual([
      '< 2022-12-19 15:00:00.000',
      '>= 2022-11-18 17:00:00.000',
    ])
  })

  it('reads the rest at once where the date range ends', async () => {
    const { run, asked } = engineOf(bounds(8_000), [0, 0, 0, 0, 3])
    expect((await runSearch(plan, run)).rows).toHaveLength(3)
    expect(asked.at(-1)?.text).toContain('(isNull(`current_date`) OR `current_date` <')
  })

  it('goes on behind the last record with what the cursor knows, without counting again', async () => {
    const after = {
      sortedAtMs: TO - 100 * HOUR_MS,
      id: 'orderAAAAA',
      fromMs: FROM,
      toMs: TO,
      total: 1_000,
      shown: 100,
      spacingMs: HOUR_MS,
    }
    const { run, pages } = engineOf(undefined, [10])
    expect(await runSearch({ ...plan, after }, run)).toMatchObject({ total: 1_000, shown: 100 })
    expect(pages).toHaveLength(1)
    expect(windowOf(pages[0] as Statement)).toContain('>= 2022-12-26 05:00:00.000')
  })

  it('among records without a date looks at all of them', async () => {
    const after = { sortedAtMs: null, id: 'x', fromMs: FROM, toMs: TO, total: 50, shown: 20, spacingMs: null }
    const { run, asked } = engineOf(undefined, [10])
    await runSearch({ ...plan, after }, run)
    expect(asked[0]?.text).toContain('isNull(`current_date`) AND `id` <')
  })

  it('of no more records than one statement is worth is told with their count', async () => {
    const { run, asked } = engineOf(undefined, [])
    const rows = { all: ROWS_TO_COUNT_WITH_PAGE, scattered: FEW_ROWS, spanMs: 0, state: '1' }
    expect(await runSearch(plan, { ...run, rows })).toEqual({ rows: [{ id: 'x' }], total: 1_000, shown: 0 })
    expect(asked).toHaveLength(1)
  })

  it('of as many days of a larger table is, too', async () => {
    const { run, asked } = engineOf(undefined, [])
    const rows = { all: ROWS_TO_COUNT_WITH_PAGE * 2, scattered: 0, spanMs: (TO - FROM) * 2, state: '1' }
    expect(await runSearch(plan, { ...run, rows })).toMatchObject({ total: 1_000, shown: 0 })
    expect(asked).toHaveLength(1)
  })

  it('is looked for in windows on a cluster', async () => {
    const { run, pages } = engineOf(bounds(1_000), [10])
    await runSearch(plan, { ...run, rows: { all: 1_000, scattered: 0, spanMs: 0, state: undefined } })
    expect(windowOf(pages[0] as Statement)).toEqual([GUESS])
  })

  it('is looked for in windows as soon as there are more', async () => {
    const { run, pages } = engineOf(bounds(1_000), [10])
    const rows = { all: ROWS_TO_COUNT_WITH_PAGE + 1, scattered: 0, spanMs: 0, state: '1' }
    await runSearch(plan, { ...run, rows })
    expect(windowOf(pages[0] as Statement)).toEqual([GUESS])
  })

  it('that follows another in a small table is read whole, without counting again', async () => {
    const after = {
      sortedAtMs: TO,
      id: 'x',
      fromMs: FROM,
      toMs: TO,
      total: 50,
      shown: 20,
      spacingMs: HOUR_MS,
    }
    const { run, asked, pages } = engineOf(undefined, [10])
    const rows = { all: FEW_ROWS, scattered: FEW_ROWS, spanMs: 0, state: '1' }
    const found = await runSearch({ ...plan, after }, { ...run, rows })
    expect(found).toMatchObject({ total: 50, shown: 20 })
    expect(found.rows).toHaveLength(10)
    expect(asked).toHaveLength(1)
    expect(windowOf(pages[0] as Statement)).not.toContain('>= 2022-12-30 09:00:00.000')
  })

  describe('of records that the filter names', () => {
    const naming = (path: string, count: number, match: 'equal' | 'prefix' = 'equal'): SearchPlan => {
      const values = Array.from({ length: count }, (_, index) => `order${index}`)
      const predicates = [{ op: 'in', attribute: attribute(path), match, values }] as const
      return { ...plan, reach: { ...plan.reach, predicates } }
    }

    it('is one statement, that counts nothing, when it holds all of them', async () => {
      const { run, asked, pages } = engineOf(undefined, [2])
      const found = await runSearch(naming('order.id', plan.limit), {
        ...run,
        rows: { all: 1e6, scattered: 0, spanMs: 0, state: '1' },
      })
      expect(found).toMatchObject({ total: 2, shown: 0 })
      expect(asked).toHaveLength(1)
      expect(windowOf(pages[0] as Statement)).toEqual([])
    })

    it.each([
      ['there are more than it holds', naming('order.id', plan.limit + 1)],
      ['several may have the same value', naming('order.number', 1)],
      ['the names are beginnings', naming('order.id', 1, 'prefix')],
    ])('is counted when %s', async (_why, named) => {
      const { run, asked } = engineOf(bounds(2), [2])
      expect(await runSearch(named, run)).toMatchObject({ total: 2 })
      expect(asked.some(({ text }) => text.startsWith('SELECT count()'))).toBe(true)
    })
  })
})
