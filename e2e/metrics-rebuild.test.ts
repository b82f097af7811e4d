/** `merx metrics rebuild` against the running system, as docs/how-to/rebuild-metrics.md has it. */
import { accessToken, connect } from './support/connect.ts'
import { ALL_TIME } from './support/every-order.ts'
import { merx } from './support/merx.ts'
import type { StatsAnswer } from './support/wire.ts'

const total = async (): Promise<unknown> => {
  const token = await accessToken('integration')
  const body = {
    stats: { field: 'order.total_amount_with_taxes', operator: 'sum' },
    filter: { order: { ...ALL_TIME, date_field: 'created_at', currency_codes: { in: ['EUR'] } } },
  }
  const reply = await connect().metrics('orders/stats', body, { token })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<StatsAnswer>().data.value
}

it('the store is rebuilt while queries give the same sum, and merx says when it is live', async () => {
  const before = await merx<{ generation: number }>('metrics', 'status')
  const sum = await total()
  let isLive = false
  const rebuilt = merx('metrics', 'rebuild').finally(() => (isLive = true))
  let asked = 0
  while (!isLive) {
    expect(await total()).toBe(sum)
    asked += 1
  }
  expect(asked).toBeGreaterThan(0)
  expect(await rebuilt).toEqual({ generation: before.generation + 1, is_live: true, quarantined: 0 })
  expect(await total()).toBe(sum)
  expect(await merx('metrics', 'status')).toMatchObject({ generation: before.generation + 1, rebuild: null })
})
