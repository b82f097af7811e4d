import { SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api'
import { redactText } from './redact.ts'

const tracer = trace.getTracer('merx')

const messageOf = (error: unknown): string =>
  redactText(error instanceof Error ? error.message : String(error))

/**
 * Runs `work` inside a span that ends with it; a throw marks the span and goes on. Costs next to nothing while no SDK
 * is registered (see start-telemetry.ts).
 *
 *     const rows = await withSpan('engine.run', { 'merx.kind': kind }, (span) => engine.run(statement))
 */
export const withSpan = async <T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T> | T,
): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) })
      throw error
    } finally {
      span.end()
    }
  })
