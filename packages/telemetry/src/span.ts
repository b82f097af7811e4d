/** Spans of our own work, such as a statement for ClickHouse. */
import {
  INVALID_SPAN_CONTEXT,
  SpanStatusCode,
  SpanKind,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api'
import { redactText } from './redact.ts'
import { isRecording } from './tracing.ts'

const NOT_RECORDED = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

const messageOf = (error: unknown): string =>
  redactText(error instanceof Error ? error.message : String(error))

/** Marks a span as failed, for work that handles its error itself. */
export const failSpan = (span: Span, error: unknown): void => {
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) })
}

/**
 * Runs `work` inside a span that ends with it; a throw marks the span and goes on. Where nothing is recorded, `work`
 * gets a span that does nothing.
 *
 *     const rows = await withSpan('engine.run', { 'merx.kind': kind }, (span) => engine.run(statement))
 */
export const withSpan = async <T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T> | T,
  kind: SpanKind = SpanKind.INTERNAL,
): Promise<T> => {
  if (!isRecording()) return work(NOT_RECORDED)
  return trace.getTracer('merx').startActiveSpan(name, { attributes, kind }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      failSpan(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}
