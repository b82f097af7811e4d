/** The first route answers as the same route does when Express finds it. */
import { AppError } from '@merx/errors/app-error'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { currentContext } from '@merx/telemetry/request-context'
import { inProcessClient } from '@merx/testing/in-process-client'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import type { RequestHandler } from 'express'
import { createApp } from '../../src/create-app.ts'
import { finishApp } from '../../src/finish-app.ts'
import type { FirstRoute } from '../../src/first-route.ts'
import { listen } from '../../src/listen.ts'
import { sendRaw } from './test-app.ts'

const PATH = '/say/it'
const ID = '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d'

const mark: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Mark', 'seen')
  next()
}

const answer: RequestHandler = (req, res) => {
  res.json({ context: currentContext()?.requestId, query: req.query, ip: req.ip })
}

const open = (last: RequestHandler, trustProxy = 0) => {
  const failed: unknown[] = []
  const firstRoute: FirstRoute = {
    method: 'POST',
    path: PATH,
    steps: [mark, last],
    onError: (error) => failed.push(error),
  }
  const { log, lines } = createRecordingLogger()
  const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
  const app = createApp({ service: 'try', log, trustProxy, ...dialect, firstRoute })
  app.post(PATH, mark, last) // for the other spellings
  finishApp(app, { notFound: 'not_found', log })
  return { app, lines, failed, client: inProcessClient(app) }
}

const varying = new Set(['date'])
const steady = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.has(name)))

const outcomes: readonly [string, RequestHandler][] = [
  ['an answer', answer],
  [
    'an error of the table that is thrown',
    () => {
      throw new AppError('record_not_found', { detail: 'gone' })
    },
  ],
  ['an error of the table that is passed on', (_req, _res, next) => next(new AppError('too_many_requests'))],
  [
    'a rejection',
    async () => {
      await Promise.resolve()
      throw new AppError('payload_too_large')
    },
  ],
  [
    'a bug',
    () => {
      throw new TypeError('x is not a function')
    },
  ],
]

describe('the first route', () => {
  it.each(outcomes)('answers with %s as Express does', async (_what, last) => {
    const { client, lines, failed } = open(last)
    const options = { headers: { 'X-Request-Id': ID } }
    const first = await client.post(`${PATH}?a=1`, options)
    const reached = failed.length
    const other = await client.post(`${PATH}/?a=1`, options)
    expect(first.status).toBe(other.status)
    expect(steady(first.headers)).toEqual(steady(other.headers))
    expect(first.text).toBe(other.text)
    expect(first.headers['x-mark']).toBe('seen')
    expect(reached).toBe(first.status === 200 ? 0 : 1)
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.map(({ status, request_id: id }) => [status, id])).toEqual([
      [first.status, ID],
      [first.status, ID],
    ])
  })

  it('believes as many proxies as Express does', async () => {
    const { client } = open(answer, 1)
    const { body } = await client.post(PATH, { headers: { 'X-Forwarded-For': '203.0.113.9' } })
    expect(body).toMatchObject({ ip: '203.0.113.9' })
  })

  it.each([
    ['another method', 'PUT', PATH],
    ['a longer path', 'POST', `${PATH}ing`],
    ['another case', 'POST', PATH.toUpperCase()],
  ])('is not %s', async (_what, method, path) => {
    const { client } = open(answer)
    const { status } = await client.request(method, path)
    expect(status).toBe(404)
  })

  it.each<[string, RequestHandler]>([
    ['passes the request on', (_req, _res, next) => next()],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what must not be taken for no error
    ['rejects with nothing', () => Promise.reject(undefined)],
  ])('is an internal error when the last step %s', async (_what, last) => {
    const { status, body } = await open(last).client.post(PATH)
    expect(status).toBe(500)
    expect(body).toMatchObject({ errors: [{ code: 'INTERNAL_SERVER_ERROR' }] })
  })

  it('is not asked about a request that is none', async () => {
    const { app, failed } = open(answer)
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    try {
      const { status, headers } = await sendRaw(
        server.port,
        `POST ${PATH} HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      )
      expect(status).toBe(400)
      expect(headers['x-mark']).toBeUndefined()
      expect(failed).toEqual([])
    } finally {
      await server.close()
    }
  })
})
