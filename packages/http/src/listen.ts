import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { trackConnections, type OpenConnections } from './open-connections.ts'
import { answerBadTarget, answerClientError, answerConnect, type RawErrors } from './raw-errors.ts'
import { toOriginForm } from './request-target.ts'

/** Port 0 takes a free one. `drainTimeoutMs` (default 10,000) is how long requests in flight get when closing. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly drainTimeoutMs?: number
  /** How requests that are no HTTP at all are answered; JSON:API wording unless given. */
  readonly rawErrors?: RawErrors
}

/** A listening server; `close` may be called more than once. */
export interface Listening {
  readonly url: string
  readonly port: number
  /** From now on every answer ends its connection, so that clients go elsewhere with the next; goes on accepting. */
  readonly endConnections: () => void
  readonly close: () => Promise<void>
}

const HEADERS_BYTES_MAX = 16_384
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than the idle timeout of usual load balancers (60 s), which must be the side that hangs up. */
const KEEP_ALIVE_MS = 65_000
const CONNECTIONS_MAX = 10_000
const TIMEOUT_CHECK_MS = 5_000

const bind = async (server: Server, host: string, port: number): Promise<AddressInfo> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  server.once('error', (cause) => {
    reject(new Error(`cannot listen on ${host}:${port}: ${cause.message}`, { cause }))
  })
  server.listen({ host, port }, () => {
    resolve(undefined)
  })
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address')
  return address
}

/** Where a client on this machine reaches the address. */
const urlOf = ({ address, family, port }: AddressInfo): string => {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`
}

/** Ends keep-alive with the response in hand, so that a draining connection closes after it. */
const endAfter = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Turns of the event loop: to accept a connection, to read from it, to begin its request. */
const TURNS = 3

/** What has arrived is taken in first, also when this process was too busy to do so before the timer that ends it. */
const takeInArrived = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
}

const drain = (server: Server, connections: OpenConnections, drainTimeoutMs: number) => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  server.close((error) => {
    if (error === undefined) resolve(undefined)
    else reject(error)
  })
  void takeInArrived().then(() => connections.endUnused())
  for (const response of connections.lastResponses()) {
    endAfter(response)
    response.once('close', () => {
      server.closeIdleConnections()
    })
  }
  const timer = setTimeout(() => {
    server.closeAllConnections()
  }, drainTimeoutMs)
  return promise.finally(() => {
    clearTimeout(timer)
  })
}

/**
 * Serves `handler` with limits on headers, time and connections. `close` stops accepting, ends idle connections, waits
 * for requests in flight at most `drainTimeoutMs`, then cuts what is left.
 */
export const listen = async (handler: RequestListener, options: ListenOptions): Promise<Listening> => {
  const { host, port, drainTimeoutMs = 10_000, rawErrors } = options
  const server = createServer({
    maxHeaderSize: HEADERS_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    requireHostHeader: false, // createApp answers that with a body
  })
  server.maxConnections = CONNECTIONS_MAX
  const connections = trackConnections(server)
  let draining: Promise<unknown> | undefined
  let isEnding = false
  server.on('request', (req, response: ServerResponse) => {
    connections.begin(response)
    if (isEnding) endAfter(response)
    const target = toOriginForm(req.url ?? '')
    if (target === undefined) {
      answerBadTarget(response, rawErrors)
      return
    }
    req.url = target
    handler(req, response)
  })
  // RFC 9110 10.1.1 lets a server ignore an expectation it does not know; Node would answer 417 without a body.
  server.on('checkExpectation', (req, response) => server.emit('request', req, response))
  server.on('connect', answerConnect(rawErrors))
  server.on('clientError', answerClientError(connections.isAnswering, rawErrors))
  const address = await bind(server, host, port)
  const endConnections = (): void => {
    isEnding = true
    for (const response of connections.lastResponses()) endAfter(response)
  }
  const close = async (): Promise<void> => {
    endConnections()
    draining ??= takeInArrived().then(() => drain(server, connections, drainTimeoutMs))
    await draining
  }
  return { url: urlOf(address), port: address.port, endConnections, close }
}
