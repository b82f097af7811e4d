import type { Logger } from './logger.ts'

/** `env` decides whether it is on; the SDK then reads its other OTEL_* variables from the process itself. */
export interface TelemetryOptions {
  readonly service: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
}

/** `close` sends what is still buffered and stops; it never rejects. */
export interface Telemetry {
  readonly isOn: boolean
  readonly close: () => Promise<void>
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const

const off: Telemetry = { isOn: false, close: async () => undefined }

/**
 * Sends spans to an OTLP collector when OTEL_EXPORTER_OTLP_ENDPOINT names one; otherwise nothing is loaded and every
 * span is a no-op. Call it first in main.ts. OTEL_SDK_DISABLED=true keeps it off.
 */
export const startTelemetry = async ({ service, env, log }: TelemetryOptions): Promise<Telemetry> => {
  const endpoint = ENDPOINTS.map((name) => env[name]).find((value) => value !== undefined && value !== '')
  if (endpoint === undefined || env.OTEL_SDK_DISABLED === 'true') return off
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({ serviceName: env.OTEL_SERVICE_NAME ?? service })
  sdk.start()
  log.info({ endpoint }, 'telemetry is sent to a collector')
  return {
    isOn: true,
    close: async () => {
      try {
        await sdk.shutdown()
      } catch (error) {
        log.warn({ err: error }, 'the last telemetry could not be sent')
      }
    },
  }
}
