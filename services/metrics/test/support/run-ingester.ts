/** The ingest of a store, as the service composes it. */
import { Secret } from '@merx/config/secret'
import { createInternalClient } from '@merx/http/internal-client'
import { systemClock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import { silentLogger } from '@merx/testing/silent-logger'
import type { Engine } from '../../src/engine/engine.ts'
import { createFeedSource } from '../../src/ingest/feed-source.ts'
import { createIngester, type Ingester, type IngesterDeps } from '../../src/ingest/ingester.ts'
import { createPagePreparer } from '../../src/ingest/page-preparer.ts'
import { createStateStore } from '../../src/store/ingest-state.ts'
import type { StoreTables } from '../../src/store/tables.ts'
import { FEED_KEY } from './feed-server.ts'

export interface RunIngesterOptions {
  readonly engine: Engine
  readonly tables: StoreTables
  readonly feedUrl: string
  /** Longest pause; without it as long as in production. */
  readonly pauseMsMax?: number
  readonly log?: Logger
  readonly overrides?: Partial<IngesterDeps>
}

export const runIngester = ({
  engine,
  tables,
  feedUrl: url,
  pauseMsMax = Infinity,
  log = silentLogger,
  overrides = {},
}: RunIngesterOptions): Ingester => {
  const client = createInternalClient({ url, key: new Secret(FEED_KEY), timeoutMs: 2_000, log })
  const ingester = createIngester({
    feed: createFeedSource(client),
    preparer: createPagePreparer(),
    engine,
    tables,
    state: createStateStore(engine),
    clock: systemClock,
    log,
    pause: (ms, signal) => pause(Math.min(ms, pauseMsMax), signal),
    ...overrides,
  })
  ingester.start()
  return ingester
}
