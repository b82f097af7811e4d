/** Opens the connections of the service: PostgreSQL, and Redis with the memory of the process as its substitute. */
import { connectRedis } from '@merx/key-value/connect-redis'
import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createRedisKeyValue } from '@merx/key-value/redis-key-value'
import { createPool } from '@merx/postgres/pool'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { AuthConfig } from './config.ts'
import { createDatabase } from './store/prisma-client.ts'
import { withInsurance } from './store/with-insurance.ts'

/** Connections, in the order they open; closed in reverse. */
export const openConnections = async (config: AuthConfig, log: Logger, clock: Clock, keyValue?: KeyValue) => {
  const pool = createPool({
    url: config.authDatabaseUrl,
    maxConnections: config.databaseConnectionsMax,
    statementTimeoutMs: 10_000,
    applicationName: 'auth',
    log,
  })
  const database = createDatabase(pool)
  const redis = config.redisUrl === undefined ? undefined : await connectRedis(config.redisUrl, log)
  if (redis === undefined) log.info('no REDIS_URL: hot state stays in this process')
  const local = createMemoryKeyValue({ clock })
  const shared =
    redis === undefined
      ? local
      : withInsurance(createRedisKeyValue({ redis, prefix: 'auth:' }), local, { clock })
  const close = async (): Promise<void> => {
    await shared.close()
    redis?.disconnect()
    await database.$disconnect()
    await pool.end()
  }
  return { pool, database, redis, keyValue: keyValue ?? shared, close }
}

export type Connections = Awaited<ReturnType<typeof openConnections>>
