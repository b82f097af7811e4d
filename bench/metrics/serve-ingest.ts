/**
 * The program under measurement: fills an empty store, either as the service does, from the feed, or as fast as the engine can
 * take rows that are text already. `POST /run` does it and tells how long it took and what it cost.
 */
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInternalClient } from '@merx/http/internal-client'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { loadMetricsConfig } from '@merx/metrics/config'
import { openEngine } from '@merx/metrics/engine/clickhouse-engine'
import type { Engine } from '@merx/metrics/engine/engine'
import { createFeedSource, type FeedSource } from '@merx/metrics/ingest/feed-source'
import { createIngester } from '@merx/metrics/ingest/ingester'
import { ORDER_COLUMNS } from '@merx/metrics/ingest/order-row'
import { createPagePreparer } from '@merx/metrics/ingest/page-preparer'
import { preparePage } from '@merx/metrics/ingest/prepare-page'
import { RETURN_COLUMNS } from '@merx/metrics/ingest/return-rows'
import { createStateStore } from '@merx/metrics/store/ingest-state'
import { createStoreTables, type StoreTables } from '@merx/metrics/store/tables'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'

export interface ServeIngestInput {
  readonly how: 'merx' | 'floor'
  readonly folder: string
  readonly feedUrl: string
}

export interface FillCost {
  readonly ms: number
  readonly cpuMs: number
  readonly lagMaxMs: number
  readonly rssMaxBytes: number
  readonly orders: number
}

const budget = { timeoutMs: 60_000, memoryBytesMax: 4e9, groupsMax: 100, rowsMax: 100 }
/** What the ingest writes at once when it is far behind. */
const BATCH_PAGES = 4
const LAG_RESOLUTION_MS = 10
const MS_PER_NS = 1e-6

const log = createLogger({ service: 'bench', level: 'warn' })

const preparedPages = async (feed: FeedSource) => {
  const { signal } = new AbortController()
  const pages: ReturnType<typeof preparePage>[] = []
  do {
    const bytes = await feed.read({ after: pages.at(-1)?.cursor, waitSeconds: 0, signal })
    pages.push(preparePage(new TextDecoder().decode(bytes)))
  } while (pages.at(-1)?.caughtUp === false)
  return pages
}

/** Gives the work, with everything done that is not to be measured. */
const prepareFloor = async (
  engine: Engine,
  tables: StoreTables,
  feed: FeedSource,
): Promise<() => Promise<void>> => {
  const pages = await preparedPages(feed)
  await tables.build(1)
  await tables.swap(1)
  return async () => {
    for (let at = 0; at < pages.length; at += BATCH_PAGES) {
      const entries = pages.slice(at, at + BATCH_PAGES).flatMap((page) => page.entries)
      const returns = entries.flatMap((entry) => entry.returns)
      await engine.insertLines({ table: 'returns', columns: RETURN_COLUMNS }, returns)
      const orders = entries.flatMap(({ order }) => order ?? [])
      await engine.insertLines({ table: 'orders', columns: ORDER_COLUMNS }, orders)
    }
  }
}

const prepareMerx = (engine: Engine, tables: StoreTables, feed: FeedSource): (() => Promise<void>) => {
  const state = createStateStore(engine)
  const preparer = createPagePreparer()
  const deps = { feed, preparer, engine, tables, state, clock: systemClock, log, pause }
  const ingester = createIngester({ ...deps, isEmbedded: true })
  return async () => {
    ingester.start()
    await ingester.caughtUp()
  }
}

const measured = async (engine: Engine, work: () => Promise<void>): Promise<FillCost> => {
  const delay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  delay.enable()
  let rssMaxBytes = 0
  const looking = setInterval(() => (rssMaxBytes = Math.max(rssMaxBytes, process.memoryUsage.rss())), 50)
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  clearInterval(looking)
  const [row] = await engine.run({ text: 'SELECT count() AS total FROM orders FINAL', params: {} }, budget)
  const lagMaxMs = Math.max(0, delay.max * MS_PER_NS - LAG_RESOLUTION_MS)
  return { ms, cpuMs: (user + system) / 1000, lagMaxMs, rssMaxBytes, orders: Number(row?.total) }
}

runAsTarget<ServeIngestInput, object>(async ({ how, folder, feedUrl }) => {
  const engine = openEngine({ path: folder })
  const tables = createStoreTables({ engine, layout: { kind: 'single' }, log })
  await tables.open()
  const client = createInternalClient({
    url: feedUrl,
    key: loadMetricsConfig({ SERVICE_KEY: 'a key for benchmarks' }).serviceKey,
    timeoutMs: 5_000,
    log,
  })
  const feed = createFeedSource(client)
  const work = how === 'merx' ? prepareMerx(engine, tables, feed) : await prepareFloor(engine, tables, feed)
  const server = createServer((_req, res) => {
    measured(engine, work).then(
      (cost) => res.end(JSON.stringify(cost)),
      (error: unknown) => res.writeHead(500).end(String(error)),
    )
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // The folder is thrown away, so what still runs is ended with the process.
  return { url: `http://127.0.0.1:${port}`, facts: {}, close: async () => void server.close() }
})
