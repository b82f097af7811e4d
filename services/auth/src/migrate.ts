/**
 * Brings the database of auth up to date; creates it first when it is missing. As a program it does so and ends:
 * `node src/migrate.ts` with the environment of the service.
 */
import { fileURLToPath } from 'node:url'
import { createDatabaseIfMissing } from '@merx/postgres/create-database'
import { migrate } from '@merx/postgres/migrate'
import { createLogger } from '@merx/telemetry/logger'
import type { Logger } from '@merx/telemetry/logger'
import { loadAuthConfig } from './config.ts'
import type { AuthConfig } from './config.ts'

export const migrationsFolder = fileURLToPath(new URL('../prisma/migrations', import.meta.url))

/** @returns names of the migrations that were applied. */
export const migrateAuth = async (
  { authDatabaseUrl }: Pick<AuthConfig, 'authDatabaseUrl'>,
  log: Logger,
  onProgress?: (progress: { name: string; done: number; total: number }) => void,
): Promise<readonly string[]> => {
  await createDatabaseIfMissing(authDatabaseUrl)
  return migrate({
    url: authDatabaseUrl,
    folder: migrationsFolder,
    log,
    ...(onProgress === undefined ? {} : { onProgress }),
  })
}

if (import.meta.main) {
  const config = loadAuthConfig(process.env)
  await migrateAuth(config, createLogger({ service: 'auth', level: config.logLevel }))
}
