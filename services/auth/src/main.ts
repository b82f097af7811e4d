/** The auth service as a process: configuration whole or not at all, then migrations, both listeners, a clean stop. */
import process from 'node:process'
import { runServiceToEnd } from '@merx/http/run-service'
import { placeOfDatabase, probeDatabase } from '@merx/postgres/probe'
import { createLogger } from '@merx/telemetry/logger'
import { rawErrors } from './app.ts'
import { compose } from './compose.ts'
import { loadAuthConfig } from './config.ts'
import { migrateAuth } from './migrate.ts'
import { isDatabaseUnavailable } from './store/database-errors.ts'

const config = loadAuthConfig(process.env)
const log = createLogger({ service: 'auth', level: config.logLevel })
const { authDatabaseUrl } = config

await runServiceToEnd({
  name: 'auth',
  config,
  log,
  rawErrors,
  dependencies: {
    database: { place: placeOfDatabase(authDatabaseUrl), check: () => probeDatabase(authDatabaseUrl) },
  },
  isUnavailable: isDatabaseUnavailable,
  open: async () => {
    await migrateAuth(config, log)
    return compose(config, { log })
  },
})
