import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Secret } from '@merx/config/secret'
import { runWithContext } from '@merx/telemetry/request-context'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import { InternalCallError } from '../../src/internal-call-error.ts'
import { createInternalClient, type InternalClientOptions } from '../../src/internal-client.ts'
import { listen, type Listening } from '../../src/listen.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

const open = new Set<Listening>()
const KEY = 'an-internal-key-of-some-length'

const against = async (handler: Handler, options: Partial<InternalClientOptions> = {}) => {
  const server = await listen((req, res) => void handler(req, res), {
    host: '127.0.0.1',
    port: 0,
    drainTimeoutMs: 10,
  })
  open.add(server)
  const { log, lines } = createRecordingLogger()
  const client = createInternalClient({
    url: server.url,
    key: new Secret(KEY),
    timeoutMs: 5_000,
    log,
    ...options,
  })
  return { client, lines, server }
}

const failure = async (call: Promise<unknown>): Promise<InternalCallError> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof InternalCallError)) throw new Error('the call did not fail with InternalCallError')
  return error
}

const answerJson = (res: ServerResponse, body: unknown, status = 200): void => {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

const echo: Handler = async (req, res) => {
  answerJson(res, { method: req.method, url: req.url, headers: req.headers, body: await text(req) })
}

afterEach(async () => {
  await Promise.all([...open].map(async (server) => server.close()))
  open.clear()
})

describe('a call', () => {
  it('sends the key, asks for JSON and gives the parsed answer', async () => {
    const { client } = await against(echo)
    const query = { organization_id: 'a b', limit: 5, is_new: true, mode: undefined }
    expect(await client.get('/internal/customers/x', { query })).toMatchObject({
      method: 'GET',
      url: '/internal/customers/x?organization_id=a+b&limit=5&is_new=true',
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
      body: '',
    })
  })

  it.each(['post', 'put'] as const)('%s sends its body as JSON', async (method) => {
    const { client } = await against(echo)
    expect(await client[method]('/internal/x', { a: 'é' })).toMatchObject({
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json' },
      body: '{"a":"é"}',
    })
  })

  it('carries the id of the request it serves', async () => {
    const { client } = await against(echo)
    const requestId = '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d'
    const answer = await runWithContext({ requestId }, async () => client.get('/internal/x'))
    expect(answer).toMatchObject({ headers: { 'x-request-id': requestId } })
  })

  it('gives undefined for 204', async () => {
    const { client } = await against((_req, res) => void res.writeHead(204).end())
    expect(await client.put('/internal/x', {})).toBeUndefined()
  })

  it('gives what its parse makes of the answer', async () => {
    const { client } = await against((_req, res) => {
      answerJson(res, { id: 7 })
    })
    const parse = (answer: unknown) => (answer as { id: number }).id + 1
    expect(await client.get('/internal/x', { parse })).toBe(8)
  })

  it('gives the bytes of an answer as they came, however many pieces, and the status of one that is none', async () => {
    const { client } = await against((_req, res) => {
      res.write(Buffer.from([0x7b, 0xe6, 0xb3]))
      setTimeout(() => res.end(Buffer.from([0xa8, 0xff])), 20)
    })
    const bytes = await client.getBytes('/internal/x')
    expect([...bytes]).toEqual([0x7b, 0xe6, 0xb3, 0xa8, 0xff])
    expect(bytes.buffer.byteLength).toBe(5) // alone in it, to be handed to a thread
    const failing = await against((_req, res) => void res.writeHead(503).end('{}'))
    await expect(failing.client.getBytes('/internal/x')).rejects.toMatchObject({ status: 503 })
  })
})

describe('a failed call', () => {
  it.each([400, 401, 404, 409, 500, 503])(
    'reports status %d and the body of the response',
    async (status) => {
      const { client } = await against((_req, res) => {
        answerJson(res, { errors: [{ code: 'X' }] }, status)
      })
      const error = await failure(client.get('/internal/x'))
      expect(error).toMatchObject({ reason: 'status', status, body: { errors: [{ code: 'X' }] } })
      expect(error.message).toMatch(new RegExp(`^GET http://127.0.0.1:\\d+/internal/x: answered ${status}$`))
    },
  )

  it('reports the status also of a response that is not JSON', async () => {
    const { client } = await against((_req, res) => void res.writeHead(502).end('<html>'))
    const error = await failure(client.get('/internal/x'))
    expect(error).toMatchObject({ reason: 'status', status: 502 })
    expect(error).not.toHaveProperty('body')
  })

  it.each(['<html>', '{"a":', ''])('takes a 200 that is not JSON for a bad answer: "%s"', async (body) => {
    const { client } = await against((_req, res) => void res.end(body))
    const error = await failure(client.get('/internal/x'))
    expect(error).toMatchObject({ reason: 'bad_answer', status: 200 })
    expect(error.message).toContain('the answer is not JSON')
  })

  it('takes an answer its parse refuses for a bad one, and says why', async () => {
    const { client } = await against((_req, res) => {
      answerJson(res, { id: 'x' })
    })
    const parse = () => {
      throw new TypeError('id is no number')
    }
    const error = await failure(client.get('/internal/x', { parse }))
    expect(error).toMatchObject({ reason: 'bad_answer', cause: { message: 'id is no number' } })
  })

  it('stops reading an answer larger than the limit', async () => {
    const { client } = await against(
      (_req, res) => {
        answerJson(res, 'a'.repeat(2_000))
      },
      { answerBytesMax: 1_000 },
    )
    const error = await failure(client.get('/internal/x'))
    expect(error).toMatchObject({ reason: 'too_large', status: 200 })
    expect(error.message).toContain('the answer is larger than 1000 bytes')
  })

  it('gives up after its timeout, before the first byte', async () => {
    const { client } = await against(() => undefined, { timeoutMs: 20 })
    const error = await failure(client.get('/internal/x'))
    expect(error).toMatchObject({ reason: 'timeout' })
    expect(error.message).toContain('no answer within 20 ms')
  })

  it('gives up after its timeout, also while the answer trickles', async () => {
    const { client } = await against((_req, res) => void res.write('{'))
    expect(await failure(client.get('/internal/x', { timeoutMs: 20 }))).toMatchObject({ reason: 'timeout' })
  })

  it('reports a service that does not answer', async () => {
    const { client, server } = await against(echo)
    await server.close()
    const error = await failure(client.get('/internal/x'))
    expect(error).toMatchObject({ reason: 'unreachable' })
    expect(error).not.toHaveProperty('status')
  })

  it('reports a connection that was cut', async () => {
    const { client } = await against((_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' }).write('{"a":')
      setImmediate(() => res.destroy())
    })
    expect(await failure(client.get('/internal/x'))).toMatchObject({ reason: 'unreachable' })
  })

  it('ends with the signal of its caller', async () => {
    const controller = new AbortController()
    const { client } = await against(() => {
      controller.abort()
    })
    const error = await failure(client.get('/internal/x', { signal: controller.signal }))
    expect(error).toMatchObject({ reason: 'aborted' })
  })

  it('follows no redirect, so that the key goes nowhere else', async () => {
    const { client } = await against(
      (_req, res) => void res.writeHead(302, { Location: 'http://x.invalid/' }).end(),
    )
    expect(await failure(client.get('/internal/x'))).toMatchObject({ reason: 'unreachable' })
  })

  it('shows neither key nor query nor body in its message or in the log', async () => {
    const { client, lines } = await against((_req, res) => void res.writeHead(500).end())
    const call = client.post('/internal/x', { password: 'hunter2' }, { query: { email: 'jane@example.com' } })
    const error = await failure(call)
    for (const shown of [error.message, JSON.stringify(lines)])
      expect(shown).not.toMatch(/hunter2|jane|internal-key/)
    expect(lines).toMatchObject([{ level: 'debug', err: { reason: 'status', status: 500 } }])
  })
})
