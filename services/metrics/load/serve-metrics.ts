/**
 * Metrics as it runs in production, in a process of its own with the embedded engine: tokens verified with the keys of auth,
 * revocations followed, the store filled from the feed, rate limits and logs on, budgets merely high.
 */
import { listen } from '@merx/http/listen'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { createLogger } from '@merx/telemetry/logger'
import { compose } from '../src/compose.ts'
import { loadMetricsConfig } from '../src/config.ts'

/** What decides how it runs. */
export interface ServeMetricsInput {
  /** Of the recorded auth and core. */
  readonly neighboursUrl: string
  readonly redisUrl: string
  /** Of the store; empty. */
  readonly folder: string
}

const HOST = '127.0.0.1'

runAsTarget(async ({ neighboursUrl, redisUrl, folder }: ServeMetricsInput) => {
  const config = loadMetricsConfig({
    AUTH_INTERNAL_URL: neighboursUrl,
    CORE_INTERNAL_URL: neighboursUrl,
    REDIS_URL: redisUrl,
    CLICKHOUSE_PATH: folder,
    SERVICE_KEY: 'service-key-of-a-load-test',
    RATE_LIMIT_SCALE: '1000000',
  })
  const log = createLogger({ service: 'metrics', level: config.logLevel })
  const metrics = await compose(config, { log })
  await metrics.start()
  await metrics.ingester?.caughtUp()
  const server = await listen(metrics.app, { host: HOST, port: await findFreePort() })
  return {
    url: server.url,
    facts: {},
    close: async () => {
      await server.close()
      await metrics.close()
    },
  }
})
