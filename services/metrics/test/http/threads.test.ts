/** A query of a small table uses one thread, so that many of them leave processors to the ingest. */
import { eventually } from '@merx/testing/eventually'
import type { Engine, Row } from '../../src/engine/engine.ts'
import { SMALL_TABLE_ROWS } from '../../src/engine/table-sizes.ts'
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const BODIES = {
  stats: { stats: { field: 'order.id', operator: 'value_count' } },
  search: { search: { fields: ['order.id'] } },
} as const

describe.each([
  ['a small table', SMALL_TABLE_ROWS, 1],
  ['a larger one', SMALL_TABLE_ROWS + 1, undefined],
])('threads for %s', (_table, rows, wanted) => {
  const threads: unknown[] = []
  let app: TestApp

  beforeAll(async () => {
    const { engine } = createRecordingEngine()
    let isRead = false
    const run: Engine['run'] = async (statement, budget, signal): Promise<readonly Row[]> => {
      if (statement.text.includes('total_rows')) {
        isRead = true
        return [{ rows: String(rows) }]
      }
      threads.push(budget.threadsMax)
      return engine.run(statement, budget, signal)
    }
    const runCounted: Engine['runCounted'] = async (statement, budget, signal) => {
      threads.push(budget.threadsMax)
      return engine.runCounted(statement, budget, signal)
    }
    app = await openTestApp({ engine: { ...engine, run, runCounted }, env: { RATE_LIMIT_SCALE: '1000' } })
    await app.ask('/metrics/orders/stats', BODIES.stats) // reads the size of the table
    await eventually(() => isRead)
    await new Promise(setImmediate)
  })

  afterAll(async () => {
    await app.close()
  })

  it.each(['stats', 'search'] as const)('%s', async (kind) => {
    threads.length = 0
    const { status } = await app.ask(`/metrics/orders/${kind}`, BODIES[kind])
    expect(status).toBe(200)
    expect(threads.length).toBeGreaterThan(0)
    expect(new Set(threads)).toEqual(new Set([wanted]))
  })
})
