/** The servers behind the services: those named in the environment, or private ones that run next to this process. */
import path from 'node:path'
import { NoClusterError, startLocalPostgres } from '@merx/local-postgres/local-postgres'
import type { LocalPostgres } from '@merx/local-postgres/local-postgres'
import type { Logger } from '@merx/telemetry/logger'
import { makeFolder } from './make-folder.ts'
import { OperatorError } from './operator-error.ts'
import { findRedisProgram, startPrivateRedis } from './private-redis.ts'
import type { Progress } from './progress.ts'
import { publicPorts } from './public-addresses.ts'
import type { LocalSecrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** Environment variables for the services; what is absent was given by the user, or is not needed. */
export type BackingEnvironment = Readonly<
  Partial<Record<'AUTH_DATABASE_URL' | 'CORE_DATABASE_URL' | 'REDIS_URL' | 'CLICKHOUSE_PATH', string>>
>

export interface BackingDeps {
  readonly settings: Settings
  readonly secrets: LocalSecrets
  readonly log: Logger
  readonly progress: Progress
  /** Called when a server that the system needs has ended. */
  readonly onLost: (reason: string) => void
}

const AUTH_DATABASE = 'merx_auth'
const CORE_DATABASE = 'merx_core'

/** Starts what the environment does not name; everything started is stopped by `closers`, in reverse. */
export const openBacking = async (
  deps: BackingDeps,
  closers: AsyncDisposableStack,
): Promise<BackingEnvironment> => {
  const { settings } = deps
  const postgres =
    settings.authDatabaseUrl === undefined || settings.coreDatabaseUrl === undefined
      ? await openPostgres(deps, closers)
      : undefined
  const redisUrl = settings.redisUrl === undefined ? await openRedis(deps, closers) : undefined
  return {
    ...(postgres === undefined || settings.authDatabaseUrl !== undefined
      ? {}
      : { AUTH_DATABASE_URL: postgres.url(AUTH_DATABASE) }),
    ...(postgres === undefined || settings.coreDatabaseUrl !== undefined
      ? {}
      : { CORE_DATABASE_URL: postgres.url(CORE_DATABASE) }),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...(settings.clickhouseUrl === undefined
      ? { CLICKHOUSE_PATH: analyticsFolder(settings.dataFolder) }
      : {}),
  }
}

const analyticsFolder = (dataFolder: string): string => {
  const folder = path.join(dataFolder, 'analytics')
  makeFolder(folder, 0o700)
  return folder
}

const openPostgres = async (deps: BackingDeps, closers: AsyncDisposableStack): Promise<LocalPostgres> => {
  const { settings, secrets, progress, onLost } = deps
  const postgres = await startLocalPostgres({
    dataFolder: path.join(settings.dataFolder, 'postgres'),
    logFile: path.join(settings.dataFolder, 'postgres.log'),
    password: secrets.postgresPassword,
    isDurable: true,
    avoidPorts: publicPorts(settings),
    onProgress: progress.step,
  }).catch((error: unknown) => {
    if (!(error instanceof NoClusterError)) throw error
    const remedy = 'Put the folder back from a copy, or start again with: npm run reset'
    throw new OperatorError(`${error.message}: it is damaged.`, remedy, { cause: error })
  })
  closers.defer(() => postgres.stop())
  void postgres.ended.then(() => onLost('its PostgreSQL ended; postgres.log in the data folder says why'))
  progress.step(`PostgreSQL is ready on port ${postgres.port}`)
  return postgres
}

/** The stand-in is what the services use without a REDIS_URL: nothing durable is ever in Redis, so nothing is lost. */
const openRedis = async (deps: BackingDeps, closers: AsyncDisposableStack): Promise<string | undefined> => {
  const { settings, log, progress } = deps
  const program = findRedisProgram()
  if (program === undefined) {
    progress.step('no redis-server on PATH: rate limits and short-lived state are kept in this process')
    log.info('no redis-server on PATH: the in-process stand-in is used')
    return undefined
  }
  const redis = await startPrivateRedis(program, settings.dataFolder, publicPorts(settings))
  closers.defer(() => redis.stop())
  void redis.ended.then(() => log.warn('the private Redis ended: the services go on without it'))
  progress.step(`Redis is ready (${program})`)
  return redis.url
}
