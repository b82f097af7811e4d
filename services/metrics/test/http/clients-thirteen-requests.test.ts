/** Requests 8 and 9 that public clients send; the others go to core: its test of the same name. */
import { createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp

const open = (env: Record<string, string> = {}) =>
  openTestApp({ engine: createRecordingEngine().engine, env: { RATE_LIMIT_SCALE: '1000', ...env } })

beforeAll(async () => {
  app = await open()
})
afterAll(() => app.close())

const dates = { date_from: '2026-01-01T00:00:00Z', date_to: '2026-12-31T23:59:59Z', date_field: 'created_at' }

test.each(['cart', 'order'])('8: carts are searched with filter.%s and its names', async (name) => {
  const search = { sort_by: `${name}.created_at`, sort: 'desc', limit: 10, fields: [`${name}.id`] }
  const { status } = await app.ask('/metrics/carts/search', { search, filter: { [name]: dates } })
  expect(status).toBe(200)
})

describe('9: a date breakdown that counts ids', () => {
  const query = { by: 'order.current_date', field: 'order.id', operator: 'value_count', interval: 'day' }
  const body = { date_breakdown: query, filter: { order: dates } }

  it('is refused with the five operators of the contract', async () => {
    const { status, text } = await app.ask('/metrics/orders/date_breakdown', body)
    expect([status, text]).toEqual([422, expect.stringContaining('avg, max, min, sum, stats')])
  })

  it('is answered where METRICS_DIALECT is vendor', async () => {
    const vendor = await open({ METRICS_DIALECT: 'vendor' })
    expect((await vendor.ask('/metrics/orders/date_breakdown', body)).status).toBe(200)
    await vendor.close()
  })
})
