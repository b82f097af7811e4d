/** The console as a process of its own. In the embedded system infra/embedded calls compose() instead. */
import process from 'node:process'
import { runServiceToEnd } from '@merx/http/run-service'
import { createLogger } from '@merx/telemetry/logger'
import { rawErrors } from './app.ts'
import { compose } from './compose.ts'
import { loadConsoleConfig } from './config.ts'

const config = loadConsoleConfig(process.env)
const log = createLogger({ service: 'console', level: config.logLevel })

await runServiceToEnd({
  name: 'console',
  config,
  log,
  rawErrors,
  dependencies: {},
  isUnavailable: () => false,
  open: () => compose(config, { log }),
})
