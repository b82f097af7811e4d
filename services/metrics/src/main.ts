/** Metrics as a process of its own. In the embedded system infra/embedded calls compose() instead. */
import process from 'node:process'
import { runServiceToEnd } from '@merx/http/run-service'
import { createLogger } from '@merx/telemetry/logger'
import { rawErrors } from './app.ts'
import { compose } from './compose.ts'
import { loadMetricsConfig } from './config.ts'
import { isEngineUnavailable } from './engine/engine-errors.ts'
import { placeOfServer, probeServer } from './engine/probe-server.ts'

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
  isUnavailable: isEngineUnavailable,
  open: () => compose(config, { log }),
})
