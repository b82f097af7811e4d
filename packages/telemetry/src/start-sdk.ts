/** Starts OpenTelemetry's NodeSDK; loaded only when metrics or traces are on. */
import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { BatchSpanProcessor, RandomIdGenerator, type IdGenerator } from '@opentelemetry/sdk-trace'
import { setInstrumentations } from './instrument.ts'
import { setMetricsHandlers } from './metrics.ts'
import { ServiceExporter } from './prometheus.ts'
import { createSampler } from './sampler.ts'
import { parsePairs, type TelemetryConfig } from './telemetry-config.ts'
import { isRecording, switchTracing, takeTraceId } from './tracing.ts'

/** A collector that is slow or unavailable must not hold up the end of the process for longer. */
const EXPORT_TIMEOUT_MS = 3_000
const EXPORT_EVERY_MS = 1_000
const SPAN_ATTRIBUTE_LENGTH_MAX = 2_000

export interface SdkOptions {
  /** `service.name` of spans unless OTEL_RESOURCE_ATTRIBUTES gives another. */
  readonly service: string
  /** Services of this process that serve /metrics; none while metrics are off. */
  readonly measured: readonly string[]
  /** Undefined while traces are off. */
  readonly endpoint: string | undefined
  readonly config: TelemetryConfig
}

/** The trace of a request has the id of the request; other traces have random ids. */
const createIdGenerator = (): IdGenerator => {
  const random = new RandomIdGenerator()
  return {
    generateTraceId: () => takeTraceId() ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  }
}

/** Only below a recorded span, without values: a query string, a Redis key or an argument may identify a person. */
const createInstrumentations = () => [
  new PgInstrumentation({ requireParentSpan: true }),
  new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
  new UndiciInstrumentation({
    ignoreRequestHook: () => !isRecording(),
    startSpanHook: ({ origin, path }) => {
      const [pathname = ''] = path.split('?', 1)
      return { 'url.full': `${origin}${pathname}`, 'url.query': '' }
    },
  }),
]

const tracesOf = (endpoint: string | undefined, config: TelemetryConfig): Partial<NodeSDKConfiguration> => {
  if (endpoint === undefined) return { spanProcessors: [] }
  const headers = config.otelExporterOtlpHeaders
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    ...(headers === undefined ? {} : { headers: parsePairs(headers.reveal()) }),
  })
  const processor = new BatchSpanProcessor({
    exporter,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    scheduledDelayMillis: EXPORT_EVERY_MS,
  })
  return {
    sampler: createSampler(config),
    idGenerator: createIdGenerator(),
    spanLimits: { attributeValueLengthLimit: SPAN_ATTRIBUTE_LENGTH_MAX },
    spanProcessors: [processor],
  }
}

/** Registers the SDK for the whole process. @returns sends the rest and stops it */
export const startSdk = ({ service, measured, endpoint, config }: SdkOptions): (() => Promise<void>) => {
  const { otelResourceAttributes: attributes } = config
  const exporters = measured.map((name) => [name, new ServiceExporter(name)] as const)
  const instrumentations = endpoint === undefined ? [] : createInstrumentations()
  const sdk = new NodeSDK({
    autoDetectResources: false,
    resource: resourceFromAttributes({
      'service.name': service,
      ...(attributes === undefined ? {} : parsePairs(attributes)),
    }),
    metricReaders: exporters.map(([, exporter]) => exporter),
    logRecordProcessors: [],
    instrumentations,
    ...tracesOf(endpoint, config),
  })
  sdk.start()
  setMetricsHandlers(new Map(exporters.map(([name, { handle }]) => [name, handle])))
  setInstrumentations(instrumentations)
  switchTracing(endpoint !== undefined)
  return async () => {
    switchTracing(false)
    setInstrumentations([])
    setMetricsHandlers(new Map())
    for (const instrumentation of instrumentations) instrumentation.disable()
    try {
      await sdk.shutdown()
    } finally {
      for (const api of [trace, metrics, context, propagation]) api.disable()
    }
  }
}
