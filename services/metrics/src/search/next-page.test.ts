import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import type { Row } from '../engine/engine.ts'
import type { Statement } from '../sql/statement.ts'
import { findNextPage, type NextPagePlan } from './next-page.ts'

const orders = loadCatalogue().get('orders')
const currentDate = orders?.attributes.get('order.current_date')
const orderId = orders?.attributes.get('order.id')
if (orders === undefined || currentDate === undefined || orderId === undefined)
  throw new Error('the catalogue lacks an attribute')

const HOUR_MS = 3_600_000
const AT = Date.UTC(2022, 5, 1)
const after = { sortedAtMs: AT, id: 'x', fromMs: 0, toMs: 0, total: 100, shown: 20, spacingMs: HOUR_MS }

const planOf = (direction: 'asc' | 'desc', position: Partial<NextPagePlan['after']> = {}): NextPagePlan => ({
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    predicates: [],
  },
  fields: [orderId],
  order: [
    { attribute: currentDate, direction },
    { attribute: orderId, direction },
  ],
  limit: 9,
  after: { ...after, ...position },
})

/** Answers each statement with so many records. */
const pageOf = async (plan: NextPagePlan, found: readonly number[]) => {
  const asked: Statement[] = []
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    asked.push(statement)
    const count = found[asked.length - 1]
    if (count === undefined) throw new Error('one statement more than expected')
    return Array.from({ length: count }, () => ({ id: 'x' }))
  }
  return { page: await findNextPage(plan, { run }), asked }
}

const valuesOf = (statement: Statement | undefined) => Object.values(statement?.params ?? {})

/** Ten records an hour apart, and half as much again. */
const WINDOW_MS = 15 * HOUR_MS
const textOf = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')

describe('a later page of a search', () => {
  it.each([
    ['desc', AT - WINDOW_MS],
    ['asc', AT + WINDOW_MS],
  ] as const)('is read from a window behind the cursor, %s', async (direction, endMs) => {
    const { page, asked } = await pageOf(planOf(direction), [10])
    expect(page).toMatchObject({ total: 100, shown: 20 })
    expect(page.rows).toHaveLength(10)
    expect(asked).toHaveLength(1)
    expect(valuesOf(asked[0])).toEqual(expect.arrayContaining([textOf(AT), textOf(endMs)]))
  })

  it('is read from all records behind the cursor when the window does not hold it', async () => {
    const { page, asked } = await pageOf(planOf('desc'), [9, 10])
    expect(page.rows).toHaveLength(10)
    expect(asked).toHaveLength(2)
    expect(valuesOf(asked[1])).toContain(textOf(AT))
    expect(valuesOf(asked[1])).not.toContain(textOf(AT - WINDOW_MS))
  })

  it('has fewer records when others were deleted since the first page', async () => {
    const { page, asked } = await pageOf(planOf('desc'), [2, 3])
    expect(page.rows).toHaveLength(3)
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['is the last one', planOf('desc', { shown: 91 })],
    ['begins among records without a date', planOf('desc', { sortedAtMs: null })],
    ['follows one whose spacing is unknown', planOf('desc', { spacingMs: null })],
    ['would end after the last date of the engine', planOf('asc', { spacingMs: 1e14 })],
    ['would end before the first date of the engine', planOf('desc', { spacingMs: 1e14 })],
  ] as const)('is read without a window when it %s', async (_when, plan) => {
    const { page, asked } = await pageOf(plan, [9])
    expect(page.rows).toHaveLength(9)
    expect(asked).toHaveLength(1)
  })

  it('has a window of a second at least', async () => {
    const { asked } = await pageOf(planOf('desc', { spacingMs: 0 }), [10])
    expect(valuesOf(asked[0])).toContain(textOf(AT - 1_000))
  })
})
