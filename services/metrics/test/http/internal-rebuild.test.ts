/** `/internal/ingest/rebuild` costs work: nobody begins it without the service key. */
import { Secret } from '@merx/config/secret'
import { AppError } from '@merx/errors/app-error'
import { inProcessClient, type InProcessClient } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { createInternalApp } from '../../src/app.ts'

const KEY = 'the-key-of-these-services'
const REBUILD = '/internal/ingest/rebuild'

let requested: number
let fault: Error | undefined
let internal: InProcessClient
beforeEach(() => {
  requested = 0
  fault = undefined
  const requestRebuild = async (): Promise<number> => {
    if (fault !== undefined) throw fault
    requested += 1
    return 2
  }
  internal = inProcessClient(
    createInternalApp(
      { ready: {}, ingester: undefined, requestRebuild, serviceKey: new Secret(KEY) },
      { log: silentLogger, trustProxy: 0 },
    ),
  )
})

it('begins with the key, and says which generation it builds', async () => {
  const { status, body } = await internal.request('POST', REBUILD, { token: KEY })
  expect([status, body, requested]).toEqual([202, { generation: 2 }, 1])
})

it.each([
  ['no key', {}],
  ['another key', { Authorization: 'Bearer another-key' }],
  ['the beginning of the key', { Authorization: `Bearer ${KEY.slice(0, -1)}` }],
  ['the key and more', { Authorization: `Bearer ${KEY}x` }],
  ['an empty key', { Authorization: 'Bearer ' }],
  ['the key in another scheme', { Authorization: `Basic ${KEY}` }],
])('is refused with %s, and nothing begins', async (_what, headers) => {
  const { status, body, headers: answered } = await internal.request('POST', REBUILD, { headers })
  expect([status, requested]).toEqual([401, 0])
  expect(answered['www-authenticate']).toBe('Bearer realm="internal"')
  expect(JSON.stringify(body)).not.toContain(KEY)
})

it.each(['GET', 'PUT', 'DELETE'])('is no address of %s', async (method) => {
  const { status, headers } = await internal.request(method, REBUILD, { token: KEY })
  expect([status, headers['allow'], requested]).toEqual([405, 'POST', 0])
})

it.each([
  [503, new AppError('service_unavailable')],
  [500, new Error('the engine said: /secret/path')],
])('answers %d when it cannot begin, without the message of the engine', async (expected, error) => {
  fault = error
  const { status, text } = await internal.request('POST', REBUILD, { token: KEY })
  expect(status).toBe(expected)
  expect(text).not.toContain('secret')
})

it('how late the store is needs no key, and is not known where nothing is filled', async () => {
  const { status, body } = await internal.get('/internal/ingest')
  expect([status, body]).toEqual([200, null])
})
