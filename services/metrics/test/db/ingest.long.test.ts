/** The store follows core's feed whatever stops when: the real engine, a real HTTP feed. */
import { rm } from 'node:fs/promises'
import { Secret } from '@merx/config/secret'
import { createInternalClient } from '@merx/http/internal-client'
import type { OrderDocument, OrderFeedEntry } from '@merx/order-feed/order-document'
import { systemClock } from '@merx/telemetry/clock'
import { pause } from '@merx/telemetry/pause'
import { eventually } from '@merx/testing/eventually'
import { silentLogger } from '@merx/testing/silent-logger'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import { toBatch } from '../../src/ingest/batch.ts'
import { createFeedSource } from '../../src/ingest/feed-source.ts'
import { createIngester, type Ingester } from '../../src/ingest/ingester.ts'
import { createPagePreparer } from '../../src/ingest/page-preparer.ts'
import { toPreparedEntry } from '../../src/ingest/prepare-page.ts'
import { createStateStore, type StateStore } from '../../src/store/ingest-state.ts'
import type { StoreTables } from '../../src/store/tables.ts'
import { makeDocument, makeDocuments, ofQuarters } from '../support/documents.ts'
import { FEED_KEY, openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { liveStore } from '../support/live-store.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTables } from '../support/open-tables.ts'
import { createRandom } from '../support/random.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

let test: TestStore
let tables: StoreTables
let feed: FeedServer
const running: Ingester[] = []

beforeEach(async () => {
  test = await openStore()
  tables = await openTables(test.engine)
  feed = await openFeedServer()
})

afterEach(async () => {
  for (const ingester of running.splice(0)) await ingester.close()
  await feed.stop()
  await test.close()
})

const startIngester = (change: (state: StateStore) => Partial<StateStore> = () => ({})): Ingester => {
  const state = createStateStore(test.engine)
  const client = createInternalClient({
    url: feed.url,
    key: new Secret(FEED_KEY),
    timeoutMs: 2000,
    log: silentLogger,
  })
  const ingester = createIngester({
    feed: createFeedSource(client),
    preparer: createPagePreparer(),
    engine: test.engine,
    tables,
    state: { ...state, ...change(state) },
    clock: systemClock,
    log: silentLogger,
    pause: (ms, signal) => pause(Math.min(ms, 20), signal),
  })
  running.push(ingester)
  ingester.start()
  return ingester
}

/** Applies one entry at a time, as pages of the feed would bring them. */
const applyEach = async (...entries: readonly OrderFeedEntry[]): Promise<void> => {
  const store = liveStore(test.engine, tables)
  for (const entry of entries) expect(await store.apply([toPreparedEntry(entry)])).toEqual([])
}

const stored = async (): Promise<ReadonlyMap<string, string>> => {
  const text = 'SELECT id, mode, version, total_amount FROM orders FINAL ORDER BY id'
  const rows = await test.engine.run({ text, params: {} }, budget)
  return new Map(
    rows.map((row) => [
      `${String(row.mode)} ${String(row.id)}`,
      `${String(row.version)} ${String(row.total_amount)}`,
    ]),
  )
}

const amountOf = ({ amounts, minor_unit_digits: digits }: OrderDocument): string =>
  String(amounts.total / 10 ** digits)

const expected = (documents: Iterable<OrderDocument>): ReadonlyMap<string, string> =>
  new Map(
    [...documents]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((document) => [`${document.mode} ${document.id}`, `${document.version} ${amountOf(document)}`]),
  )

const changed = (document: OrderDocument, version: number): OrderDocument => ({
  ...document,
  version,
  amounts: { ...document.amounts, total: document.amounts.total + version },
})

describe('the ingest', () => {
  it('fills an empty store page by page, and then waits for changes', async () => {
    const documents = makeDocuments(1, 1234)
    feed.put(...documents)
    const ingester = startIngester()
    await ingester.caughtUp()
    expect(await stored()).toEqual(expected(documents))
    expect(ingester.status()).toMatchObject({
      role: 'filling',
      hasCaughtUp: true,
      lagMs: 0,
      failures: 0,
      trouble: undefined,
      quarantined: 0,
      appliedTotal: documents.length,
      rebuild: undefined,
    })
    await eventually(async () => feed.requests.at(-1)?.waitSeconds === 25)
  })

  it('shows a changed, a new and a deleted order', async () => {
    const [first, second, third] = makeDocuments(2, 3) as [OrderDocument, OrderDocument, OrderDocument]
    feed.put(first, second)
    await startIngester().caughtUp()
    feed.put(changed(first, 2), third)
    feed.remove(second, 2)
    const wanted = JSON.stringify([...expected([changed(first, 2), third])])
    await eventually(async () => JSON.stringify([...(await stored())]) === wanted)
    expect(await stored()).toEqual(expected([changed(first, 2), third]))
  })

  const upsert = (document: OrderDocument): OrderFeedEntry => ({ kind: 'upsert', document })
  const deletion = ({ organization, mode, id }: OrderDocument, version: number): OrderFeedEntry => ({
    kind: 'delete',
    organization_id: organization.id,
    mode,
    id,
    version,
  })

  it('keeps the higher version, whatever arrives last', async () => {
    const [document] = makeDocuments(3, 1) as [OrderDocument]
    await applyEach(upsert(changed(document, 5)), upsert(changed(document, 4)))
    expect(await stored()).toEqual(expected([changed(document, 5)]))
    await applyEach(deletion(document, 6), upsert(changed(document, 5)), deletion(document, 6))
    expect(await stored()).toEqual(new Map())
  })

  describe('of returns', () => {
    const storedReturns = async (): Promise<readonly unknown[]> => {
      const text = 'SELECT order_id, id, status, version FROM returns FINAL ORDER BY order_id, id'
      return test.engine.run({ text, params: {} }, budget)
    }
    const rowsOf = (...documents: readonly OrderDocument[]): readonly unknown[] =>
      documents
        .flatMap(({ id: order_id, version, returns }) =>
          returns.map(({ id, status }) => ({ order_id, id, status, version: String(version) })),
        )
        .sort((a, b) => (`${a.order_id}${a.id}` < `${b.order_id}${b.id}` ? -1 : 1))
    const documents = makeDocuments(13, 60).filter(({ returns }) => returns.length === 2)
    const [first, second] = documents as [OrderDocument, OrderDocument]

    it('keeps those that the newest document of their order has', async () => {
      await applyEach(upsert(first), upsert(second))
      expect(await storedReturns()).toEqual(rowsOf(first, second))
      const fewer = { ...first, version: 3, returns: first.returns.slice(0, 1) }
      await applyEach(upsert(fewer))
      expect(await storedReturns()).toEqual(rowsOf(fewer, second))
    })

    it('is not undone by an older document, nor by the same one again', async () => {
      const older = { ...first, version: 2 }
      const newer = { ...first, version: 3, returns: first.returns.slice(1) }
      await applyEach(...[older, newer, older, newer].map(upsert))
      expect(await storedReturns()).toEqual(rowsOf(newer))
    })

    it('marks none as gone that a newer document brought', async () => {
      const newer = { ...first, version: 5 }
      await applyEach(upsert(newer), upsert({ ...first, version: 4, returns: [] }))
      expect(await storedReturns()).toEqual(rowsOf(newer))
    })

    it('goes with the order', async () => {
      await applyEach(upsert(first), upsert(second), deletion(first, 9))
      expect(await storedReturns()).toEqual(rowsOf(second))
    })

    it('goes when two pages of one batch bring it and take it away', async () => {
      const kept = { ...first, version: 3, returns: first.returns.slice(1) }
      const pages = [{ ...first, version: 2 }, kept].map((document) => ({
        entries: [toPreparedEntry(upsert(document))],
        poisoned: [],
        cursor: 'c',
        caughtUp: true,
      }))
      await liveStore(test.engine, tables).apply(toBatch(pages).entries)
      expect(await storedReturns()).toEqual(rowsOf(kept))
    })
  })

  it('takes, changes and deletes orders of thirty years at once', async () => {
    const store = liveStore(test.engine, tables)
    const documents = ofQuarters(makeDocuments(30, 120))
    expect(await store.apply(documents.map((document) => toPreparedEntry(upsert(document))))).toEqual([])
    expect(await stored()).toEqual(expected(documents))
    const deletions = documents.map((document) => toPreparedEntry(deletion(document, document.version + 1)))
    expect(await store.apply(deletions)).toEqual([])
    expect(await stored()).toEqual(new Map())
  })

  it('ignores the deletion of an order that it never had', async () => {
    const [document] = makeDocuments(3, 1) as [OrderDocument]
    await applyEach(deletion(document, 3))
    expect(await stored()).toEqual(new Map())
  })

  it('repeats a page after a crash between storing it and saving its cursor, and doubles nothing', async () => {
    const documents = makeDocuments(4, 700)
    feed.put(...documents)
    let crashes = 3
    const ingester = startIngester((state) => ({
      savePosition: async (...position) => {
        if (crashes-- > 0) throw new Error('crash')
        await state.savePosition(...position)
      },
    }))
    await ingester.caughtUp()
    expect(await stored()).toEqual(expected(documents))
  })

  it('continues where it stopped, without reading the feed from the start', async () => {
    const documents = makeDocuments(5, 20)
    feed.put(...documents)
    const first = startIngester()
    await first.caughtUp()
    await first.close()
    const before = feed.requests.length
    await startIngester().caughtUp()
    expect(feed.requests.slice(before).every(({ after }) => after === 'c20')).toBe(true)
  })

  it('waits for a core that is unavailable, and loses nothing when core becomes unavailable again', async () => {
    await feed.stop()
    const documents = makeDocuments(6, 30)
    const ingester = startIngester()
    await eventually(async () => ingester.status().failures > 2)
    expect(ingester.status()).toMatchObject({ hasCaughtUp: false, lagMs: undefined })
    feed.put(...documents.slice(0, 10))
    await feed.start()
    await ingester.caughtUp()
    await feed.stop()
    feed.put(...documents.slice(10))
    await eventually(async () => ingester.status().failures > 0)
    expect(ingester.status().lagMs).toBeGreaterThanOrEqual(0)
    await feed.start()
    await eventually(async () => (await stored()).size === documents.length)
    expect(await stored()).toEqual(expected(documents))
  })

  it('is late while core holds changes back, though every page says that nothing is left', async () => {
    feed.put(...makeDocuments(12, 3))
    const ingester = startIngester()
    await ingester.caughtUp()
    feed.holdBack(7)
    await eventually(async () => ingester.status().lagMs !== 0)
    expect(ingester.status()).toMatchObject({ backlog: 7, failures: 0, trouble: undefined })
    expect(ingester.status().lagMs).toBeGreaterThan(1_000)
    feed.holdBack(0)
    await eventually(async () => ingester.status().lagMs === 0)
    expect(ingester.status()).toMatchObject({ backlog: 0, lagMs: 0 })
  })

  it.each(['status 500', 'cut off', 'not a page'] as const)('survives an answer with %s', async (how) => {
    const documents = makeDocuments(7, 10)
    feed.put(...documents)
    feed.misbehave(how)
    const ingester = startIngester()
    await eventually(async () => ingester.status().failures > 1)
    expect(await stored()).toEqual(new Map())
    feed.misbehave(undefined)
    await ingester.caughtUp()
    expect(await stored()).toEqual(expected(documents))
  })

  it('builds new tables from the start when core was set back and refuses the cursor', async () => {
    const [gone, older, ...rest] = makeDocuments(8, 10) as [OrderDocument, OrderDocument, ...OrderDocument[]]
    feed.put(gone, changed(older, 9), ...rest)
    const ingester = startIngester()
    await ingester.caughtUp()
    feed.setBack([changed(older, 2), ...rest])
    await eventually(async () => ingester.status().generation === 2 && ingester.status().lagMs === 0)
    expect(await stored()).toEqual(expected([changed(older, 2), ...rest]))
    expect(ingester.status()).toMatchObject({ hasCaughtUp: true, generation: 2, rebuild: undefined })
    feed.put(gone)
    await eventually(async () => (await stored()).size === 10)
    expect(await stored()).toEqual(expected([gone, changed(older, 2), ...rest]))
  })

  it('rebuilds a store that was deleted', async () => {
    const documents = makeDocuments(9, 40)
    feed.put(...documents)
    const first = startIngester()
    await first.caughtUp()
    await first.close()
    await test.engine.close()
    await rm(test.path, { recursive: true })
    const engine = openEngine({ path: test.path })
    tables = await openTables(engine)
    test = {
      ...test,
      engine,
      close: async () => {
        await engine.close()
        await rm(test.path, { recursive: true })
      },
    }
    await startIngester().caughtUp()
    expect(await stored()).toEqual(expected(documents))
  })

  it('fills the table again when only the table was lost', async () => {
    const documents = makeDocuments(10, 15)
    feed.put(...documents)
    const first = startIngester()
    await first.caughtUp()
    await first.close()
    await test.engine.execute({ text: 'TRUNCATE TABLE orders', params: {} })
    await startIngester().caughtUp()
    expect(await stored()).toEqual(expected(documents))
  })

  it('agrees with core after either side was stopped at random moments of a random history', async () => {
    const random = createRandom(11)
    const now = new Map<string, OrderDocument>()
    const deleted = new Set<number>() // an id is never given again
    let ingester = startIngester()
    let isUp = true
    for (let step = 0; step < 150; step += 1) {
      const index = random.int(0, 40)
      const known = [...now.values()].find(({ number }) => number === String(100_000 + index))
      const version = step + 2
      if (known !== undefined && random.chance(0.2)) {
        now.delete(known.id)
        deleted.add(index)
        feed.remove(known, version)
      } else if (!deleted.has(index)) {
        const document = changed(known ?? { ...makeDocument(random, index), mode: 'test' }, version)
        now.set(document.id, document)
        feed.put(document)
      }
      if (random.chance(0.1)) {
        await (isUp ? feed.stop() : feed.start())
        isUp = !isUp
      }
      if (random.chance(0.1)) {
        await ingester.close()
        ingester = startIngester()
      }
      if (random.chance(0.3)) await stored() // time for the ingest to get anywhere
    }
    if (!isUp) await feed.start()
    const wanted = JSON.stringify([...expected(now.values())])
    await eventually(async () => JSON.stringify([...(await stored())]) === wanted)
    expect(await stored()).toEqual(expected(now.values()))
  })

  it('rejects whoever waits when it is closed first', async () => {
    await feed.stop()
    const ingester = startIngester()
    const waiting = ingester.caughtUp()
    await ingester.close()
    await expect(waiting).rejects.toThrow('closed before')
    await feed.start()
  })
})
