import type { Attribute } from './catalogue/attribute.ts'
import { loadCatalogue } from './catalogue/load-catalogue.ts'
import type { Row } from './engine/engine.ts'
import type { SearchPlan } from './plan/plan.ts'
import { runSearch } from './run-search.ts'
import type { Statement } from './sql/statement.ts'

const orders = loadCatalogue().get('orders')
if (orders === undefined) throw new Error('no orders')
const attribute = (path: string): Attribute => {
  const found = orders.attributes.get(path)
  if (found === undefined) throw new Error(`no ${path}`)
  return found
}

const HOUR_MS = 3_600_000
const FROM = Date.UTC(2022, 0, 1)
const TO = Date.UTC(2022, 11, 31)
const range = { attribute: attribute('order.current_date'), from: new Date(FROM), to: new Date(TO) }
const plan: SearchPlan = {
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    range,
    predicates: [],
  },
  fields: [attribute('order.id')],
  order: [
    { attribute: range.attribute, direction: 'desc' },
    { attribute: attribute('order.id'), direction: 'desc' },
  ],
  limit: 9,
}

/** Answers the first statement with `bounds`, each of the others with so many rows. */
const engineOf = (bounds: Row | undefined, found: readonly number[]) => {
  const asked: Statement[] = []
  const answers = [
    ...(bounds === undefined ? [] : [[bounds]]),
    ...found.map((count) => Array<Row>(count).fill({ id: 'x' })),
  ]
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    asked.push(statement)
    const rows = answers.shift()
    if (rows === undefined) throw new Error('one statement more than expected')
    return rows
  }
  return { run, asked }
}

const bounds = (total: number, dated = total): Row => ({
  total: String(total),
  dated: String(dated),
  earliest: String(TO - total * HOUR_MS),
  latest: String(TO),
})

/** The window of a statement: its conditions on the sort date beyond those of the date range. */
const windowOf = ({ text, params }: Statement): readonly string[] =>
  [...text.matchAll(/`current_date` ([<>]=?) \{(p\d+):DateTime64/g)]
    .map(([, sign = '', name = '']) => `${sign} ${String(params[name])}`)
    .filter(
      (condition) => !condition.includes('2022-01-01 00:00:00.000') && !condition.startsWith('<= 2022-12-31'),
    )

describe('a page of a search', () => {
  it('of nothing asks how many there are and no more', async () => {
    const { run, asked } = engineOf(bounds(0), [])
    expect(await runSearch(plan, run)).toEqual({ rows: [], total: 0, shown: 0, startMs: null })
    expect(asked).toHaveLength(1)
  })

  it('that holds all of them is read at once', async () => {
    const { run, asked } = engineOf(bounds(9), [9])
    expect((await runSearch(plan, run)).rows).toHaveLength(9)
    expect(asked).toHaveLength(2)
    expect(windowOf(asked[1] as Statement)).toEqual([])
  })

  it('looks into the newest hours only, one record an hour: half as many again as the page holds', async () => {
    const { run, asked } = engineOf(bounds(1_000), [10])
    expect((await runSearch(plan, run)).rows).toHaveLength(10)
    expect(windowOf(asked[1] as Statement)).toEqual(['>= 2022-12-30 09:00:00.000'])
  })

  it('looks further back, at least four times as far, for those that are missing, and last at all the rest', async () => {
    const { run, asked } = engineOf(bounds(1_000), [4, 0, 6])
    expect((await runSearch(plan, run)).rows).toHaveLength(10)
    expect(asked).toHaveLength(4)
    expect(windowOf(asked[2] as Statement)).toEqual([
      '< 2022-12-30 09:00:00.000',
      '>= 2022-12-27 21:00:00.000',
    ])
    expect(windowOf(asked[3] as Statement).at(0)).toBe('< 2022-12-27 21:00:00.000')
    expect(asked.map(({ params }) => params.p0).slice(1)).toEqual([10, 6, 6])
  })

  it('reads the rest at once where the date range ends', async () => {
    const { run, asked } = engineOf(bounds(8_000), [0, 0, 0, 3])
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
    const { run, asked } = engineOf(undefined, [10])
    expect(await runSearch({ ...plan, after }, run)).toMatchObject({ total: 1_000, shown: 100 })
    expect(asked).toHaveLength(1)
    expect(windowOf(asked[0] as Statement)).toContain('>= 2022-12-26 05:00:00.000')
  })

  it('among records without a date looks at all of them', async () => {
    const after = { sortedAtMs: null, id: 'x', fromMs: FROM, toMs: TO, total: 50, shown: 20, spacingMs: null }
    const { run, asked } = engineOf(undefined, [10])
    await runSearch({ ...plan, after }, run)
    expect(asked[0]?.text).toContain('isNull(`current_date`) AND `id` <')
  })
})
