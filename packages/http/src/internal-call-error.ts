/**
 * Why a call between services failed: `timeout` no answer in time, `unreachable` no connection, `status` an answer
 * other than 2xx, `bad_answer` not JSON or not of the expected shape, `too_large` an answer beyond the client's limit,
 * `aborted` by the caller's signal.
 */
export type InternalCallReason = 'timeout' | 'unreachable' | 'status' | 'bad_answer' | 'too_large' | 'aborted'

/** What is known of a failed call; `status` and `body` only with an answer. */
export interface InternalCallErrorOptions {
  readonly method: string
  readonly url: string
  readonly status?: number
  readonly body?: unknown
  readonly cause?: unknown
  readonly explanation: string
}

/** The one error of the internal client. `status` is set whenever the other service answered. */
export class InternalCallError extends Error {
  override readonly name = 'InternalCallError'
  readonly reason: InternalCallReason
  declare readonly status?: number
  declare readonly body?: unknown

  constructor(
    reason: InternalCallReason,
    { method, url, status, body, cause, explanation }: InternalCallErrorOptions,
  ) {
    super(`${method} ${url}: ${explanation}`, cause === undefined ? undefined : { cause })
    this.reason = reason
    if (status !== undefined) this.status = status
    if (body !== undefined) this.body = body
  }
}
