/** A service that says what it was asked, so that a test sees a gateway from behind. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { beginStream } from '@merx/http/begin-stream'
import { createApp } from '@merx/http/create-app'
import { requestIdOf } from '@merx/http/dialect'
import { finishApp } from '@merx/http/finish-app'
import { silentLogger } from '@merx/testing/silent-logger'

/** What a service makes of a request that came through the gateway. */
export interface Seen {
  readonly service: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bodyBytes: number
  /** Number of the connection it came on, counted per service. */
  readonly connection: number
  readonly requestId: string
  readonly client: string
  readonly protocol: string
}

const SLOW_MS = 400

const lengthOf = async (req: IncomingMessage): Promise<number> => {
  let bytes = 0
  for await (const chunk of req) bytes += (chunk as Buffer).length
  return bytes
}

/** Answers 200 with a Seen; `?status=` chooses another status, `?slow` waits first, `?hang` never answers, `?stream` begins and does not end. */
export const createEchoApp = (service: string, trustProxy: number): ReturnType<typeof createApp> => {
  const connections = new WeakMap<object, number>()
  let opened = 0
  const app = createApp({
    service,
    log: silentLogger,
    trustProxy,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  app.use(async (req, res) => {
    if (!connections.has(req.socket)) connections.set(req.socket, (opened += 1))
    const bodyBytes = await lengthOf(req)
    const { searchParams } = new URL(req.originalUrl, 'http://echo')
    if (searchParams.has('hang')) return
    if (searchParams.has('stream')) {
      beginStream(res, 'text/event-stream')
      res.write('data: first\n\n')
      return
    }
    if (searchParams.has('slow')) await new Promise((done) => setTimeout(done, SLOW_MS))
    const seen = {
      service,
      method: req.method,
      url: req.originalUrl,
      headers: req.headers,
      bodyBytes,
      connection: connections.get(req.socket),
      requestId: requestIdOf(res),
      client: req.ip,
      protocol: req.protocol,
    }
    res.status(Number(searchParams.get('status') ?? 200)).json(seen)
  })
  finishApp(app, { notFound: 'not_found', log: silentLogger })
  return app
}

export interface EchoService {
  /** `127.0.0.1:<port>` */
  readonly address: string
  /** Closes at once, requests in flight included. */
  stop(): Promise<void>
}

/** On a free port, or on the one it had before. It stands behind one proxy. */
export const startEchoService = async (service: string, port = 0): Promise<EchoService> => {
  const app = createEchoApp(service, 1)
  const server = createServer({ keepAliveTimeout: 65_000 }, (req: IncomingMessage, res: ServerResponse) => {
    app(req, res)
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', done)
  })
  const { port: taken } = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((done) => server.close(() => done()))
    server.closeAllConnections()
    await closed
  }
  return { address: `127.0.0.1:${taken}`, stop }
}
