/** Requests against an Express application without a fixed port: supertest, with Merx's habits. */
import type { RequestListener } from 'node:http'
import supertest from 'supertest'

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
 * @example const client = inProcessClient(app); const { status, body } = await client.get('/api/skus', { token })
 */
export const inProcessClient = (app: RequestListener): InProcessClient => {
  const request: InProcessClient['request'] = async (method, path, options = {}) => {
    const call = new supertest.Test(app, method.toUpperCase(), path)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)))
        response.on('end', () => done(null, Buffer.concat(chunks)))
      })
      .ok(() => true)
    if (options.token !== undefined) call.set('Authorization', `Bearer ${options.token}`)
    if (options.body !== undefined) call.set('Content-Type', 'application/json')
    call.set({ ...options.headers })
    const response = await (options.body === undefined ? call : call.send(toPayload(options.body)))
    return present(response)
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, options) => request('POST', path, options),
  }
}

const toPayload = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

const present = (response: supertest.Response): InProcessResponse => {
  const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.from(response.text ?? '')
  const text = bytes.toString('utf8')
  const headers = response.headers as Record<string, string>
  const isJson = JSON_TYPE.test(headers['content-type'] ?? '') && text !== ''
  return {
    status: response.status,
    headers,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
    text,
    bytes,
  }
}
