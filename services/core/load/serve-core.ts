/**
 * Core as it runs in production, in a process of its own: tokens verified with the keys of auth, revocations and roles
 * followed, rate limits and logs on, budgets merely high.
 */
import { listen } from '@merx/http/listen'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { createLogger } from '@merx/telemetry/logger'
import { rawErrors } from '../src/app.ts'
import { compose } from '../src/compose.ts'
import { loadCoreConfig } from '../src/config.ts'
import { encodeId, LOAD_ID_SECRET } from './load-ids.ts'
import type { RecordedAuthFacts } from './serve-recorded-auth.ts'

/** What decides how it runs. */
export interface ServeCoreInput {
  readonly databaseUrl: string
  /** Rate limits per process when absent. */
  readonly redisUrl?: string
  /** Of auth's internal listener. */
  readonly authUrl: string
  /** Of that auth; they are passed on with the facts. */
  readonly tokens: RecordedAuthFacts
}

/** What load has to know. */
export interface ServeCoreFacts extends RecordedAuthFacts {
  readonly internalUrl: string
  /** Public ids of rows that fillShop makes. */
  readonly ids: { readonly sku: string; readonly shippingCategory: string }
}

const HOST = '127.0.0.1'

runAsTarget(async ({ databaseUrl, redisUrl, authUrl, tokens }: ServeCoreInput) => {
  const config = loadCoreConfig({
    CORE_DATABASE_URL: databaseUrl,
    AUTH_INTERNAL_URL: authUrl,
    SERVICE_KEY: 'service-key-of-a-load-test',
    ID_SECRET: LOAD_ID_SECRET,
    RATE_LIMIT_SCALE: '1000000',
    // Receivers of webhooks are on this machine.
    OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  })
  const log = createLogger({ service: 'core', level: config.logLevel })
  const core = await compose(config, { log })
  await core.start()
  const server = await listen(core.app, { host: HOST, port: await findFreePort(), rawErrors })
  const internalServer = await listen(core.internalApp, { host: HOST, port: await findFreePort() })
  const facts: ServeCoreFacts = {
    ...tokens,
    internalUrl: internalServer.url,
    ids: { sku: encodeId('skus', 1), shippingCategory: encodeId('shipping_categories', 1) },
  }
  return {
    url: server.url,
    facts,
    close: async () => {
      core.endStreams()
      await server.close()
      core.endWaits()
      await internalServer.close()
      await core.close()
    },
  }
})
