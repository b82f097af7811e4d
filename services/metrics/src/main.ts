/** Metrics as a process of its own. In the embedded system infra/embedded calls compose() instead. */
import process from 'node:process'
import { encodeMetrics } from '@merx/errors/encode-metrics'
import { runServiceToEnd } from '@merx/http/run-service'
import { createLogger } from '@merx/telemetry/logger'
import { compose } from './compose.ts'
import { loadMetricsConfig } from './config.ts'
import { isEngineAway } from './engine/engine-errors.ts'
import { placeOfServer, probeServer } from './engine/probe-server.ts'

const rawErrors = {
  encodeError: encodeMetrics,
  malformed: 'metrics_request_not_valid',
  headersTooLarge: 'metrics_headers_too_large',
  timeout: 'metrics_request_timeout',
} as const

const config = loadMetricsConfig(process.env)
const log = createLogger({ service: 'metrics', level: config.logLevel })
const { clickhouseUrl: url } = config

await runServiceToEnd({
  name: 'metrics',
  config,
  log,
  rawErrors,
  // Without a URL the engine is part of this process.
  dependencies:
    url === undefined ? {} : { engine: { place: placeOfServer(url), check: () => probeServer(url) } },
  isAway: isEngineAway,
  open: () => compose(config, { log }),
})
