import { accessToken, connect } from '../support/connect.ts'
import { expectMetricsError } from '../support/expect-errors.ts'
import { provedBy } from '../support/proved-by.ts'
import type { Reply } from '../support/send.ts'
import { isAddressInHeader } from '../support/source-address.ts'
import type { MetricsError } from '../support/wire.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' } }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const tooMany = async (token: string): Promise<Reply> => {
  const api = connect()
  for (let sent = 0; sent < 25; sent += 1) await api.metrics('orders/stats', STATS, { token })
  return api.metrics('orders/stats', STATS, { token })
}

/** One request for each error status a client can cause, with the code it must carry. */
const CAUSES: Readonly<
  Record<string, { readonly code: string; readonly cause: (token: string) => Promise<Reply> }>
> = {
  '400': {
    code: 'BAD_REQUEST',
    cause: (token) => connect().metrics('orders/stats', { ...STATS, x: 1 }, { token }),
  },
  '401': { code: 'UNAUTHORIZED', cause: () => connect().metrics('orders/stats', STATS) },
  '404': { code: 'NOT_FOUND', cause: (token) => connect().metrics('orders/nothing', STATS, { token }) },
  '405': {
    code: 'METHOD_NOT_ALLOWED',
    cause: (token) => connect().metrics('orders/stats', undefined, { token, method: 'GET' }),
  },
  '406': {
    code: 'NOT_ACCEPTABLE',
    cause: (token) => connect().metrics('orders/stats', STATS, { token, headers: { Accept: 'text/html' } }),
  },
  '413': {
    code: 'PAYLOAD_TOO_LARGE',
    cause: (token) => connect().metrics('orders/stats', `{"stats":"${'x'.repeat(3_000_000)}"}`, { token }),
  },
  '415': {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    cause: (token) =>
      connect().metrics('orders/stats', STATS, { token, headers: { 'Content-Type': 'text/plain' } }),
  },
  '422': {
    code: 'UNPROCESSABLE_ENTITY',
    cause: (token) => connect().metrics('orders/stats', { stats: { field: 'x' } }, { token }),
  },
  '429': { code: 'TOO_MANY_REQUESTS', cause: tooMany },
}

const errorOf = async (status: string): Promise<MetricsError['error']> => {
  const found = CAUSES[status]
  if (found === undefined) throw new Error(`no cause for ${status}`)
  const reply = await found.cause(await accessToken('integration'))
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: Number(status) })
  return reply.json<MetricsError>().error
}

const STATUSES = Object.keys(CAUSES)

describe('Error body', () => {
  describe('Every 4xx and 5xx response carries an object named error:', () => {
    test.each(STATUSES)('%s', async (status) => {
      const found = CAUSES[status]
      const reply = await found?.cause(await accessToken('integration'))
      if (reply === undefined) throw new Error('no reply')
      expectMetricsError(reply, Number(status), found?.code ?? '')
    })

    test(
      '500',
      provedBy('packages/errors/src/encode-metrics.test.ts', 'writes %s with the meta its status allows'),
    )
  })

  describe('title · string · description of the error', () => {
    test.each(STATUSES)('%s', async (status) => {
      const { title } = await errorOf(status)
      expect(title).toMatch(/^[A-Za-z][\w <>.,+/'()-]+$/)
    })
  })

  describe('code · string · textual name of the status', () => {
    test.each(STATUSES)('%s', async (status) => {
      expect((await errorOf(status)).code).toBe(CAUSES[status]?.code)
    })
  })

  describe('status · integer · HTTP status', () => {
    test.each(STATUSES)('%s', async (status) => {
      expect((await errorOf(status)).status).toBe(Number(status))
    })
  })

  describe('meta · object · returned for 400, 404, 422 and 500', () => {
    test.each(['400', '404', '422'])('%s', async (status) => {
      expect((await errorOf(status)).meta).toEqual(expect.any(Object))
    })

    test(
      '500',
      provedBy('packages/errors/src/encode-metrics.test.ts', 'writes %s with the meta its status allows'),
    )
  })

  describe('meta.errors · array of objects · returned for 400 and 422 only; each entry names the wrong key and a message or a nested structure of attribute names and messages', () => {
    test('400: the wrong key and a message', async () => {
      expect((await errorOf('400')).meta?.errors).toEqual([{ x: ['not valid'] }])
    })

    test('422: a nested structure of attribute names and messages', async () => {
      const errors = (await errorOf('422')).meta?.errors ?? []
      expect(errors).toHaveLength(1)
      const faults = errors[0]?.['stats']
      expect(Array.isArray(faults)).toBe(true)
      for (const fault of faults as readonly Record<string, unknown>[]) {
        for (const messages of Object.values(fault)) {
          expect(messages).toEqual(expect.arrayContaining([expect.any(String)]))
        }
      }
    })

    test.each(['404', '405', '406', '413', '415', '429'])('%s: not returned', async (status) => {
      expect((await errorOf(status)).meta).not.toHaveProperty('errors')
    })
  })

  describe('meta.trace_id · string · request ID; returned for every error except 401', () => {
    test.each(STATUSES.filter((status) => status !== '401'))('%s', async (status) => {
      expect((await errorOf(status)).meta?.trace_id).toMatch(UUID)
    })

    test('is the request id of the answer, which only a trusted hop can choose', async () => {
      const id = '0b8f6a52-6c3c-4f43-9d3e-0d2f8f4b7a11'
      const token = await accessToken('integration')
      const reply = await connect().metrics('orders/nothing', STATS, {
        token,
        headers: { 'X-Request-Id': id },
      })
      expect(reply.headers['x-request-id'] === id).toBe(isAddressInHeader())
      expect(reply.json<MetricsError>().error.meta?.trace_id).toBe(reply.headers['x-request-id'])
    })

    test('two requests have two', async () => {
      const [one, two] = [await errorOf('404'), await errorOf('404')]
      expect(one.meta?.trace_id).not.toBe(two.meta?.trace_id)
    })
  })

  describe('The 405, 406 and 415 responses also carry meta with trace_id only. The 401 response has neither meta nor trace_id.', () => {
    test.each(['405', '406', '415'])('%s: trace_id only', async (status) => {
      expect(Object.keys((await errorOf(status)).meta ?? {})).toEqual(['trace_id'])
    })

    test('401: neither', async () => {
      const error = await errorOf('401')
      expect(error).not.toHaveProperty('meta')
      expect(JSON.stringify(error)).not.toContain('trace_id')
    })
  })
})
