/** Requests against an Express application over connections in memory: real HTTP of Node on both sides, without sockets. */
import { Agent, createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { connectInMemory } from './connect-in-memory.ts'

/** What a request carries. */
export interface RequestOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON under the Content-Type of `headers`, or application/json. A string or Buffer is sent as it is. */
  readonly body?: unknown
}

/** What the app answered. */
export interface InProcessResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body of any JSON media type, else undefined. */
  readonly body: unknown
  readonly text: string
  /** The body as it was sent, for files. */
  readonly bytes: Buffer
}

/** Sends requests to an app without a network address of its own. */
export interface InProcessClient {
  request(method: string, path: string, options?: RequestOptions): Promise<InProcessResponse>
  get(path: string, options?: RequestOptions): Promise<InProcessResponse>
  post(path: string, options?: RequestOptions): Promise<InProcessResponse>
}

/** `application/json` and every `application/…+json`. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i

/**
 * Costs a quarter of a request over a socket of its own. Rejects when the app ends the connection without an answer.
 * @example const client = inProcessClient(app); const { status, body } = await client.get('/api/skus', { token })
 */
export const inProcessClient = (app: RequestListener): InProcessClient => {
  const server = createServer(app)
  const agent = new (class extends Agent {
    override createConnection() {
      return connectInMemory(server)
    }
  })({ keepAlive: true })
  const request: InProcessClient['request'] = async (method, path, options = {}) => {
    const target = { agent, method: method.toUpperCase(), path: toAscii(path), host: '127.0.0.1' }
    const response = await send(target, options)
    return present(response, await buffer(response))
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, options) => request('POST', path, options),
  }
}

/** As browsers do with characters that a request line cannot hold. */
const toAscii = (path: string): string => path.replace(/[^\x21-\x7e]/gu, encodeURIComponent)

interface Target {
  readonly agent: Agent
  readonly method: string
  readonly path: string
  readonly host: string
}

const send = (target: Target, { token, headers, body }: RequestOptions): Promise<IncomingMessage> => {
  const payload = body === undefined ? undefined : toPayload(body)
  const sending = httpRequest({ ...target, headers: headersOf(token, headers, payload) })
  return new Promise((resolve, reject) => {
    sending.on('response', resolve).on('error', reject)
    sending.end(payload)
  })
}

/** Later ones win, whatever their case. */
const headersOf = (
  token: string | undefined,
  headers: RequestOptions['headers'],
  payload: string | Buffer | undefined,
): Record<string, string> =>
  Object.fromEntries(
    [
      ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ...(payload === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...(payload === undefined ? [] : [['Content-Length', String(Buffer.byteLength(payload))] as const]),
      ...Object.entries(headers ?? {}),
    ].map(([name, value]) => [name.toLowerCase(), value]),
  )

const toPayload = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

const present = ({ statusCode, headers }: IncomingMessage, bytes: Buffer): InProcessResponse => {
  const text = bytes.toString('utf8')
  const isJson = JSON_TYPE.test(headers['content-type'] ?? '') && text !== ''
  return {
    status: statusCode ?? 0,
    headers: headers as Record<string, string>,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
    text,
    bytes,
  }
}
