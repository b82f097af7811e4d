import { accessToken, connect, JSON_API, METRICS_ACCEPT } from '../support/connect.ts'
import { expectMetricsError } from '../support/expect-errors.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' } }

describe('Metrics queries', () => {
  describe('Required request headers: Accept: application/vnd.api.v1+json; Content-Type: application/vnd.api+json; Authorization: Bearer <ACCESS_TOKEN>.', () => {
    const send = async (headers: Readonly<Record<string, string | undefined>>) =>
      connect().metrics('orders/stats', STATS, { token: await accessToken('integration'), headers })

    test('with all three it is a 200', async () => {
      expect((await send({ Accept: METRICS_ACCEPT, 'Content-Type': JSON_API })).status).toBe(200)
    })

    test('header names and the scheme are case-insensitive (RFC 9110, RFC 6750)', async () => {
      const token = await accessToken('integration')
      const headers = { Authorization: undefined, authorization: `bearer ${token}` }
      expect((await connect().metrics('orders/stats', STATS, { headers })).status).toBe(200)
    })

    test('without Accept it is a 406', async () => {
      expectMetricsError(await send({ Accept: undefined }), 406, 'NOT_ACCEPTABLE')
    })

    test('without Content-Type it is a 415', async () => {
      expectMetricsError(await send({ 'Content-Type': undefined }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    })

    test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Bearer not.a.token'])(
      'with Authorization %p it is a 401',
      async (authorization) => {
        const reply = await connect().metrics('orders/stats', STATS, {
          headers: { Authorization: authorization },
        })
        expectMetricsError(reply, 401, 'UNAUTHORIZED')
      },
    )

    test('a token in the query string or the body does not count', async () => {
      const token = await accessToken('integration')
      const reply = await connect().metrics(`orders/stats?access_token=${token}`, STATS)
      expectMetricsError(reply, 401, 'UNAUTHORIZED')
    })
  })

  describe('Method must be POST.', () => {
    test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
      '%s is a 405 that allows POST',
      async (method) => {
        const token = await accessToken('integration')
        const reply = await connect().metrics('orders/stats', undefined, { token, method })
        expectMetricsError(reply, 405, 'METHOD_NOT_ALLOWED')
        expect(reply.headers.allow).toBe('POST')
      },
    )

    test('HEAD is a 405 without a body', async () => {
      const token = await accessToken('integration')
      const reply = await connect().metrics('orders/stats', undefined, { token, method: 'HEAD' })
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 405, text: '' })
    })
  })

  describe('Validation order: the filter section is validated before the query-type section. Errors in the query-type section are reported only after the filter is valid.', () => {
    const wrongQueries = {
      breakdown: { by: 'nothing', field: 'nothing', operator: 'nothing' },
      date_breakdown: { by: 'nothing', operator: 'value_count', interval: 'never' },
      search: { fields: [], limit: -1 },
      stats: { field: 'nothing', operator: 'nothing' },
    }

    test.each(Object.entries(wrongQueries))(
      '%s: both wrong, only the filter is reported',
      async (type, wrong) => {
        const token = await accessToken('integration')
        const filter = { order: { date_from: '2024-01-01T00:00:00Z' } }
        const reply = await connect().metrics(`orders/${type}`, { [type]: wrong, filter }, { token })
        const error = expectMetricsError(reply, 422, 'UNPROCESSABLE_ENTITY', 'filter is not valid')
        expect(error.meta?.errors?.map((entry) => Object.keys(entry))).toEqual([['order']])
      },
    )

    test.each(Object.entries(wrongQueries))(
      '%s: filter valid, the query is reported',
      async (type, wrong) => {
        const token = await accessToken('integration')
        const filter = { order: { date_from: '2024-01-01T00:00:00Z', date_to: '2024-02-01T00:00:00Z' } }
        const reply = await connect().metrics(`orders/${type}`, { [type]: wrong, filter }, { token })
        const error = expectMetricsError(reply, 422, 'UNPROCESSABLE_ENTITY', 'query is not valid')
        expect(error.meta?.errors?.map((entry) => Object.keys(entry))).toEqual([[type]])
      },
    )

    test('an empty query with a wrong filter reports the filter', async () => {
      const token = await accessToken('integration')
      const body = { stats: {}, filter: { order: { nothing: 1 } } }
      const reply = await connect().metrics('orders/stats', body, { token })
      expectMetricsError(reply, 422, 'UNPROCESSABLE_ENTITY', 'filter is not valid')
    })
  })
})
