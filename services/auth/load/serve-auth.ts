/**
 * Auth as it runs in production, in a process of its own: every check, log line and limit on, budgets merely high. It
 * makes the credentials that load needs and tells them to the measuring process.
 */
import { listen } from '@merx/http/listen'
import { connectRedis } from '@merx/key-value/connect-redis'
import type { KeyValue } from '@merx/key-value/key-value'
import { createRedisKeyValue } from '@merx/key-value/redis-key-value'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger, type Logger } from '@merx/telemetry/logger'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { rawErrors } from '../src/app.ts'
import { compose, type AuthOverrides } from '../src/compose.ts'
import { loadAuthConfig, type AuthConfig } from '../src/config.ts'
import { migrateAuth } from '../src/migrate.ts'
import { createReusableTokens } from '../src/tokens/reusable-tokens.ts'
import { provisionForLoad, type LoadCredentials } from './provision-for-load.ts'

/** What decides how it runs. */
export interface ServeAuthInput {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly coreUrl: string
  readonly signingKeyBits: number
  /** Every token is a new one: what is stored for reuse is never found, and each request has a key of its own. */
  readonly isReuseOff: boolean
  /** How many credentials of kind integration there are, one for each connection that must not share tokens. */
  readonly integrations: number
  /** OTEL_* settings; without any, metrics are on and traces off, as by default. */
  readonly telemetry: Readonly<Record<string, string>>
}

/** What load has to know. */
export interface ServeAuthFacts extends LoadCredentials {
  readonly internalUrl: string
}

const SERVICE_KEY = 'service-key-of-a-load-test'
const HOST = '127.0.0.1'

const configOf = (input: ServeAuthInput): AuthConfig =>
  loadAuthConfig({
    AUTH_DATABASE_URL: input.databaseUrl,
    REDIS_URL: input.redisUrl,
    CORE_INTERNAL_URL: input.coreUrl,
    SERVICE_KEY,
    SIGNING_KEY_BITS: String(input.signingKeyBits),
    RATE_LIMIT_SCALE: '1000000',
    ...input.telemetry,
  })

const STORED_SECONDS = 60

/** Each token that is stored for reuse has a key of its own, so none is found. */
const forgetful = (store: KeyValue): KeyValue => {
  let stored = 0
  return {
    ...store,
    get: (key) => store.get(`${key}:none`),
    setIfAbsent: (key, value) =>
      store.setIfAbsent(`${key}:${++stored}`, value, { ttlSeconds: STORED_SECONDS }),
  }
}

const overridesOf = async ({ isReuseOff, redisUrl }: ServeAuthInput, log: Logger) => {
  if (!isReuseOff) return { overrides: {}, close: () => undefined }
  const redis = await connectRedis(redisUrl, log)
  const reusableTokens = createReusableTokens({
    keyValue: forgetful(createRedisKeyValue({ redis, prefix: 'auth:' })),
    clock: systemClock,
    isRevoked: () => false,
    isInStep: () => false,
  })
  return { overrides: { reusableTokens } satisfies AuthOverrides, close: () => redis.disconnect() }
}

runAsTarget(async (input: ServeAuthInput) => {
  const config = configOf(input)
  const log = createLogger({ service: 'auth', level: config.logLevel })
  const telemetry = await startTelemetry({ service: 'auth', config, log })
  await migrateAuth(config, log)
  const { overrides, close } = await overridesOf(input, log)
  const auth = await compose(config, { log, ...overrides })
  await auth.start()
  const credentials = await provisionForLoad(auth.provisioning, input.integrations)
  const publicServer = await listen(auth.app, { host: HOST, port: await findFreePort(), rawErrors })
  const internalServer = await listen(auth.internalApp, { host: HOST, port: await findFreePort() })
  const facts: ServeAuthFacts = { ...credentials, internalUrl: internalServer.url }
  return {
    url: publicServer.url,
    facts,
    close: async () => {
      await publicServer.close()
      auth.endWaits()
      await internalServer.close()
      await auth.close()
      close()
      await telemetry.close()
    },
  }
})
