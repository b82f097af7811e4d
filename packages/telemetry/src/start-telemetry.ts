/** Metrics and traces of a process, as its configuration asks for them. */
import type { Logger } from './logger.ts'
import type { TelemetryConfig } from './telemetry-config.ts'

/** `service` is the name in the collector unless OTEL_RESOURCE_ATTRIBUTES gives another. */
export interface TelemetryOptions {
  readonly service: string
  /** Services of this process that have a /metrics of their own. Default: `service`. */
  readonly measured?: readonly string[]
  readonly config: TelemetryConfig
  readonly log: Logger
}

/** `isTracing` is whether traces are sent. `close` sends what is still buffered and stops; it never rejects. */
export interface Telemetry {
  readonly isTracing: boolean
  readonly close: () => Promise<void>
}

/**
 * Sends spans to a collector when OTEL_EXPORTER_OTLP_ENDPOINT names one, and collects metrics unless
 * OTEL_METRICS_EXPORTER is none; with neither, or with OTEL_SDK_DISABLED=true, no SDK is loaded. Call it before
 * applications and pools are made: what is made earlier is neither traced nor measured.
 */
export const startTelemetry = async (options: TelemetryOptions): Promise<Telemetry> => {
  const { service, config, log } = options
  const { otelSdkDisabled, otelMetricsExporter, otelExporterOtlpEndpoint } = config
  const measured = otelSdkDisabled || otelMetricsExporter === 'none' ? [] : (options.measured ?? [service])
  const endpoint = otelSdkDisabled ? undefined : otelExporterOtlpEndpoint
  if (measured.length === 0 && endpoint === undefined)
    return { isTracing: false, close: () => Promise.resolve() }

  const { startSdk } = await import('./start-sdk.ts')
  const { observeProcess } = await import('./process-metrics.ts')
  const stopSdk = startSdk({ service, measured, endpoint, config })
  const stopObserving = measured.length === 0 ? () => undefined : observeProcess()
  if (endpoint !== undefined) {
    const { otelTracesSampler: sampler, otelTracesSamplerArg: ratio } = config
    log.info({ collector: new URL(endpoint).origin, sampler, ratio }, 'traces are sent to a collector')
  }
  return {
    isTracing: endpoint !== undefined,
    close: async () => {
      stopObserving()
      try {
        await stopSdk()
      } catch (error) {
        log.warn({ err: error }, 'the last telemetry could not be sent')
      }
    },
  }
}
