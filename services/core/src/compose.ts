/** The composition root: configuration in, a service that is not listening yet out; closed in reverse order. */
import { createAccessState } from '@merx/access-token/access-state'
import { issuerOf } from '@merx/access-token/issuer'
import { createVerifier } from '@merx/access-token/verifier'
import type { Verifier } from '@merx/access-token/verifier'
import { createOwnHosts } from '@merx/http/host'
import type { OwnHosts } from '@merx/http/host'
import { createInternalClient } from '@merx/http/internal-client'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { connectRedis } from '@merx/key-value/connect-redis'
import { createLimiter } from '@merx/rate-limit/create-limiter'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { systemClock } from '@merx/telemetry/clock'
import type { Clock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import type { Logger } from '@merx/telemetry/logger'
import type { Express } from 'express'
import { pruneLogs } from './activity/prune-logs.ts'
import { createInternalApp, createPublicApp } from './app.ts'
import { areas, jobs as coreJobs, rowJobs } from './areas.ts'
import { createSignedUrls } from './bulk/signed-urls.ts'
import type { CoreConfig } from './config.ts'
import { createDeletedCustomers } from './customers/deleted-customers.ts'
import { withPresentCustomers } from './customers/with-present-customers.ts'
import type { Area } from './engine/area.ts'
import { openDatabase } from './engine/database/database.ts'
import type { Database } from './engine/database/database.ts'
import { createNumberSource } from './engine/database/number-source.ts'
import { runOn } from './engine/database/run-statement.ts'
import { createMaintenance } from './engine/maintenance.ts'
import { createRegistry } from './engine/registry.ts'
import type { Registry } from './engine/registry.ts'
import { createFindDataVersion } from './engine/response-cache/data-version.ts'
import { createResponseCache } from './engine/response-cache/with-response-cache.ts'
import { createSecretBox } from './engine/secret-box.ts'
import type { SecretBox } from './engine/secret-box.ts'
import type { OutsideDeps } from './engine/write/outside-calls.ts'
import { createEventStreams } from './events/stream/event-streams.ts'
import type { StreamLimits } from './events/stream/event-streams.ts'
import { createWebhookDispatcher } from './events/webhook-dispatcher.ts'
import type { WebhookDispatcher } from './events/webhook-dispatcher.ts'
import { countAttempt, observeWebhooks } from './events/webhook-metrics.ts'
import { internalRoutes } from './internal/routes.ts'
import type { JobDefinition } from './jobs/define-job.ts'
import { createJobQueue } from './jobs/job-queue.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import { createFindApplication } from './markets/find-application.ts'
import type { FindApplication } from './markets/find-application.ts'
import { createScopeReader } from './markets/scope/read-scope.ts'
import { singletonSources } from './markets/singletons.ts'
import { createOrderFeed } from './order-feed/order-feed.ts'
import { createOutside } from './outside/outside.ts'
import type { Outside } from './outside/outside.ts'
import { beginPaymentMetrics } from './payments/outside/payment-metrics.ts'
import { countListAnswer, observeKeptSets } from './telemetry.ts'

/** What tests and the embedded system put in place of the real thing. */
export interface CoreOverrides {
  readonly log?: Logger
  readonly clock?: Clock
  readonly verifier?: Verifier
  readonly limiter?: Limiter
  readonly findApplication?: FindApplication
  /** Another list than that of areas.ts. */
  readonly areas?: readonly Area[]
  /** What calls receivers and services outside. */
  readonly outside?: Outside
  /** Shorter times and fewer streams. */
  readonly streamLimits?: StreamLimits
  /** Another list than that of areas.ts. */
  readonly jobs?: readonly JobDefinition[]
}

export interface CoreSystem {
  readonly app: Express
  readonly internalApp: Express
  readonly registry: Registry
  /** Follows revocations and roles, listens for changes of orders. Call it before listening. */
  start(): Promise<void>
  /** Its workers run once the system has started. */
  readonly jobs: JobQueue
  /** Delivers once the system has started. */
  readonly webhooks: WebhookDispatcher
  /** Ends event streams, so that the public listener can close. */
  endStreams(): void
  /** Answers waiting long polls, so that the internal listener can close. */
  endWaits(): void
  close(): Promise<void>
}

interface Opened {
  readonly log: Logger
  readonly clock: Clock
  readonly closers: AsyncDisposableStack
}

interface BackgroundDeps {
  readonly database: Database
  readonly registry: Registry
  readonly secretBox: SecretBox
}

/** @example const core = await compose(loadCoreConfig(process.env)); await core.start() */
export const compose = async (config: CoreConfig, overrides: CoreOverrides = {}): Promise<CoreSystem> => {
  const log = overrides.log ?? createLogger({ service: 'core', level: config.logLevel })
  const clock = overrides.clock ?? systemClock
  const ids = createPublicIds({ secret: config.idSecret.reveal() })
  const { outsideAllowedNetworks: allowedNetworks } = config
  const secretBox = createSecretBox(config.idSecret.reveal())
  const { seal } = secretBox
  const registry = createRegistry(overrides.areas ?? areas, { ids, allowedNetworks, seal })
  await using closers = new AsyncDisposableStack()
  const opened: Opened = { log, clock, closers }
  const database = openCoreDatabase(config, opened)
  const limiter = overrides.limiter ?? (await openLimiter(config, opened))
  const { findApplication, ...access } = openAccess(config, overrides, opened)
  const feed = createOrderFeed({ database, ids, log })
  let feedClosed: Promise<void> | undefined
  const closeFeed = (): Promise<void> => (feedClosed ??= feed.close())
  closers.defer(closeFeed)
  const deletedCustomers = createDeletedCustomers({ database, ids, log })
  closers.defer(() => deletedCustomers.close())
  const maintenance = createMaintenance({ database, clock, log })
  closers.defer(() => maintenance.close())
  closers.defer(observeKeptSets(database))
  const run = runOn(database.pool)
  const numbers = createNumberSource(run)
  const client = openOutside(config, overrides, opened)
  const post: OutsideDeps['post'] = (call) => client.post(call)
  const outside: OutsideDeps = { database, numbers, run, registry, secretBox, clock, log, post }
  const background: Opened & BackgroundDeps = { ...opened, database, registry, secretBox }
  const { jobs, webhooks } = openBackground(config, outside, client, overrides, background)
  const readScope = createScopeReader(run, ids, createFindDataVersion(run, clock))
  const limits = overrides.streamLimits
  const eventStreams = createEventStreams({ registry, run, readScope, clock, log, limits })
  closers.defer(() => eventStreams.close())
  const app = createPublicApp({
    ...access,
    verifier: withPresentCustomers(access.verifier, deletedCustomers),
    log,
    clock,
    trustProxy: config.trustProxy,
    limiter,
    registry,
    singletons: singletonSources(findApplication),
    database,
    run,
    numbers,
    outside,
    readScope,
    eventStreams,
    responseCache: createResponseCache(countListAnswer),
    jobs,
    rowJobs,
    signedUrls: createSignedUrls(config.idSecret.reveal(), clock),
    secretBox,
    hosts: ownHostsOf(config),
  })
  const routes = internalRoutes({ database, ids, registry, feed, serviceKey: config.serviceKey })
  const ready = { database: () => database.ping(), ...access.ready }
  const internalApp = createInternalApp({ log, routes, ready })
  const owned = closers.move()
  return {
    app,
    internalApp,
    registry,
    jobs,
    webhooks,
    start: async () => {
      await access.start()
      await deletedCustomers.start()
      await feed.start()
      jobs.start()
      if (config.jobWorkers > 0) webhooks.start()
      maintenance.start()
    },
    endStreams: () => eventStreams.end(),
    endWaits: () => {
      void closeFeed().catch((error: unknown) => log.warn({ err: error }, 'the order feed did not close'))
    },
    close: () => owned.disposeAsync(),
  }
}

const ownHostsOf = ({ merxDomain: domain, publicBaseUrl }: CoreConfig): OwnHosts =>
  createOwnHosts({ domain, publicUrl: publicBaseUrl?.replace(/\/+$/, '') })

const openOutside = (config: CoreConfig, overrides: CoreOverrides, { closers }: Opened): Outside => {
  const client = overrides.outside ?? createOutside({ allowedNetworks: config.outsideAllowedNetworks })
  closers.defer(() => client.close())
  return client
}

/** What works without a request: jobs, and deliveries of webhooks. */
const openBackground = (
  config: CoreConfig,
  outside: OutsideDeps,
  client: Outside,
  overrides: CoreOverrides,
  { log, clock, closers, database, registry, secretBox }: Opened & BackgroundDeps,
): Pick<CoreSystem, 'jobs' | 'webhooks'> => {
  const shared = { database, registry, secretBox, clock, log }
  const known = overrides.jobs ?? [...coreJobs, pruneLogs(config)]
  const jobs = createJobQueue({ ...shared, outside, jobs: known, workers: config.jobWorkers })
  closers.defer(() => jobs.close())
  const webhooks = createWebhookDispatcher({ ...shared, outside: client, onAttempt: countAttempt })
  closers.defer(() => webhooks.close())
  closers.defer(observeWebhooks(database, registry.ids))
  beginPaymentMetrics()
  return { jobs, webhooks }
}

const openCoreDatabase = (config: CoreConfig, { log, closers }: Opened): Database => {
  const database = openDatabase({
    url: config.coreDatabaseUrl,
    maxConnections: config.databaseConnectionsMax,
    statementTimeoutMs: config.statementTimeoutMs,
    log,
  })
  closers.defer(() => database.close())
  return database
}

const openLimiter = async (config: CoreConfig, { log, clock, closers }: Opened): Promise<Limiter> => {
  const scale = config.rateLimitScale
  if (config.redisUrl === undefined) return createLimiter({ clock, scale, log })
  const redis = await connectRedis(config.redisUrl, log)
  closers.defer(() => redis.disconnect())
  return createLimiter({ redis, clock, scale, log })
}

/** Who callers are: tokens are verified here, with keys, revocations and roles of auth. */
const openAccess = (config: CoreConfig, overrides: CoreOverrides, { log, clock, closers }: Opened) => {
  const auth = createInternalClient({
    url: config.authInternalUrl,
    key: config.serviceKey,
    timeoutMs: config.authTimeoutMs,
    log,
  })
  const findApplication = overrides.findApplication ?? createFindApplication(auth)
  if (overrides.verifier !== undefined) {
    return { verifier: overrides.verifier, findApplication, start: () => Promise.resolve(), ready: {} }
  }
  const accessState = createAccessState({ client: auth, log, clock })
  closers.defer(() => accessState.close())
  const verifier = createVerifier({
    jwksUrl: new URL('/.well-known/jwks.json', config.authInternalUrl).href,
    issuer: issuerOf(config),
    clock,
    accessState,
  })
  const ready = { access: () => accessState.requireLoaded() }
  return { verifier, findApplication, start: () => accessState.start(), ready }
}
