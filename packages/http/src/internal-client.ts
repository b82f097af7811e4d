/** Calls between services: JSON over HTTP with the service key, a timeout, a size limit and one error class. */
import type { Secret } from '@merx/config/secret'
import type { Logger } from '@merx/telemetry/logger'
import { currentContext } from '@merx/telemetry/request-context'
import { toTraceId } from '@merx/telemetry/trace-ids'
import { isRecording, isTracing } from '@merx/telemetry/tracing'
import { InternalCallError } from './internal-call-error.ts'

/** `url` is the origin of the other service's internal listener; `timeoutMs` bounds each call unless it says otherwise. */
export interface InternalClientOptions {
  readonly url: string
  readonly key: Secret
  readonly timeoutMs: number
  readonly log: Logger
  /** Largest answer read, in bytes. Default 32 MiB. */
  readonly answerBytesMax?: number
}

/** Undefined query values are left out. */
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** `parse` turns the answer into what the caller works with, and throws on any other. */
export interface ParsedCallOptions<T> extends CallOptions {
  readonly parse: (answer: unknown) => T
}

type Call = {
  (path: string, options?: CallOptions): Promise<unknown>
  <T>(path: string, options: ParsedCallOptions<T>): Promise<T>
}

type CallWithBody = {
  (path: string, body: unknown, options?: CallOptions): Promise<unknown>
  <T>(path: string, body: unknown, options: ParsedCallOptions<T>): Promise<T>
}

/** Every method gives the parsed JSON of a 2xx answer (undefined for 204) or throws InternalCallError. */
export interface InternalClient {
  readonly get: Call
  readonly post: CallWithBody
  readonly put: CallWithBody
  /** The bytes of a 2xx answer, for those who read it in another thread. */
  readonly getBytes: (path: string, options?: CallOptions) => Promise<Uint8Array<ArrayBuffer>>
}

const ANSWER_BYTES_MAX = 33_554_432

interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly body: unknown
  readonly options: Partial<ParsedCallOptions<unknown>>
}

const urlOf = (origin: string, path: string, query: CallOptions['query'] = {}): URL => {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** Queries may hold addresses of customers, so errors name the path only. */
const placeOf = ({ method, url }: Exchange) => ({ method, url: `${url.origin}${url.pathname}` })

/**
 * W3C traceparent. Where a span is recorded, the instrumentation of fetch adds it. Otherwise it is the caller's; or, so that
 * the other service does not begin a trace in the middle of a request that is left out here, one that is not recorded.
 */
const traceHeaders = (): Record<string, string> => {
  if (isRecording()) return {}
  const request = currentContext()
  if (request === undefined) return {}
  if (!isTracing()) return request.traceparent === undefined ? {} : { traceparent: request.traceparent }
  const traceId = toTraceId(request.requestId)
  return { traceparent: `00-${traceId}-${traceId.slice(0, 15)}1-00` }
}

const headersFor = (key: Secret, body: unknown): Record<string, string> => {
  const requestId = currentContext()?.requestId
  return {
    accept: 'application/json',
    authorization: `Bearer ${key.reveal()}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    ...traceHeaders(),
  }
}

const concat = (chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** Throws InternalCallError for an answer that is too large. */
const readBytes = async (
  response: Response,
  exchange: Exchange,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const read: Uint8Array[] = []
  let length = 0
  const chunks: AsyncIterable<Uint8Array> | Uint8Array[] = response.body ?? []
  for await (const chunk of chunks) {
    length += chunk.byteLength
    if (length > bytesMax) {
      const explanation = `the answer is larger than ${bytesMax} bytes`
      throw new InternalCallError('too_large', {
        ...placeOf(exchange),
        status: response.status,
        explanation,
      })
    }
    read.push(chunk)
  }
  return concat(read, length)
}

const parseJson = (bytes: Uint8Array): { json: unknown } | undefined => {
  try {
    const text = new TextDecoder().decode(bytes)
    return { json: text === '' ? undefined : (JSON.parse(text) as unknown) }
  } catch {
    return undefined // the caller says what was expected
  }
}

/** What a caller gets of a 2xx answer. */
type Present<T> = (response: Response, bytes: Uint8Array<ArrayBuffer>, exchange: Exchange) => T

/** Throws InternalCallError for every status but 2xx. */
const requireSuccess = ({ ok, status }: Response, bytes: Uint8Array, exchange: Exchange): void => {
  if (ok) return
  const body = parseJson(bytes)?.json
  const explanation = `answered ${status}`
  throw new InternalCallError('status', { ...placeOf(exchange), status, body, explanation })
}

/** Throws InternalCallError for what is no JSON, or not what was expected. */
const present = ({ status }: Response, bytes: Uint8Array, exchange: Exchange): unknown => {
  const parsed = parseJson(bytes)
  if (parsed === undefined || (parsed.json === undefined && status !== 204)) {
    throw new InternalCallError('bad_answer', {
      ...placeOf(exchange),
      status,
      explanation: 'the answer is not JSON',
    })
  }
  try {
    return exchange.options.parse === undefined ? parsed.json : exchange.options.parse(parsed.json)
  } catch (cause) {
    const explanation = 'the answer has not the expected shape'
    throw new InternalCallError('bad_answer', { ...placeOf(exchange), status, cause, explanation })
  }
}

const toCallError = (cause: unknown, exchange: Exchange, timeoutMs: number): InternalCallError => {
  if (cause instanceof InternalCallError) return cause
  const place = { ...placeOf(exchange), cause }
  if (exchange.options.signal?.aborted === true) {
    return new InternalCallError('aborted', { ...place, explanation: 'aborted by the caller' })
  }
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new InternalCallError('timeout', { ...place, explanation: `no answer within ${timeoutMs} ms` })
  }
  return new InternalCallError('unreachable', { ...place, explanation: 'cannot be reached' })
}

/**
 * A client of one other service.
 *
 *     const core = createInternalClient({ url: config.coreInternalUrl, key: config.serviceKey, timeoutMs: 2_000, log })
 *     const facts = await core.post('/internal/scopes/resolve', { references }, { parse: parseFacts })
 */
export const createInternalClient = (options: InternalClientOptions): InternalClient => {
  const { url: origin, key, timeoutMs: defaultTimeoutMs, log, answerBytesMax = ANSWER_BYTES_MAX } = options

  const exchangeOnce = async <T>(
    exchange: Exchange,
    presentAs: Present<T>,
    timeoutMs: number,
  ): Promise<T> => {
    const { method, url, body, options: call } = exchange
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method,
        headers: headersFor(key, body),
        redirect: 'error',
        signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const bytes = await readBytes(response, exchange, answerBytesMax)
      requireSuccess(response, bytes, exchange)
      return presentAs(response, bytes, exchange)
    } catch (cause) {
      throw toCallError(cause, exchange, timeoutMs)
    }
  }

  const run = async <T>(exchange: Exchange, presentAs: Present<T>): Promise<T> => {
    try {
      return await exchangeOnce(exchange, presentAs, exchange.options.timeoutMs ?? defaultTimeoutMs)
    } catch (error) {
      log.debug({ err: error }, 'an internal call failed')
      throw error
    }
  }

  const toGet = (path: string, call: Partial<ParsedCallOptions<unknown>>): Exchange => ({
    method: 'GET',
    url: urlOf(origin, path, call.query),
    body: undefined,
    options: call,
  })
  const get = async (path: string, call: Partial<ParsedCallOptions<unknown>> = {}) =>
    run(toGet(path, call), present)
  const getBytes = async (path: string, call: CallOptions = {}) =>
    run(toGet(path, call), (_response, bytes) => bytes)
  const withBody =
    (method: 'POST' | 'PUT') =>
    async (path: string, body: unknown, call: Partial<ParsedCallOptions<unknown>> = {}) =>
      run({ method, url: urlOf(origin, path, call.query), body, options: call }, present)
  return { get, getBytes, post: withBody('POST'), put: withBody('PUT') }
}
