/**
 * One id in two spellings: a request's id is a UUID, its trace id the same 32 digits without dashes. So the id in an
 * error, in a log line and in `X-Request-Id` finds the trace.
 */

/** W3C Trace Context 1, section 3.2: version, trace id, parent id, flags. Later versions may append fields. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/
const SAMPLED = 1

/** What the caller says of the trace a request belongs to. */
export interface RemoteParent {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string
  readonly isSampled: boolean
  /** The header as it came. */
  readonly traceparent: string
}

/** @returns undefined when there is no header, or one that must be ignored. */
export const parseTraceparent = (header: unknown): RemoteParent | undefined => {
  if (typeof header !== 'string') return undefined
  const match = TRACEPARENT.exec(header)
  if (match === null) return undefined
  const [, version, traceId = '', , flags = '', rest] = match
  if (version === '00' && rest !== undefined) return undefined
  return { traceId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED, traceparent: header }
}

/** @example toUuid('0af7651916cd43dd8448eb211c80319c') // '0af76519-16cd-43dd-8448-eb211c80319c' */
export const toUuid = (traceId: string): string =>
  `${traceId.slice(0, 8)}-${traceId.slice(8, 12)}-${traceId.slice(12, 16)}-${traceId.slice(16, 20)}-${traceId.slice(20)}`

/** The trace id of a request, from its lower-case UUID. */
export const toTraceId = (requestId: string): string =>
  requestId.slice(0, 8) +
  requestId.slice(9, 13) +
  requestId.slice(14, 18) +
  requestId.slice(19, 23) +
  requestId.slice(24)
