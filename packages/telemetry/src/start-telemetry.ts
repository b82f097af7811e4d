import type { Logger } from './logger.ts'
import type { TelemetryConfig } from './telemetry-config.ts'

/** `service` is the name in the collector unless OTEL_RESOURCE_ATTRIBUTES gives another. */
export interface TelemetryOptions {
  readonly service: string
  readonly config: TelemetryConfig
  readonly log: Logger
}

/** `close` sends what is still buffered and stops; it never rejects. */
export interface Telemetry {
  readonly isOn: boolean
  readonly close: () => Promise<void>
}

const off: Telemetry = { isOn: false, close: async () => undefined }

/**
 * Sends spans to a collector when OTEL_EXPORTER_OTLP_ENDPOINT names one; otherwise no SDK is loaded and no span made.
 * Call it first in main.ts. OTEL_SDK_DISABLED=true keeps it off.
 */
export const startTelemetry = async (options: TelemetryOptions): Promise<Telemetry> => {
  const { service, config, log } = options
  const endpoint = config.otelExporterOtlpEndpoint
  if (endpoint === undefined || config.otelSdkDisabled) return off
  const { startTracing } = await import('./start-tracing.ts')
  const stop = startTracing(service, endpoint, config)
  const { origin } = new URL(endpoint)
  log.info(
    { collector: origin, sampler: config.otelTracesSampler, ratio: config.otelTracesSamplerArg },
    'traces are sent to a collector',
  )
  return {
    isOn: true,
    close: async () => {
      try {
        await stop()
      } catch (error) {
        log.warn({ err: error }, 'the last telemetry could not be sent')
      }
    },
  }
}
