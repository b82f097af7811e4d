import { accessToken, clientCredentials, connect } from '../support/connect.ts'
import type {
  BreakdownAnswer,
  CollectionDocument,
  DateBreakdownAnswer,
  SearchAnswer,
  StatsAnswer,
  TokenBody,
} from '../support/wire.ts'

const ask = async <T>(type: string, query: object): Promise<T> => {
  const token = await accessToken('integration')
  const reply = await connect().metrics(`orders/${type}`, { [type]: query }, { token })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<T>()
}

describe('Summary', () => {
  test('POST · {auth_url}/oauth/token · issue an access token', async () => {
    const reply = await connect().token(clientCredentials('integration'))
    expect(reply.status).toBe(200)
    const body = reply.json<TokenBody>()
    expect(body).toMatchObject({ token_type: 'bearer', scope: 'market:all' })
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'created_at',
      'expires_in',
      'scope',
      'token_type',
    ])
    expect(body.access_token.split('.')).toHaveLength(3)
  })

  test('POST · {base_url}/metrics/orders/date_breakdown · metrics query: breakdown by date interval', async () => {
    const query = {
      by: 'order.placed_at',
      field: 'order.total_amount_with_taxes',
      operator: 'sum',
      interval: 'month',
    }
    const { data } = await ask<DateBreakdownAnswer>('date_breakdown', query)
    expect(data[0]).toEqual({
      date: expect.stringMatching(/-01T00:00:00\.000Z$/) as unknown,
      value: expect.any(Number) as unknown,
    })
  })

  test('POST · {base_url}/metrics/orders/breakdown · metrics query: breakdown by an attribute', async () => {
    const query = { by: 'order.country_code', field: 'order.id', operator: 'value_count' }
    const { data } = await ask<BreakdownAnswer>('breakdown', query)
    const [bucket] = data['order.country_code'] ?? []
    expect(bucket).toEqual({ label: expect.any(String) as unknown, value: expect.any(Number) as unknown })
  })

  test('POST · {base_url}/metrics/orders/search · metrics query: search of records', async () => {
    const { data } = await ask<SearchAnswer>('search', { fields: ['order.id', 'order.number'], limit: 2 })
    expect(data.length).toBeGreaterThan(0)
  })

  test('POST · {base_url}/metrics/orders/stats · metrics query: statistics', async () => {
    const { data } = await ask<StatsAnswer>('stats', { field: 'order.id', operator: 'value_count' })
    expect(Number(data.value)).toBeGreaterThan(0)
  })

  test('GET · {base_url}/api/skus · paginated collection of SKUs', async () => {
    const reply = await connect().core('skus', { token: await accessToken('integration') })
    expect(reply.status).toBe(200)
    const { data, meta, links } = reply.json<CollectionDocument>()
    expect(data).toHaveLength(10)
    expect(meta.page_count).toBe(Math.ceil(meta.record_count / 10))
    expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next'])
  })
})
