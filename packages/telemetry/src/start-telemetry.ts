import type { Logger } from './logger.ts'
import { metricsOf, switchMetrics } from './metrics.ts'
import { defineRuntimeMetrics } from './runtime-metrics.ts'
import type { TelemetryConfig } from './telemetry-config.ts'

/** `service` is the name in the collector unless OTEL_RESOURCE_ATTRIBUTES gives another. */
export interface TelemetryOptions {
  readonly service: string
  readonly config: TelemetryConfig
  readonly log: Logger
}

/** `isOn` is whether traces are sent. `close` sends what is still buffered and stops; it never rejects. */
export interface Telemetry {
  readonly isOn: boolean
  readonly close: () => Promise<void>
}

/**
 * Counts for /metrics of `service` unless it is switched off: startTelemetry's part for a process that holds several services.
 *
 * @returns what stops it
 */
export const startMetrics = (
  service: string,
  { otelSdkDisabled, otelMetricsExporter }: TelemetryConfig,
): (() => void) => {
  const isOn = !otelSdkDisabled && otelMetricsExporter === 'prometheus'
  switchMetrics(isOn)
  return isOn ? defineRuntimeMetrics(metricsOf(service)) : () => undefined
}

/** @returns what stops it; undefined when traces are off */
const startTraces = async ({ service, config, log }: TelemetryOptions) => {
  const endpoint = config.otelExporterOtlpEndpoint
  if (endpoint === undefined || config.otelSdkDisabled) return undefined
  const { startTracing } = await import('./start-tracing.ts')
  const stop = startTracing(service, endpoint, config)
  const { origin } = new URL(endpoint)
  log.info(
    { collector: origin, sampler: config.otelTracesSampler, ratio: config.otelTracesSamplerArg },
    'traces are sent to a collector',
  )
  return stop
}

/**
 * Sends spans to a collector when OTEL_EXPORTER_OTLP_ENDPOINT names one; otherwise no SDK is loaded and no span made.
 * Counts for /metrics unless OTEL_METRICS_EXPORTER is none. OTEL_SDK_DISABLED=true keeps both off. Call it first in
 * main.ts: what is made before it is neither traced nor measured.
 */
export const startTelemetry = async (options: TelemetryOptions): Promise<Telemetry> => {
  const stopMetrics = startMetrics(options.service, options.config)
  const stopTraces = await startTraces(options)
  return {
    isOn: stopTraces !== undefined,
    close: async () => {
      stopMetrics()
      try {
        await stopTraces?.()
      } catch (error) {
        options.log.warn({ err: error }, 'the last telemetry could not be sent')
      }
    },
  }
}
