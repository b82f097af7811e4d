/**
 * Whether this process records traces, and which. A request that is not recorded costs one decision about its id and
 * makes no span at all: at a sampling ratio of 1 % that is nearly every request.
 */
import {
  context,
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type SpanContext,
} from '@opentelemetry/api'
import { currentContext } from './request-context.ts'
import type { RemoteParent } from './trace-ids.ts'

/** Decides about a trace from its id and its parent, if any; `true` is to record it. */
export type Decide = (traceId: string, parent: Context) => boolean

let decide: Decide | undefined
let nextTraceId: string | undefined

/** Called by startTelemetry; undefined switches tracing off. */
export const setTracing = (given: Decide | undefined): void => {
  decide = given
}

/** Whether spans go anywhere. */
export const isTracing = (): boolean => decide !== undefined

/** The trace id that the next span without a parent gets; asked once by the generator of ids. */
export const takeTraceId = (): string | undefined => {
  const taken = nextTraceId
  nextTraceId = undefined
  return taken
}

const SPAN_ID_LENGTH = 16

const remoteContext = (parent: RemoteParent, tracestate: unknown): Context => {
  const spanContext: SpanContext = {
    traceId: parent.traceId,
    spanId: parent.traceparent.slice(36, 36 + SPAN_ID_LENGTH),
    traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(typeof tracestate === 'string' ? { traceState: createTraceState(tracestate) } : {}),
  }
  return trace.setSpanContext(ROOT_CONTEXT, spanContext)
}

/** The request whose span is to begin; `traceId` is that of `parent` when there is one. */
export interface IncomingTrace {
  readonly traceId: string
  readonly parent: RemoteParent | undefined
  readonly tracestate: unknown
}

/** The context of a new server span, which is in it; undefined when the request is not recorded. */
export const startServerSpan = (
  { traceId, parent, tracestate }: IncomingTrace,
  name: string,
): Context | undefined => {
  if (decide === undefined) return undefined
  const above = parent === undefined ? ROOT_CONTEXT : remoteContext(parent, tracestate)
  if (!decide(traceId, above)) return undefined
  nextTraceId = parent === undefined ? traceId : undefined
  const span = trace.getTracer('merx').startSpan(name, { kind: SpanKind.SERVER }, above)
  nextTraceId = undefined
  return trace.setSpan(above, span)
}

/** Whether a span begun here would be recorded: inside a request, only below the span of that request. */
export const isRecording = (): boolean => {
  if (decide === undefined) return false
  const active = trace.getSpan(context.active())
  return active === undefined ? currentContext() === undefined : active.isRecording()
}
