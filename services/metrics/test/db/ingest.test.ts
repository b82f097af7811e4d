/** The store follows core's feed whatever stops when: the real engine, a real HTTP feed. */
import { rm } from 'node:fs/promises'
import { Secret } from '@merx/config/secret'
import { createInternalClient } from '@merx/http/internal-client'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { systemClock } from '@merx/telemetry/clock'
import { pause } from '@merx/telemetry/pause'
import { silentLogger } from '@merx/testing/silent-logger'
import { applyMigrations } from '../../src/engine/apply-migrations.ts'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import { createFeedSource } from '../../src/ingest/feed-source.ts'
import { createIngester, type Ingester } from '../../src/ingest/ingester.ts'
import { createOrderStore, type OrderStore } from '../../src/ingest/order-store.ts'
import { makeDocument, makeDocuments } from '../support/documents.ts'
import { FEED_KEY, openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { createRandom } from '../support/random.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

let test: TestStore
let feed: FeedServer
const running: Ingester[] = []

beforeEach(async () => {
  test = await openStore()
  feed = await openFeedServer()
})

afterEach(async () => {
  for (const ingester of running.splice(0)) await ingester.close()
  await feed.stop()
  await test.close()
})

const startIngester = (change: (store: OrderStore) => Partial<OrderStore> = () => ({})): Ingester => {
  const store = createOrderStore(test.engine, systemClock)
  const client = createInternalClient({
    url: feed.url,
    key: new Secret(FEED_KEY),
    timeoutMs: 2000,
    log: silentLogger,
  })
  const ingester = createIngester({
    feed: createFeedSource(client),
    store: { ...store, ...change(store) },
    clock: systemClock,
    log: silentLogger,
    pause: (ms, signal) => pause(Math.min(ms, 20), signal),
  })
  running.push(ingester)
  ingester.start()
  return ingester
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

const PATIENCE_MS = 20_000

/** Resolves once it is so, or after 20 s: the assertion that follows then shows what is not. */
const eventually = async (isSo: () => Promise<boolean>): Promise<void> => {
  const untilMs = performance.now() + PATIENCE_MS
  while (performance.now() < untilMs && !(await isSo())) await new Promise(setImmediate)
}

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
    expect(ingester.status()).toEqual({ hasCaughtUp: true, lagMs: 0, failures: 0 })
    await eventually(async () => feed.requests.at(-1)?.waitSeconds === 25)
  })

  it('shows a changed, a new and a deleted order within a second', async () => {
    const [first, second, third] = makeDocuments(2, 3) as [OrderDocument, OrderDocument, OrderDocument]
    feed.put(first, second)
    await startIngester().caughtUp()
    const startMs = performance.now()
    feed.put(changed(first, 2), third)
    feed.remove(second, 2)
    const wanted = JSON.stringify([...expected([changed(first, 2), third])])
    await eventually(async () => JSON.stringify([...(await stored())]) === wanted)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })

  it('keeps the higher version, whatever arrives last', async () => {
    const [document] = makeDocuments(3, 1) as [OrderDocument]
    const store = createOrderStore(test.engine, systemClock)
    await store.apply([{ kind: 'upsert', document: changed(document, 5) }])
    await store.apply([{ kind: 'upsert', document: changed(document, 4) }])
    expect(await stored()).toEqual(expected([changed(document, 5)]))
    const deletion = {
      kind: 'delete',
      organization_id: document.organization.id,
      mode: document.mode,
      id: document.id,
    } as const
    await store.apply([{ ...deletion, version: 6 }])
    await store.apply([
      { kind: 'upsert', document: changed(document, 5) },
      { ...deletion, version: 6 },
    ])
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
    const upsert = (document: OrderDocument) => ({ kind: 'upsert', document }) as const

    it('keeps those that the newest document of their order has', async () => {
      const store = createOrderStore(test.engine, systemClock)
      await store.apply([upsert(first), upsert(second)])
      expect(await storedReturns()).toEqual(rowsOf(first, second))
      const fewer = { ...first, version: 3, returns: first.returns.slice(0, 1) }
      await store.apply([upsert(fewer)])
      expect(await storedReturns()).toEqual(rowsOf(fewer, second))
    })

    it('is not undone by an older document, nor by the same one again', async () => {
      const store = createOrderStore(test.engine, systemClock)
      const older = { ...first, version: 2 }
      const newer = { ...first, version: 3, returns: first.returns.slice(1) }
      for (const document of [older, newer, older, newer]) await store.apply([upsert(document)])
      expect(await storedReturns()).toEqual(rowsOf(newer))
    })

    it('marks none as gone that a newer document brought', async () => {
      const store = createOrderStore(test.engine, systemClock)
      const newer = { ...first, version: 5 }
      await store.apply([upsert(newer)])
      await store.apply([upsert({ ...first, version: 4, returns: [] })])
      expect(await storedReturns()).toEqual(rowsOf(newer))
    })

    it('goes with the order', async () => {
      const store = createOrderStore(test.engine, systemClock)
      await store.apply([upsert(first), upsert(second)])
      const { organization, mode, id } = first
      await store.apply([{ kind: 'delete', organization_id: organization.id, mode, id, version: 9 }])
      expect(await storedReturns()).toEqual(rowsOf(second))
    })
  })

  it('ignores the deletion of an order that it never had', async () => {
    const store = createOrderStore(test.engine, systemClock)
    await store.apply([
      { kind: 'delete', organization_id: 'orgAAAAAAA', mode: 'test', id: 'nobodyXXXX', version: 3 },
    ])
    expect(await stored()).toEqual(new Map())
  })

  it('repeats a page after a crash between storing it and saving its cursor, and doubles nothing', async () => {
    const documents = makeDocuments(4, 700)
    feed.put(...documents)
    let crashes = 3
    const ingester = startIngester((store) => ({
      savePosition: async (position) => {
        if (crashes-- > 0) throw new Error('crash')
        await store.savePosition(position)
      },
    }))
    await ingester.caughtUp()
    expect(await stored()).toEqual(expected(documents))
  })

  it('goes on where it stopped, without reading the feed from the start', async () => {
    const documents = makeDocuments(5, 20)
    feed.put(...documents)
    const first = startIngester()
    await first.caughtUp()
    await first.close()
    const before = feed.requests.length
    await startIngester().caughtUp()
    expect(feed.requests.slice(before).every(({ after }) => after === 'c20')).toBe(true)
  })

  it('waits for a core that is away, and loses nothing when core goes away again', async () => {
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

  it('reads from the start when core refuses the cursor', async () => {
    const documents = makeDocuments(8, 10)
    feed.put(...documents)
    const ingester = startIngester()
    await ingester.caughtUp()
    feed.misbehave('status 400')
    await eventually(async () => feed.requests.filter(({ after }) => after === undefined).length > 1)
    feed.misbehave(undefined)
    await eventually(async () => ingester.status().lagMs === 0)
    expect(await stored()).toEqual(expected(documents))
    expect(ingester.status().hasCaughtUp).toBe(true)
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
    await applyMigrations(engine, silentLogger)
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

  it('tells whoever waits that it was closed first', async () => {
    await feed.stop()
    const ingester = startIngester()
    const waiting = ingester.caughtUp()
    await ingester.close()
    await expect(waiting).rejects.toThrow('closed before')
    await feed.start()
  })
})
