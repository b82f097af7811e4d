import { createFakeClock } from '@merx/testing/fake-clock'
import type { Engine } from './engine.ts'
import {
  createKnownParts,
  isFinalCheap,
  isOneStatementCheaper,
  ROWS_OF_STATEMENT,
  ROWS_TO_COUNT_WITH_PAGE,
} from './known-parts.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }

type Answer = readonly [all: string, scattered: string, isSpread?: number]

const createParts = (answers: readonly (Answer | Error)[]) => {
  const asked: unknown[] = []
  const run: Engine['run'] = async ({ params }) => {
    asked.push(params)
    const answer = answers[asked.length - 1]
    if (answer instanceof Error) throw answer
    const [all, scattered, isSpread = 0] = answer ?? []
    return [{ all, scattered, state: '77', is_spread: isSpread, span_seconds: '86400' }]
  }
  const clock = createFakeClock()
  return { parts: createKnownParts({ run, quiet: async () => undefined }, clock, budget), clock, asked }
}

const settled = async (): Promise<void> => {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

describe('rows of a table', () => {
  it('are not known until the engine has told them, and nobody waits for that', async () => {
    const { parts, clock } = createParts([['20', '7']])
    expect(parts.rowsOf('orders')).toBeUndefined()
    await settled()
    expect(parts.rowsOf('orders')).toEqual({
      all: 20,
      scattered: 7,
      spanMs: 86_400_000,
      state: '77',
      asOfMs: clock.now().getTime(),
    })
  })

  it('have no state on a cluster, of which one node sees its share', async () => {
    const { parts } = createParts([['20', '7', 1]])
    parts.rowsOf('orders')
    await settled()
    expect(parts.rowsOf('orders')).toMatchObject({ all: 20, state: undefined })
  })

  it('have no state when there are none, as on a node of a cluster whose share is empty', async () => {
    const { parts } = createParts([['0', '0']])
    parts.rowsOf('orders')
    await settled()
    expect(parts.rowsOf('orders')).toMatchObject({ all: 0, state: undefined })
  })

  it('are asked for again after two seconds', async () => {
    const { parts, clock, asked } = createParts([
      ['20', '7'],
      ['21', '8'],
    ])
    parts.rowsOf('orders')
    await settled()
    clock.advance(1.9)
    parts.rowsOf('orders')
    expect(asked).toHaveLength(1)
    clock.advance(0.2)
    expect(parts.rowsOf('orders')).toMatchObject({ all: 20, scattered: 7 })
    await settled()
    expect(parts.rowsOf('orders')).toMatchObject({ all: 21, scattered: 8 })
    expect(asked).toHaveLength(2)
  })

  it('are asked for when no query runs', async () => {
    const asked: unknown[] = []
    const quiet = Promise.withResolvers<undefined>()
    const run: Engine['run'] = async ({ params }) => {
      asked.push(params)
      return []
    }
    const engine = { run, quiet: () => quiet.promise }
    createKnownParts(engine, createFakeClock(), budget).rowsOf('orders')
    await settled()
    expect(asked).toHaveLength(0)
    quiet.resolve(undefined)
    await settled()
    expect(asked).toHaveLength(1)
  })

  it('are of one table', async () => {
    const { parts, asked } = createParts([
      ['20', '0'],
      ['3', '3'],
    ])
    parts.rowsOf('orders')
    parts.rowsOf('returns')
    await settled()
    expect(parts.rowsOf('orders')).toMatchObject({ all: 20, scattered: 0 })
    expect(parts.rowsOf('returns')).toMatchObject({ all: 3, scattered: 3 })
    expect(asked).toEqual([
      { table: 'orders', local: '^orders_g[0-9]+_local$' },
      { table: 'returns', local: '^returns_g[0-9]+_local$' },
    ])
  })

  it('are unknown again when the engine does not say', async () => {
    const { parts, clock } = createParts([['20', '7'], new Error('away')])
    parts.rowsOf('orders')
    await settled()
    clock.advance(2.1)
    parts.rowsOf('orders')
    await settled()
    expect(parts.rowsOf('orders')).toBeUndefined()
  })
})

describe('FINAL', () => {
  const DAY_MS = 86_400_000
  const tables = { all: 819_200, scattered: ROWS_OF_STATEMENT + 100_000, spanMs: 100 * DAY_MS }

  it.each([
    ['records lie together', 30, DAY_MS, false],
    ['they lie in as many granules as merging is worth', 30, 20 * DAY_MS, true],
    ['they lie in one less', 30, 19.9 * DAY_MS, false],
    ['they are few, however far apart', 19, Infinity, false],
    ['they are many, however far apart', 20, Infinity, true],
  ])('is cheap when %s', (_when, keys, widthMs, expected) => {
    expect(isFinalCheap(tables, keys, widthMs)).toBe(expected)
  })

  it('of few rows always is, and of others it is not known without dates of creation', () => {
    expect(isFinalCheap({ ...tables, scattered: ROWS_OF_STATEMENT }, 1, 0)).toBe(true)
    expect(isFinalCheap({ ...tables, spanMs: 0 }, 1_000, Infinity)).toBe(false)
  })

  it('is not where nothing is known of the table', () => {
    expect(isFinalCheap(undefined, 1_000, Infinity)).toBe(false)
  })
})

describe('one statement for a page and its count', () => {
  const DAY_MS = 86_400_000
  const table = { all: ROWS_TO_COUNT_WITH_PAGE, scattered: 0, spanMs: 100 * DAY_MS, state: '1' }
  const larger = { ...table, all: 10 * ROWS_TO_COUNT_WITH_PAGE }

  it.each([
    ['a table that is not too large', table, Infinity, true],
    ['a larger one', { ...table, all: table.all + 1 }, Infinity, false],
    ['days of a larger one with as many rows', larger, 10 * DAY_MS, true],
    ['more days of it', larger, 11 * DAY_MS, false],
    ['days of one without dates of creation', { ...larger, spanMs: 0 }, DAY_MS, false],
    ['a small one without dates of creation', { ...table, spanMs: 0 }, Infinity, true],
    ['one of which nothing is known', undefined, DAY_MS, false],
    ['one whose rows are not all here', { ...table, all: 1, state: undefined }, DAY_MS, false],
  ])('of %s: %#', (_of, rows, widthMs, expected) => {
    expect(isOneStatementCheaper(rows, widthMs)).toBe(expected)
  })
})
