/** The error bodies of the three interfaces, checked whole. */
import type { Reply } from './send.ts'
import type { JsonApiErrors, MetricsError, OAuthErrors } from './wire.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Every answer carries a request id; nothing of a refusal is HTML, a stack trace or the words of a part inside. */
export const expectDecent = (reply: Reply): void => {
  expect(reply.headers['x-request-id']).toMatch(UUID)
  expect(reply.headers['x-powered-by']).toBeUndefined()
  if (reply.status < 400) return
  expect(reply.text).not.toMatch(/<html|<!doctype|<pre>/i)
  // A frame of a stack is within one text, whereas "at this address" may be followed by a pointer that holds an instant.
  expect(reply.text).not.toMatch(/\bat ([^"\n]+ \()?(file:\/\/|node:|\/)[^)\s"]+:\d+:\d+/)
  expect(reply.text).not.toMatch(/node_modules|ECONNREFUSED|SELECT |ClickHouse|postgres|prisma/i)
}

/** The `error` object of the metrics interface (contract, "Error body"). */
export const expectMetricsError = (
  reply: Reply,
  status: number,
  code: string,
  title?: string | RegExp,
): MetricsError['error'] => {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
  expectDecent(reply)
  const { error, ...rest } = reply.json<MetricsError>()
  expect(rest).toEqual({})
  expect(error).toMatchObject({ code, status })
  expect(typeof error.title).toBe('string')
  if (title !== undefined) expect(error.title).toMatch(title)
  if (status === 401) {
    expect(Object.keys(error).sort()).toEqual(['code', 'status', 'title'])
  } else {
    expect(error.meta?.trace_id).toMatch(UUID)
    expect(error.meta?.trace_id).toBe(reply.headers['x-request-id'])
    const hasErrors = status === 400 || status === 422
    expect(Object.keys(error.meta ?? {}).sort()).toEqual(hasErrors ? ['errors', 'trace_id'] : ['trace_id'])
    if (hasErrors) expect(Array.isArray(error.meta?.errors)).toBe(true)
  }
  return error
}

/** The `errors` array of the core interface (JSON:API): every member complete, status a string. */
export const expectCoreError = (
  reply: Reply,
  status: number,
  code?: string,
): JsonApiErrors['errors'][number] => {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
  expectDecent(reply)
  expect(reply.headers['content-type']).toMatch(/^application\/vnd\.api\+json/)
  const { errors } = reply.json<JsonApiErrors>()
  expect(errors.length).toBeGreaterThan(0)
  for (const error of errors) {
    expect(error.status).toMatch(/^[45]\d\d$/)
    expect(error.code).toMatch(/^[A-Z_]+$/)
    expect(error.title.length).toBeGreaterThan(0)
    expect(error.detail.length).toBeGreaterThan(0)
  }
  const [error] = errors
  if (error === undefined) throw new Error('errors is empty')
  expect(error.status).toBe(String(status))
  if (code !== undefined) expect(error.code).toBe(code)
  return error
}

/** The body of the authentication host: RFC 6749's two keys and the `errors` array. */
export const expectOAuthError = (reply: Reply, status: number, name?: string): OAuthErrors => {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
  expectDecent(reply)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(reply.headers['cache-control']).toContain('no-store')
  const body = reply.json<OAuthErrors>()
  expect(body.error_description.length).toBeGreaterThan(0)
  expect(body.errors[0]).toMatchObject({ status, title: body.error })
  if (name !== undefined) expect(body.error).toBe(name)
  return body
}
