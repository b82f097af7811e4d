/** Errors of undici, sockets, TLS and name servers → the reason of a failed call, in words for people of the shop. */
import { RefusedAddress } from './pinned-lookup.ts'
import { failed } from './result.ts'
import type { Failed, FailureReason } from './result.ts'

/** The answer grew beyond what is read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL', 'EREFUSED', 'EBADNAME'])
const TIMEOUTS = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  'ETIMEOUT',
])
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|HOSTNAME_MISMATCH)/
// ERR_ASSERTION: undici asserts what its parser lets pass, such as that a status is at least 100.
const NOT_HTTP = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'])
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])

const MESSAGES: Readonly<Record<Exclude<FailureReason, 'invalid_url' | 'redirect'>, string>> = {
  name_not_found: 'the host name has no address',
  refused_address: 'the host name leads to an address that may not be called',
  connection: 'the connection failed or was closed before the answer was complete',
  tls: 'the TLS connection failed: the certificate or the protocol is not valid',
  timeout: 'no complete answer came in time',
  too_large: 'the answer is larger than 1 MB',
  invalid_answer: 'the answer is not HTTP',
  aborted: 'the call was given up',
}

export const failedFor = (reason: keyof typeof MESSAGES): Failed => failed(reason, MESSAGES[reason])

/** What undici, sockets and TLS throw; by its members, because errors of Node's own come from another realm in tests. */
interface Thrown {
  readonly name?: unknown
  readonly code?: unknown
  /** With several addresses each has its error. */
  readonly errors?: readonly unknown[]
}

const partsOf = (thrown: unknown): { readonly name: string; readonly code: string } => {
  const { name, code, errors }: Thrown = typeof thrown === 'object' && thrown !== null ? thrown : {}
  if (Array.isArray(errors) && errors.length > 0) return partsOf(errors[0])
  return { name: typeof name === 'string' ? name : '', code: typeof code === 'string' ? code : '' }
}

/** undefined for an error that no outside can cause: a defect of ours. */
export const toFailure = (error: unknown): Failed | undefined => {
  const { name, code } = partsOf(error)
  if (error instanceof RefusedAddress) return failedFor('refused_address')
  if (error instanceof AnswerTooLarge) return failedFor('too_large')
  if (CLOSED.has(code)) return failedFor('aborted')
  if (TIMEOUTS.has(code)) return failedFor('timeout')
  if (NOT_FOUND.has(code)) return failedFor('name_not_found')
  if (TLS.test(code)) return failedFor('tls')
  if (NOT_HTTP.has(code) || name === 'HTTPParserError') return failedFor('invalid_answer')
  // A socket that ended, and the codes of the system: ECONNREFUSED, ECONNRESET, EPIPE, EHOSTUNREACH …
  return code === 'UND_ERR_SOCKET' || /^E[A-Z]+$/.test(code) ? failedFor('connection') : undefined
}
