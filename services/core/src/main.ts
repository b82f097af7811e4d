/** Starts the core service: configuration, telemetry, migrations, both listeners, clean stop. */
import process from 'node:process'
import { listen } from '@merx/http/listen'
import { createLogger } from '@merx/telemetry/logger'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { rawErrors } from './app.ts'
import { compose } from './compose.ts'
import { loadCoreConfig } from './config.ts'
import { migrateCore } from './migrate.ts'

const config = loadCoreConfig(process.env)
const log = createLogger({ service: 'core', level: config.logLevel })
const telemetry = await startTelemetry({ service: 'core', config, log })
await migrateCore(config, log)
const core = await compose(config, { log })
await core.start()
const { host } = config
const publicServer = await listen(core.app, { host, port: config.port, rawErrors })
const internalServer = await listen(core.internalApp, { host, port: config.internalPort, rawErrors })
log.info({ url: publicServer.url, internal_url: internalServer.url }, 'core is listening')

const stop = async (signal: NodeJS.Signals): Promise<void> => {
  log.info({ signal }, 'core is stopping')
  await publicServer.close()
  core.endWaits()
  await internalServer.close()
  await core.close()
  await telemetry.close()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stop(signal).catch((error: unknown) => {
      log.fatal({ err: error }, 'core did not stop cleanly')
      process.exitCode = 1
    })
  })
}
