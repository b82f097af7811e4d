/** The composition root: configuration in, a service that is not listening yet out; closed in reverse order. */
import { createAccessState } from '@merx/access-token/access-state'
import { issuerOf } from '@merx/access-token/issuer'
import { createVerifier } from '@merx/access-token/verifier'
import type { Verifier } from '@merx/access-token/verifier'
import { createInternalClient } from '@merx/http/internal-client'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { createRegistry } from '@merx/jsonapi/registry'
import type { Registry } from '@merx/jsonapi/registry'
import { connectRedis } from '@merx/key-value/connect-redis'
import { createLimiter } from '@merx/rate-limit/create-limiter'
import type { Limiter } from '@merx/rate-limit/create-limiter'
import { systemClock } from '@merx/telemetry/clock'
import type { Clock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import type { Logger } from '@merx/telemetry/logger'
import type { Express } from 'express'
import { createInternalApp, createPublicApp } from './app.ts'
import { createFindApplication } from './applications/find-application.ts'
import type { FindApplication } from './applications/find-application.ts'
import type { CoreConfig } from './config.ts'
import { defineCoreGauges } from './core-metrics.ts'
import { exportStep } from './exports/export-step.ts'
import { createOrderFeed } from './feed/order-feed.ts'
import { importStep } from './imports/import-step.ts'
import { internalRoutes } from './internal/routes.ts'
import { createJobRunner } from './jobs/job-runner.ts'
import type { JobRunner } from './jobs/job-runner.ts'
import { createSignedUrls } from './jobs/signed-urls.ts'
import { withPresentCustomers } from './policies/with-present-customers.ts'
import { resources } from './resources/index.ts'
import { createCatalogueWatch } from './store/catalogue-watch.ts'
import { checkSources } from './store/check-sources.ts'
import { openDatabase } from './store/database.ts'
import type { Database } from './store/database.ts'
import { createDeletedCustomers } from './store/deleted-customers.ts'
import { createKeptUpkeep } from './store/kept-upkeep.ts'
import { createNumberSource } from './store/number-source.ts'
import { createScopeReader } from './store/read-scope.ts'
import { runOn } from './store/run-statement.ts'

/** What tests and the embedded system put in place of the real thing. */
export interface CoreOverrides {
  readonly log?: Logger
  readonly clock?: Clock
  readonly verifier?: Verifier
  readonly limiter?: Limiter
  readonly findApplication?: FindApplication
  /** Another list than that of src/resources/index.ts. */
  readonly resources?: readonly ResourceDefinition[]
}

export interface CoreSystem {
  readonly app: Express
  readonly internalApp: Express
  readonly registry: Registry
  /** Follows revocations and roles, listens for changes of orders. Call it before listening. */
  start(): Promise<void>
  /** Of imports and exports; they work once the system has started. */
  readonly jobs: JobRunner
  /** Answers waiting long polls, so that the internal listener can close. */
  endWaits(): void
  close(): Promise<void>
}

interface Opened {
  readonly log: Logger
  readonly clock: Clock
  readonly closers: AsyncDisposableStack
}

/** @example const core = await compose(loadCoreConfig(process.env)); await core.start() */
export const compose = async (config: CoreConfig, overrides: CoreOverrides = {}): Promise<CoreSystem> => {
  const log = overrides.log ?? createLogger({ service: 'core', level: config.logLevel })
  const clock = overrides.clock ?? systemClock
  const ids = createPublicIds({ secret: config.idSecret.reveal() })
  const registry = createRegistry(overrides.resources ?? resources, { ids })
  checkSources(registry)
  await using closers = new AsyncDisposableStack()
  const opened: Opened = { log, clock, closers }
  const database = openCoreDatabase(config, opened)
  const limiter = overrides.limiter ?? (await openLimiter(config, opened))
  const access = openAccess(config, overrides, opened)
  const feed = createOrderFeed({ database, ids, log })
  let feedClosed: Promise<void> | undefined
  const closeFeed = (): Promise<void> => (feedClosed ??= feed.close())
  closers.defer(closeFeed)
  const deletedCustomers = createDeletedCustomers({ database, ids, log })
  closers.defer(() => deletedCustomers.close())
  const upkeep = createKeptUpkeep({ database, clock, log })
  closers.defer(() => upkeep.close())
  closers.defer(defineCoreGauges(database))
  const run = runOn(database.pool)
  const jobs = openJobs(database, registry, config, opened)
  const app = createPublicApp({
    ...access,
    verifier: withPresentCustomers(access.verifier, deletedCustomers),
    log,
    clock,
    trustProxy: config.trustProxy,
    limiter,
    registry,
    database,
    run,
    numbers: createNumberSource(run),
    readScope: createScopeReader(run, ids, createCatalogueWatch(run, clock)),
    codeStarts: upkeep,
    jobs,
    signedUrls: createSignedUrls(config.idSecret.reveal(), clock),
    publicBaseUrl: config.publicBaseUrl?.replace(/\/+$/, ''),
  })
  const routes = internalRoutes({ database, ids, registry, feed, serviceKey: config.serviceKey })
  const internalApp = createInternalApp({
    log,
    routes,
    ready: { database: () => database.ping(), ...access.ready },
  })
  const owned = closers.move()
  return {
    app,
    internalApp,
    registry,
    jobs,
    start: async () => {
      await access.start()
      await deletedCustomers.start()
      await feed.start()
      jobs.start()
      upkeep.start()
    },
    endWaits: () => {
      void closeFeed().catch((error: unknown) => log.warn({ err: error }, 'the order feed did not close'))
    },
    close: () => owned.disposeAsync(),
  }
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

/** A worker ends after its step, so what it holds is closed after it. */
const openJobs = (
  database: Database,
  registry: Registry,
  { jobWorkers }: CoreConfig,
  { log, clock, closers }: Opened,
): JobRunner => {
  const deps = { database, registry, now: () => clock.now(), log }
  const jobs = createJobRunner({
    steps: [() => importStep(deps), () => exportStep(deps)],
    concurrency: jobWorkers,
    pollMs: 1_000,
    log,
  })
  closers.defer(() => jobs.close())
  return jobs
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
