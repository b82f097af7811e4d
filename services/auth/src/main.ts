/** Starts the auth service: configuration, telemetry, migrations, both listeners, clean stop. */
import process from 'node:process'
import { listen } from '@merx/http/listen'
import { createLogger } from '@merx/telemetry/logger'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { rawErrors } from './app.ts'
import { compose } from './compose.ts'
import { loadAuthConfig } from './config.ts'
import { migrateAuth } from './migrate.ts'

const config = loadAuthConfig(process.env)
const log = createLogger({ service: 'auth', level: config.logLevel })
const telemetry = await startTelemetry({ service: 'auth', config, log })
await migrateAuth(config, log)
const auth = await compose(config, { log })
await auth.start()
const { host } = config
const publicServer = await listen(auth.app, { host, port: config.port, rawErrors })
const internalServer = await listen(auth.internalApp, { host, port: config.internalPort })
log.info({ url: publicServer.url, internal_url: internalServer.url }, 'auth is listening')

const stop = async (signal: NodeJS.Signals): Promise<void> => {
  log.info({ signal }, 'auth is stopping')
  await publicServer.close()
  auth.endWaits()
  await internalServer.close()
  await auth.close()
  await telemetry.close()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stop(signal).catch((error: unknown) => {
      log.fatal({ err: error }, 'auth did not stop cleanly')
      process.exitCode = 1
    })
  })
}
