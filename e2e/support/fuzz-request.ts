/** A generated request, and what every answer to one must keep to. */
import { demo } from './demo.ts'
import { expectDecent } from './expect-errors.ts'
import { send, type Reply } from './send.ts'
import type { JsonApiErrors, MetricsError, OAuthErrors } from './wire.ts'

export interface FuzzRequest {
  readonly method: string
  /** Below the interface's own address, already percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: string | Buffer
}

/** One interface: where it is and how its answers and refusals look. */
export interface Dialect {
  readonly url: () => string
  readonly mediaType: RegExp
  readonly expectRefusal: (reply: Reply) => void
}

export const coreDialect: Dialect = {
  url: () => `${demo().base_url}/api`,
  mediaType: /^application\/vnd\.api\+json$/,
  expectRefusal: (reply) => {
    const { errors } = reply.json<JsonApiErrors>()
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      expect(error.status).toMatch(/^4\d\d$/)
      expect(error.code).toMatch(/^[A-Z_]+$/)
      expect(error.title).not.toBe('')
      expect(error.detail).not.toBe('')
    }
    // Several faults of different statuses are answered 400 (JSON:API 1.0, Processing Errors).
    const [status, ...others] = new Set(errors.map((error) => error.status))
    expect(reply.status).toBe(others.length > 0 ? 400 : Number(status))
  },
}

export const metricsDialect: Dialect = {
  url: () => `${demo().base_url}/metrics`,
  mediaType: /^application\/(vnd\.api(\.v1)?\+)?json/,
  expectRefusal: (reply) => {
    const { error } = reply.json<MetricsError>()
    expect(error.status).toBe(reply.status)
    expect(error.code).toMatch(/^[A-Z_]+$/)
    expect(error.meta?.trace_id).toBe(reply.status === 401 ? undefined : reply.headers['x-request-id'])
  },
}

export const authDialect: Dialect = {
  url: () => demo().auth_url,
  mediaType: /^application\/json/,
  expectRefusal: (reply) => {
    const { error, error_description: description, errors } = reply.json<OAuthErrors>()
    expect(description).not.toBe('')
    expect(errors[0]).toMatchObject({ title: error, status: reply.status })
  },
}

/** Longest an answer may take, whatever was asked. */
const ANSWER_MS_MAX = 10_000

/** Sends it and checks the answer; a failure names the request so that it can be repeated with curl. */
export const checkAnswer = async (request: FuzzRequest, dialect: Dialect, from: string): Promise<Reply> => {
  const { method, path, headers, body } = request
  try {
    const reply = await send({
      method,
      url: `${dialect.url()}${path}`,
      headers,
      from,
      timeoutMs: ANSWER_MS_MAX,
      ...(body === undefined ? {} : { body }),
    })
    expect(reply.status).toBeLessThan(500)
    expectDecent(reply)
    if (reply.status === 204 || method === 'HEAD') return reply
    expect(reply.headers['content-type']).toMatch(dialect.mediaType)
    if (reply.status >= 400) dialect.expectRefusal(reply)
    else if (/json/.test(reply.headers['content-type'] ?? ''))
      expect(reply.json()).toEqual(expect.any(Object))
    return reply
  } catch (cause) {
    const shown = { method, path, headers, body: body?.toString().slice(0, 2_000) }
    throw new Error(`${(cause as Error).message}\nrequest: ${JSON.stringify(shown)}`, { cause })
  }
}
