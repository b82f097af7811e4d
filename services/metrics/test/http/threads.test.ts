/** A query of a small table is run by one thread, so that many of them leave room for what is written beside them. */
import { eventually } from '@merx/testing/eventually'
import type { Engine, Row } from '../../src/engine/engine.ts'
import { FEW_ROWS } from '../../src/engine/known-parts.ts'
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const BODIES = {
  stats: { stats: { field: 'order.id', operator: 'value_count' } },
  search: { search: { fields: ['order.id'] } },
} as const

describe.each([
  ['a small table', FEW_ROWS, 1],
  ['a larger one', FEW_ROWS + 1, undefined],
])('threads for %s', (_table, rows, wanted) => {
  const threads: unknown[] = []
  let app: TestApp

  beforeAll(async () => {
    const { engine } = createRecordingEngine()
    let isTold = false
    const run: Engine['run'] = async (statement, budget, signal): Promise<readonly Row[]> => {
      if (statement.text.includes('is_spread')) {
        isTold = true
        return [{ all: String(rows), scattered: '0', state: '1', is_spread: 0 }]
      }
      threads.push(budget.threadsMax)
      return engine.run(statement, budget, signal)
    }
    const runCounted: Engine['runCounted'] = async (statement, budget, signal) => {
      threads.push(budget.threadsMax)
      return engine.runCounted(statement, budget, signal)
    }
    app = await openTestApp({ engine: { ...engine, run, runCounted }, env: { RATE_LIMIT_SCALE: '1000' } })
    await app.ask('/metrics/orders/stats', BODIES.stats) // after which it is asked how many rows there are
    await eventually(() => isTold)
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
