/** Starts metrics alone. In the embedded system infra/embedded calls compose() instead. */
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { listen } from '@merx/http/listen'
import { createLogger } from '@merx/telemetry/logger'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { compose } from './compose.ts'
import { loadMetricsConfig } from './config.ts'

const rawErrors = {
  encodeError: encodeMetrics,
  malformed: 'metrics_request_not_valid',
  headersTooLarge: 'metrics_headers_too_large',
  timeout: 'metrics_request_timeout',
} as const

const config = loadMetricsConfig(process.env)
const log = createLogger({ service: 'metrics', level: config.logLevel })
const telemetry = await startTelemetry({ service: 'metrics', config, log })
const metrics = await compose(config, { log })
await metrics.start()
const listeners = [
  await listen(metrics.app, { host: config.host, port: config.port, rawErrors }),
  await listen(metrics.internalApp, { host: config.host, port: config.internalPort }),
]

log.info({ urls: listeners.map(({ url }) => url) }, 'metrics is listening')

const stop = async (signal: NodeJS.Signals): Promise<void> => {
  log.info({ signal }, 'metrics is stopping')
  await Promise.all(listeners.map((listener) => listener.close()))
  await metrics.close()
  await telemetry.close()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stop(signal).catch((error: unknown) => {
      log.fatal({ err: error }, 'metrics did not stop cleanly')
      process.exitCode = 1
    })
  })
}
