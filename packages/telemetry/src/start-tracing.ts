/** The part of telemetry that needs the SDK; loaded only when traces are on. */
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  TracerProvider,
  type IdGenerator,
} from '@opentelemetry/sdk-trace'
import { createSampler } from './sampler.ts'
import { parsePairs, type TelemetryConfig } from './telemetry-config.ts'
import { setTracing, takeTraceId } from './tracing.ts'

/** A collector that is slow or away must not hold up the end of the process for longer. */
const EXPORT_TIMEOUT_MS = 3_000
const EXPORT_EVERY_MS = 1_000
const SPAN_ATTRIBUTE_LENGTH_MAX = 2_000

/** A request's trace has the request's id; everything else has random ones. */
const createIdGenerator = (): IdGenerator => {
  const random = new RandomIdGenerator()
  return {
    generateTraceId: () => takeTraceId() ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  }
}

const urlOf = (endpoint: string): string => `${endpoint.replace(/\/+$/, '')}/v1/traces`

/** Registers the SDK for the whole process. @returns what sends the rest and stops it */
export const startTracing = (
  service: string,
  endpoint: string,
  config: TelemetryConfig,
): (() => Promise<void>) => {
  const { otelResourceAttributes: attributes, otelExporterOtlpHeaders: headers } = config
  const sampler = createSampler(config)
  const exporter = new OTLPTraceExporter({
    url: urlOf(endpoint),
    timeoutMillis: EXPORT_TIMEOUT_MS,
    ...(headers === undefined ? {} : { headers: parsePairs(headers.reveal()) }),
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      ...(attributes === undefined ? {} : parsePairs(attributes)),
    }),
    sampler,
    idGenerator: createIdGenerator(),
    spanLimits: { attributeValueLengthLimit: SPAN_ATTRIBUTE_LENGTH_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        scheduledDelayMillis: EXPORT_EVERY_MS,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  setTracing(
    (traceId, parent) =>
      sampler.shouldSample(parent, traceId, '', SpanKind.SERVER, {}, []).decision ===
      SamplingDecision.RECORD_AND_SAMPLED,
  )
  return async () => {
    setTracing(undefined)
    try {
      await provider.shutdown()
    } finally {
      trace.disable()
      context.disable()
      propagation.disable()
    }
  }
}
