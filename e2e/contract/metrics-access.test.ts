import { accessToken, connect, customerToken } from '../support/connect.ts'
import { environment } from '../support/demo.ts'
import { expectMetricsError } from '../support/expect-errors.ts'
import { jwtBearerBody } from '../support/grants.ts'
import { provedBy } from '../support/proved-by.ts'
import type { TokenBody } from '../support/wire.ts'

const QUERIES = {
  breakdown: { breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' } },
  date_breakdown: {
    date_breakdown: { by: 'order.placed_at', field: 'order.total_amount_with_taxes', operator: 'sum' },
  },
  stats: { stats: { field: 'order.id', operator: 'value_count' } },
  search: { search: { fields: ['order.id'], limit: 1 } },
}

describe('Metrics access', () => {
  describe('A sales channel access token sent to a metrics query is rejected with 401.', () => {
    test.each(Object.entries(QUERIES))('%s with a guest token', async (type, body) => {
      const token = await accessToken('sales_channel')
      expectMetricsError(await connect().metrics(`orders/${type}`, body, { token }), 401, 'UNAUTHORIZED')
    })

    test('with a customer token', async () => {
      const token = (await customerToken()).json<TokenBody>().access_token
      expectMetricsError(
        await connect().metrics('orders/stats', QUERIES.stats, { token }),
        401,
        'UNAUTHORIZED',
      )
    })

    test('with a sales channel token by JWT bearer', async () => {
      const body = await jwtBearerBody(environment().credentials.sales_channel)
      const token = (await connect().token(body)).json<TokenBody>().access_token
      expectMetricsError(
        await connect().metrics('orders/stats', QUERIES.stats, { token }),
        401,
        'UNAUTHORIZED',
      )
    })
  })

  describe('An access token that is missing, expired or without enough permissions gives 401.', () => {
    test('missing', async () => {
      expectMetricsError(await connect().metrics('orders/stats', QUERIES.stats), 401, 'UNAUTHORIZED')
    })

    test(
      'expired',
      provedBy('services/metrics/test/http/errors.test.ts', 'answers an expired token with 401 without meta'),
    )

    test(
      'without enough permissions',
      provedBy(
        'services/metrics/test/http/access.test.ts',
        'lets a custom role in only when it may read orders',
      ),
    )

    test.each(['integration', 'integration_read_only'] as const)('%s has enough', async (name) => {
      const token = await accessToken(name)
      expect((await connect().metrics('orders/stats', QUERIES.stats, { token })).status).toBe(200)
    })
  })
})
