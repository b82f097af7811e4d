/**
 * Brings the database of core up to date; creates it first when it is missing. As a program it does so and ends:
 * `node src/migrate.ts` with the environment of the service.
 */
import { fileURLToPath } from 'node:url'
import { createDatabaseIfMissing } from '@merx/postgres/create-database'
import { migrate } from '@merx/postgres/migrate'
import { createLogger } from '@merx/telemetry/logger'
import type { Logger } from '@merx/telemetry/logger'
import { loadCoreConfig } from './config.ts'
import type { CoreConfig } from './config.ts'
import { openDatabase } from './engine/database/database.ts'
import { watchColumns } from './order-feed/watched-columns.ts'

export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))

/** @returns names of the migrations that were applied. */
export const migrateCore = async (
  { coreDatabaseUrl }: Pick<CoreConfig, 'coreDatabaseUrl'>,
  log: Logger,
  onProgress?: (progress: { name: string; done: number; total: number }) => void,
): Promise<readonly string[]> => {
  await createDatabaseIfMissing(coreDatabaseUrl)
  const applied = await migrate({
    url: coreDatabaseUrl,
    folder: migrationsFolder,
    log,
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  const database = openDatabase({ url: coreDatabaseUrl, maxConnections: 1, log })
  try {
    await watchColumns(database)
  } finally {
    await database.close()
  }
  return applied
}

if (import.meta.main) {
  const config = loadCoreConfig(process.env)
  await migrateCore(config, createLogger({ service: 'core', level: config.logLevel }))
}
