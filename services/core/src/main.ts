/** The core service as a process: configuration whole or not at all, then migrations, both listeners, a clean stop. */
import process from 'node:process'
import { runServiceToEnd } from '@merx/http/run-service'
import { placeOfDatabase, probeDatabase } from '@merx/postgres/probe'
import { createLogger } from '@merx/telemetry/logger'
import { rawErrors } from './app.ts'
import { compose } from './compose.ts'
import { loadCoreConfig } from './config.ts'
import { isStoreUnavailable } from './engine/database/store-errors.ts'
import { migrateCore } from './migrate.ts'

const config = loadCoreConfig(process.env)
const log = createLogger({ service: 'core', level: config.logLevel })
const { coreDatabaseUrl } = config

await runServiceToEnd({
  name: 'core',
  config,
  log,
  rawErrors,
  dependencies: {
    database: { place: placeOfDatabase(coreDatabaseUrl), check: () => probeDatabase(coreDatabaseUrl) },
  },
  isUnavailable: isStoreUnavailable,
  open: async () => {
    await migrateCore(config, log)
    return compose(config, { log })
  },
})
