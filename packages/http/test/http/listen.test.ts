import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { listen, type Listening } from '../../src/listen.ts'
import { sendRaw, testApp } from './test-app.ts'

const HOST = '127.0.0.1'
const open = new Set<Listening>()

const serve = async (
  handler: (req: IncomingMessage, res: ServerResponse) => void,
  options: Partial<Parameters<typeof listen>[1]> = {},
): Promise<Listening> => {
  const server = await listen(handler, { host: HOST, port: 0, ...options })
  open.add(server)
  return server
}

afterEach(async () => {
  await Promise.all([...open].map(async (server) => server.close()))
  open.clear()
})

const ok = (_req: IncomingMessage, res: ServerResponse): void => {
  res.end('ok')
}

describe('listen', () => {
  it('serves at the URL it returns, on a free port for port 0', async () => {
    const { url, port } = await serve(ok)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(await (await fetch(url)).text()).toBe('ok')
  })

  it('gives a url that works when it listens on every address', async () => {
    const { url, port } = await serve(ok, { host: '0.0.0.0' })
    expect(url).toBe(`http://localhost:${port}`)
    expect((await fetch(url)).status).toBe(200)
  })

  it('says where it could not listen and why', async () => {
    const { port } = await serve(ok)
    await expect(listen(ok, { host: HOST, port })).rejects.toThrow(
      new RegExp(`cannot listen on 127.0.0.1:${port}: .*EADDRINUSE`),
    )
  })
})

describe('what is no proper HTTP', () => {
  const { app } = testApp((a) => {
    a.get('/', (_req, res) => {
      res.json({ ok: true })
    })
  })

  it.each([
    ['garbage', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'two Host headers',
      'GET / HTTP/1.1\r\nHost: x\r\nhOST: x\r\nConnection: close\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'two Authorization headers',
      'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nauthorization: b\r\nConnection: close\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    ['a NUL in the path', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'headers too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a path too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a target that is no URL', 'GET http://[bad/ HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a target without host', 'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a target of another scheme', 'GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'an expectation nobody knows, of a path that is not there',
      'GET /no HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
  ])('is answered as JSON, never HTML: %s', async (_name, bytes, status, code) => {
    const { port } = await serve(app)
    const answer = await sendRaw(port, bytes)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('application/vnd.api+json')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers.connection).toBe('close')
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ code, status: String(status) }] })
  })

  it('is answered in the dialect given', async () => {
    const rawErrors = {
      encodeError: encodeMetrics,
      malformed: 'metrics_request_not_valid',
      headersTooLarge: 'metrics_headers_too_large',
      timeout: 'metrics_request_timeout',
    } as const
    const { port } = await serve(app, { rawErrors })
    const answer = await sendRaw(port, 'hello\r\n\r\n')
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'BAD_REQUEST', status: 400 } })
  })

  it('does not write into an answer already under way', async () => {
    const { port } = await serve((_req, res) => {
      res.write('begun')
    })
    const socket = connect({ host: HOST, port })
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    socket.once('data', () => socket.write('not a chunk\r\n'))
    const answer = await text(socket).catch(() => 'begun, then reset')
    expect(answer).toContain('begun')
    expect(answer).not.toContain('BAD_REQUEST')
  })

  it('serves on after it', async () => {
    const { url, port } = await serve(app)
    await sendRaw(port, 'hello\r\n\r\n')
    expect((await fetch(url)).status).toBe(200)
  })

  it('serves a target that is an absolute URL', async () => {
    const { port } = await serve(app)
    const bytes = 'GET http://shop.example/?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    expect(await sendRaw(port, bytes)).toMatchObject({ status: 200, body: '{"ok":true}' })
  })

  it('serves HTTP/1.0 without Host', async () => {
    const { port } = await serve(app)
    expect((await sendRaw(port, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(200)
  })
})

/** Two requests sent at once on one connection, and their responses, which the test finishes. */
const pipeline = async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<readonly ServerResponse[]>()
  const responses: ServerResponse[] = []
  const { port, close } = await serve((_req, res) => {
    if (responses.push(res) === 2) resolve(responses)
  })
  const socket = connect({ host: HOST, port })
  socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n')
  return { socket, close, responses: await arrived }
}

describe('close', () => {
  /** A handler whose responses the test finishes, and a promise of the first request. */
  const held = () => {
    const { promise: arrived, resolve } = Promise.withResolvers<ServerResponse>()
    return { arrived, handler: (_req: IncomingMessage, res: ServerResponse) => resolve(res) }
  }

  it('lets the request in flight finish, ending its connection, and takes no new one', async () => {
    const { arrived, handler } = held()
    const { url, close } = await serve(handler)
    const answer = fetch(url)
    const response = await arrived
    const closed = close()
    await wait(20) // what has arrived until then is taken
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    response.end('done')
    const received = await answer
    expect(await received.text()).toBe('done')
    expect(received.headers.get('connection')).toBe('close')
    await closed
  })

  it('waits for an answer whose headers are sent already', async () => {
    const { arrived, handler } = held()
    const { url, close } = await serve(handler)
    const answer = fetch(url)
    const response = await arrived
    response.write('first ')
    const closed = close()
    response.end('last')
    expect(await (await answer).text()).toBe('first last')
    await closed
  })

  it('ends idle keep-alive connections at once', async () => {
    const { port, close } = await serve(ok)
    const socket = connect({ host: HOST, port })
    const ended = new Promise((resolve) => socket.once('close', resolve))
    const answered = new Promise((resolve) => socket.once('data', resolve))
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await answered
    await close()
    await ended
  })

  it('ends connections on which nothing was sent, as clients open them ahead, at once', async () => {
    const { port, close } = await serve(ok)
    const socket = connect({ host: HOST, port })
    const ended = new Promise((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('connect', resolve))
    await fetch(`http://${HOST}:${port}`) // the server has accepted the connection before this one
    await close()
    await ended
  })

  it('cuts what is still in flight after the drain timeout', async () => {
    const { arrived, handler } = held()
    const { url, close } = await serve(handler, { drainTimeoutMs: 20 })
    const answer = expect(fetch(url)).rejects.toThrow('fetch failed')
    await arrived
    await close()
    await answer
  })

  it('answers what arrived while the process was too busy to read it', async () => {
    const server = await serve(ok)
    const isSent = new Int32Array(new SharedArrayBuffer(4))
    // A client that goes on while this process is busy.
    const client = new Worker(
      `const { parentPort, workerData: { port, isSent } } = require('node:worker_threads')
       const socket = require('node:net').connect(port, '127.0.0.1', () =>
         socket.write('POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\n\\r\\n', () => {
           Atomics.store(isSent, 0, 1)
           Atomics.notify(isSent, 0)
         }))
       const end = (text) => parentPort.postMessage(text)
       socket.once('data', (data) => end(data.toString('latin1').slice(0, 12))).once('error', (error) => end(error.code)).once('close', () => end('closed'))`,
      { eval: true, workerData: { port: server.port, isSent } },
    )
    const answered = once(client, 'message')
    Atomics.wait(isSent, 0, 0)
    await server.close()
    expect(await answered).toEqual(['HTTP/1.1 200'])
    await client.terminate()
  })

  it('may be called twice', async () => {
    const { close } = await serve(ok)
    await Promise.all([close(), close()])
    await close()
  })

  it('frees the port', async () => {
    const { port, close } = await serve(ok)
    await close()
    const again = createServer()
    await new Promise<void>((resolve, reject) => {
      again.once('error', reject).listen(port, HOST, resolve)
    })
    await new Promise((resolve) => again.close(resolve))
  })

  it('sends Connection: close with the last response of an open connection', async () => {
    const { arrived, handler } = held()
    const { port, close } = await serve(handler)
    const call = request({ host: HOST, port, headers: { connection: 'keep-alive' } })
    const answer = new Promise<IncomingMessage>((resolve) => call.once('response', resolve))
    call.end()
    const response = await arrived
    const closed = close()
    response.end()
    expect((await answer).headers.connection).toBe('close')
    await closed
  })

  it('answers all requests of a pipeline, ending the connection with the last', async () => {
    const { socket, responses, close } = await pipeline()
    const closed = close()
    const received = text(socket)
    for (const [index, response] of responses.entries()) response.end(`answer ${index + 1}`)
    const [first = '', second = ''] = (await received).split(/(?=HTTP\/1\.1 200)/)
    expect(first).toMatch(/keep-alive[^]*answer 1$/)
    expect(second).toMatch(/connection: close[^]*answer 2$/i)
    await closed
  })
})

describe('a pipeline', () => {
  it('cut by what is no HTTP keeps the answer that was begun before, and gets no other', async () => {
    const { socket, responses } = await pipeline()
    responses[0]?.write('begun')
    socket.once('data', () => socket.write('hello\r\n\r\n'))
    const answer = await text(socket).catch(() => 'begun, then reset')
    expect(answer).toContain('begun')
    expect(answer).not.toContain('BAD_REQUEST')
  })
})
