/** Puts the service together from its configuration. Tests pass overrides; `close` runs in reverse order of opening. */
import { hkdfSync } from 'node:crypto'
import { createAccessState } from '@merx/access-token/access-state'
import { issuerOf } from '@merx/access-token/issuer'
import { createVerifier, type Verifier } from '@merx/access-token/verifier'
import type { Secret } from '@merx/config/secret'
import { createOwnHosts } from '@merx/http/host'
import { createInternalClient } from '@merx/http/internal-client'
import { connectRedis } from '@merx/key-value/connect-redis'
import { createLimiter, type Limiter } from '@merx/rate-limit/create-limiter'
import { systemClock, type Clock } from '@merx/telemetry/clock'
import { createLogger, type Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import type { Express } from 'express'
import { createInternalApp, createMetricsApp } from './app.ts'
import { loadCatalogue, loadFbt } from './catalogue/load-catalogue.ts'
import type { MetricsConfig } from './config.ts'
import { openEngine, type EngineLocation } from './engine/clickhouse-engine.ts'
import type { Engine } from './engine/engine.ts'
import { createKnownMarkets } from './engine/known-markets.ts'
import { limitConcurrency } from './engine/limit-concurrency.ts'
import { createTableSizes } from './engine/table-sizes.ts'
import { withDamageRecovery } from './engine/with-damage-recovery.ts'
import { withTracing } from './engine/with-tracing.ts'
import { createFeedSource, type FeedSource } from './ingest/feed-source.ts'
import { createIngester, type Ingester } from './ingest/ingester.ts'
import { createPagePreparer } from './ingest/page-preparer.ts'
import { createCursorCodec } from './request/cursor.ts'
import type { Budget } from './request/limits.ts'
import { createStateStore, type StateStore } from './store/ingest-state.ts'
import { layoutOf } from './store/layout.ts'
import { createStoreControl, type StoreControl } from './store/store-control.ts'
import { createStoreTables, type StoreTables } from './store/tables.ts'
import { observeIngest } from './telemetry.ts'

/** What a test or the embedded system replaces. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Logger
  readonly engine?: Engine
  readonly verifier?: Verifier
  readonly limiter?: Limiter
  readonly feed?: FeedSource
}

export interface Metrics {
  readonly app: Express
  readonly internalApp: Express
  /** Undefined when METRICS_INGEST is off. */
  readonly ingester: Ingester | undefined
  /** Begins to fill the store and to follow revocations. */
  start(): Promise<void>
  close(): Promise<void>
}

const INTERNAL_TIMEOUT_MS = 5_000
const WAITING_MAX = 200
const MEGABYTE = 1_000_000

/** A server by URL when there is one, else the embedded engine in its folder. */
export const locationOf = (config: MetricsConfig): EngineLocation =>
  config.clickhouseUrl === undefined ? { path: config.clickhousePath } : { url: config.clickhouseUrl }

const budgetOf = (config: MetricsConfig): Budget => ({
  timeoutMs: config.queryTimeoutMs,
  memoryBytesMax: config.queryMemoryMb * MEGABYTE,
  groupsMax: 2_000_000,
  rowsMax: 50_000,
})

/** Cursors get a key of their own, so that nothing signed with it is good for anything else. */
const cursorKeyOf = (key: Secret): Buffer =>
  Buffer.from(hkdfSync('sha256', key.reveal(), '', 'merx metrics search cursor', 32))

type Closer = () => Promise<void>

interface Opened {
  readonly closers: Closer[]
  readonly log: Logger
  readonly clock: Clock
}

const openVerifier = (config: MetricsConfig, { closers, log, clock }: Opened) => {
  const client = createInternalClient({
    url: config.authInternalUrl,
    key: config.serviceKey,
    timeoutMs: INTERNAL_TIMEOUT_MS,
    log,
  })
  const accessState = createAccessState({ client, log, clock })
  closers.push(async () => accessState.close())
  const verifier = createVerifier({
    jwksUrl: new URL('/.well-known/jwks.json', config.authInternalUrl).href,
    issuer: issuerOf(config),
    clock,
    accessState,
  })
  const ready = { access: () => accessState.requireLoaded() }
  return { verifier, start: async () => accessState.start(), ready }
}

const openLimiter = async (config: MetricsConfig, { closers, log, clock }: Opened): Promise<Limiter> => {
  if (config.redisUrl === undefined) return createLimiter({ clock, log, scale: config.rateLimitScale })
  const redis = await connectRedis(config.redisUrl, log)
  closers.push(async () => {
    redis.disconnect()
  })
  return createLimiter({ redis, clock, log, scale: config.rateLimitScale })
}

interface Store {
  readonly engine: Engine
  readonly tables: StoreTables
  readonly state: StateStore
}

const openIngester = (
  config: MetricsConfig,
  store: Store,
  given: FeedSource | undefined,
  { closers, log, clock }: Opened,
): Ingester => {
  const { coreInternalUrl: url, serviceKey: key } = config
  const feed =
    given ?? createFeedSource(createInternalClient({ url, key, timeoutMs: INTERNAL_TIMEOUT_MS, log }))
  const ingester = createIngester({
    ...store,
    feed,
    preparer: createPagePreparer(),
    clock,
    log,
    pause,
    isEmbedded: config.clickhouseUrl === undefined,
  })
  closers.push(() => ingester.close())
  const stopObserving = observeIngest(() => ingester.status())
  closers.push(async () => stopObserving())
  return ingester
}

const readiness = (engine: Engine, control: StoreControl, ingester: Ingester | undefined) => ({
  engine: () => engine.ping(),
  orders: async () => {
    if (ingester?.status().hasCaughtUp === true || (await control.hasCaughtUp())) return
    throw new Error('the store does not hold every order yet')
  },
})

export const compose = async (config: MetricsConfig, overrides: Overrides = {}): Promise<Metrics> => {
  const log = overrides.log ?? createLogger({ service: 'metrics', level: config.logLevel })
  const clock = overrides.clock ?? systemClock
  const opened: Opened = { closers: [], log, clock }
  const raw = overrides.engine ?? openEngine(locationOf(config))
  opened.closers.push(() => raw.close())
  const isEmbedded = config.clickhouseUrl === undefined
  const engine = withTracing(isEmbedded ? withDamageRecovery(raw, log) : raw)
  const close = async (): Promise<void> => {
    for (const closer of opened.closers.splice(0).reverse()) await closer()
  }
  const tables = createStoreTables({ engine, layout: layoutOf(config.clickhouseCluster), log })
  const state = createStateStore(engine)
  try {
    await tables.open()
  } catch (error) {
    await close()
    throw error
  }
  const tokens = overrides.verifier === undefined ? openVerifier(config, opened) : undefined
  const verifier = overrides.verifier ?? tokens?.verifier
  if (verifier === undefined) throw new Error('there is no verifier')
  const control = createStoreControl(tables, state)
  const ingester = config.metricsIngest
    ? openIngester(config, { engine, tables, state }, overrides.feed, opened)
    : undefined
  const queries = limitConcurrency(engine, { runningMax: config.queryConcurrency, waitingMax: WAITING_MAX })
  const budget = budgetOf(config)
  const catalogue = loadCatalogue()
  const deps = {
    engineFor: (organizationId: string) => queries.forOrganization(organizationId),
    dialect: config.metricsDialect,
    cursors: createCursorCodec(cursorKeyOf(config.serviceKey)),
    clock,
    budget,
    verifier,
    hosts: createOwnHosts({
      domain: config.merxDomain,
      publicUrl: config.publicBaseUrl?.replace(/\/+$/, ''),
    }),
    limiter: overrides.limiter ?? (await openLimiter(config, opened)),
    catalogue,
    fbt: loadFbt(catalogue),
    markets: createKnownMarkets({ engineFor: (id) => queries.forOrganization(id), clock, budget }),
    tableSizes: createTableSizes({ engine, clock, budget }),
    isCluster: config.clickhouseCluster !== undefined,
  }
  return {
    app: createMetricsApp(deps, { log, trustProxy: config.trustProxy }),
    internalApp: createInternalApp(
      {
        ready: { ...readiness(engine, control, ingester), ...tokens?.ready },
        ingester,
        requestRebuild: () => control.requestRebuild(),
        serviceKey: config.serviceKey,
      },
      { log, trustProxy: 0 },
    ),
    ingester,
    start: async () => {
      await tokens?.start()
      ingester?.start()
    },
    close,
  }
}
