/**
 * Jest's globalSetup of the http and db projects: one embedded PostgreSQL and one Redis for the whole run.
 * A server whose URL is already in the environment (MERX_TEST_POSTGRES_URL, MERX_TEST_REDIS_URL) is used as it is.
 */
import { redisMissingReason } from './redis-server.ts'
import { startTestServers } from './test-servers.ts'
import type { TestServers } from './test-servers.ts'

/** Where teardown finds them: Jest may load the two files in separate module registries. */
export const SERVERS = Symbol.for('merx.test-servers')

const setUp = async (): Promise<void> => {
  const missing = redisMissingReason()
  const isRedisWanted = process.env['MERX_TEST_REDIS_URL'] === undefined
  if (isRedisWanted && missing !== undefined) {
    process.stderr.write(`\nRedis tests will fail: ${missing}\n`)
  }
  const names = [
    ...(process.env['MERX_TEST_POSTGRES_URL'] === undefined ? (['postgres'] as const) : []),
    ...(isRedisWanted && missing === undefined ? (['redis'] as const) : []),
  ]
  if (names.length === 0) return
  const servers = await startTestServers(names)
  if (servers.postgresUrl !== undefined) process.env['MERX_TEST_POSTGRES_URL'] = servers.postgresUrl
  if (servers.redisUrl !== undefined) process.env['MERX_TEST_REDIS_URL'] = servers.redisUrl
  ;(globalThis as { [SERVERS]?: TestServers })[SERVERS] = servers
}

// Jest takes the set-up function from the default export.
// eslint-disable-next-line import-x/no-default-export
export default setUp
