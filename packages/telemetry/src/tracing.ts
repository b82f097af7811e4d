/**
 * Server spans of requests. One that is not recorded leaves no span in its context, so that nothing below it makes one:
 * at a sampling ratio of 1 % that is nearly every request.
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

let isOn = false
let nextTraceId: string | undefined

/** Called by the SDK when traces start and stop. */
export const switchTracing = (on: boolean): void => {
  isOn = on
}

/** Whether spans are sent to a collector. */
export const isTracing = (): boolean => isOn

/** The trace id of the next span without a parent; the generator of ids takes it once. */
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
  if (!isOn) return undefined
  const above = parent === undefined ? ROOT_CONTEXT : remoteContext(parent, tracestate)
  nextTraceId = parent === undefined ? traceId : undefined
  const span = trace.getTracer('merx').startSpan(name, { kind: SpanKind.SERVER }, above)
  nextTraceId = undefined
  return span.isRecording() ? trace.setSpan(above, span) : undefined
}

/** Whether a span begun here would be recorded: inside a request, only below the span of that request. */
export const isRecording = (): boolean => {
  if (!isOn) return false
  const active = trace.getSpan(context.active())
  return active === undefined ? currentContext() === undefined : active.isRecording()
}
