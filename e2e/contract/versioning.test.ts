import { accessToken, connect, JSON_API } from '../support/connect.ts'
import { expectMetricsError } from '../support/expect-errors.ts'
import type { Reply } from '../support/send.ts'

const STATS = { stats: { field: 'order.id', operator: 'value_count' } }

const ask = async (accept: string | undefined): Promise<Reply> =>
  connect().metrics('orders/stats', STATS, {
    token: await accessToken('integration'),
    headers: { Accept: accept },
  })

describe('Versioning', () => {
  describe('The metrics interface is versioned through the Accept header, shaped application/vnd.api.v<version>+json. Only v1 is supported.', () => {
    test('v1', async () => {
      expect((await ask('application/vnd.api.v1+json')).status).toBe(200)
    })

    test.each(['0', '2', '3', '99'])('v%s is not supported', async (version) => {
      const reply = await ask(`application/vnd.api.v${version}+json`)
      expectMetricsError(reply, 406, 'NOT_ACCEPTABLE', 'the version is not supported, use v1')
    })

    test('media types are case-insensitive (RFC 9110 8.3.1)', async () => {
      expect((await ask('Application/Vnd.Api.V1+JSON')).status).toBe(200)
    })
  })

  describe('An absent, unsupported or wrongly shaped Accept header gives 406.', () => {
    test.each([
      undefined,
      '',
      'application/json',
      'application/vnd.api+json',
      'application/vnd.api.v+json',
      'application/vnd.api.1+json',
      'application/vnd.api.v1',
      'application/vnd.api.v1.0+json',
      'application/vnd.api.v1+xml',
      'xapplication/vnd.api.v1+json',
      '*/*',
      'v1',
    ])('Accept: %s', async (accept) => {
      expectMetricsError(await ask(accept), 406, 'NOT_ACCEPTABLE')
    })
  })

  test('The core interface example uses Accept: application/vnd.api+json with no version number.', async () => {
    const token = await accessToken('integration')
    expect((await connect().core('skus', { token, headers: { Accept: JSON_API } })).status).toBe(200)
    const versioned = { Accept: 'application/vnd.api.v1+json' }
    expect((await connect().core('skus', { token, headers: versioned })).status).toBe(406)
  })
})
