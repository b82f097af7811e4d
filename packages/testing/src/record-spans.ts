/** Traces on in this process, sent to a collector of its own. */
import { loadConfig } from '@merx/config/load-config'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { telemetryFields } from '@merx/telemetry/telemetry-config'
import { startOtlpCollector, type CollectedSpan } from './otlp-collector.ts'
import { silentLogger } from './silent-logger.ts'

export interface SpanRecording {
  /** Sends what is left and switches traces off; gives every span. May be called again. */
  stop(): Promise<readonly CollectedSpan[]>
}

/** Everything is recorded unless `env` says otherwise. @example const recording = await recordSpans() */
export const recordSpans = async (env: Record<string, string> = {}): Promise<SpanRecording> => {
  const collector = await startOtlpCollector()
  const config = loadConfig(telemetryFields, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    ...env,
  })
  const telemetry = await startTelemetry({ service: 'try', config, log: silentLogger })
  let stopped: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await telemetry.close()
    await collector.close()
  }
  return {
    stop: async () => {
      await (stopped ??= end())
      return collector.spans
    },
  }
}
