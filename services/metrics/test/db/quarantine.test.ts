/** What cannot be stored goes to the quarantine, is reported, and is stored when it can be; everything else goes on. */
import { EventEmitter, once } from 'node:events'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { eventually } from '@merx/testing/eventually'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import type { FeedSource } from '../../src/ingest/feed-source.ts'
import type { Ingester } from '../../src/ingest/ingester.ts'
import { createStateStore } from '../../src/store/ingest-state.ts'
import { createStoreControl } from '../../src/store/store-control.ts'
import type { StoreTables } from '../../src/store/tables.ts'
import { makeDocuments } from '../support/documents.ts'
import { openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTables } from '../support/open-tables.ts'
import { runIngester } from '../support/run-ingester.ts'
import { changedOrder, expectedOrders, storedOrders } from '../support/stored-orders.ts'
import { emptyFeed } from '../support/test-app.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

let store: TestStore
let tables: StoreTables
let feed: FeedServer
let ingester: Ingester
let lines: ReturnType<typeof createRecordingLogger>['lines']

beforeEach(async () => {
  store = await openStore()
  tables = await openTables(store.engine)
  feed = await openFeedServer()
})

afterEach(async () => {
  await ingester.close()
  await feed.stop()
  await store.close()
})

const start = (): void => {
  const recording = createRecordingLogger()
  lines = recording.lines
  const { log } = recording
  ingester = runIngester({ engine: store.engine, tables, feedUrl: feed.url, pauseMsMax: 20, log })
}

const quarantined = () =>
  store.engine.run(
    {
      text: 'SELECT order_id, order_version, reason, entry FROM quarantine FINAL ORDER BY order_id',
      params: {},
    },
    budget,
  )

/** As core would send it if it were broken there: the type is what this release says, the value is not. */
const brokenStatus = (document: OrderDocument): OrderDocument =>
  ({ ...document, version: 2, status: 7 }) as unknown as OrderDocument

/** Understood, and more than the column can hold: 18 digits, 4 of them after the point. */
const beyondDecimals = (document: OrderDocument): OrderDocument => ({
  ...document,
  version: 2,
  minor_unit_digits: 0,
  amounts: { ...document.amounts, total: Number.MAX_SAFE_INTEGER },
})

describe.each([
  ['that is not what the schema says', brokenStatus, /\/document\/status/],
  ['that the engine refuses', beyondDecimals, /total_amount|Decimal|DECIMAL|big/i],
])('a document %s', (_name, damage, reason) => {
  it('keeps its order as it was, delays no other, and is reported', async () => {
    const documents = makeDocuments(41, 40)
    const [first] = documents as [OrderDocument]
    feed.put(...documents)
    start()
    await ingester.caughtUp()
    feed.put(damage(first), ...documents.slice(1).map((document) => changedOrder(document, 2)))
    await eventually(() => ingester.status().quarantined === 1 && ingester.status().lagMs === 0)
    expect(ingester.status()).toMatchObject({ quarantined: 1, failures: 0, lagMs: 0 })
    expect(await storedOrders(store.engine)).toEqual(
      expectedOrders([first, ...documents.slice(1).map((document) => changedOrder(document, 2))]),
    )
    expect(await quarantined()).toEqual([
      {
        order_id: first.id,
        order_version: '2',
        reason: expect.stringMatching(reason) as unknown,
        entry: expect.stringContaining(first.id) as unknown,
      },
    ])
    expect(JSON.stringify(lines)).toContain('an order could not be stored and is in quarantine')
  })

  it('leaves quarantine when a newer one can be stored', async () => {
    const [first, second] = makeDocuments(42, 2) as [OrderDocument, OrderDocument]
    feed.put(damage(first), second)
    start()
    await ingester.caughtUp()
    expect(ingester.status().quarantined).toBe(1)
    feed.put(changedOrder(first, 3))
    await eventually(() => ingester.status().quarantined === 0)
    expect(await quarantined()).toEqual([])
    expect(await storedOrders(store.engine)).toEqual(expectedOrders([changedOrder(first, 3), second]))
  })

  it('is tried again by a rebuild', async () => {
    const [first, second] = makeDocuments(43, 2) as [OrderDocument, OrderDocument]
    feed.put(damage(first), second)
    start()
    await ingester.caughtUp()
    const control = createStoreControl(tables, createStateStore(store.engine))
    await control.requestRebuild()
    await eventually(() => ingester.status().generation === 2)
    expect(ingester.status().quarantined).toBe(1)
    // Mended in core without a new version, as a fault of core that was fixed would be.
    feed.put({ ...first, version: 2 })
    await eventually(() => ingester.status().quarantined === 0)
    expect(await storedOrders(store.engine)).toEqual(expectedOrders([{ ...first, version: 2 }, second]))
  })
})

describe('two states of an order that are written at once', () => {
  const [first] = makeDocuments(45, 1) as [OrderDocument]
  const whole = (version: number): OrderDocument => changedOrder(first, version)
  const broken = (version: number): OrderDocument => ({ ...brokenStatus(first), version })

  /** A feed with each document on a page of its own: those of the first list, and when it is released, of the next. */
  const startWith = (...lists: readonly (readonly OrderDocument[])[]): (() => void) => {
    const pages = lists.flatMap((documents, list) =>
      documents.map((document, at) => ({
        list,
        page: {
          entries: [{ kind: 'upsert', document }],
          cursor: `${list}-${at}`,
          caught_up: at === documents.length - 1,
        },
      })),
    )
    const changed = new EventEmitter()
    let last = 0
    const read: FeedSource['read'] = async ({ after, signal }) => {
      const next = pages[pages.findIndex(({ page }) => page.cursor === after) + 1]
      while (next === undefined || next.list > last) await once(changed, 'more', { signal })
      return new TextEncoder().encode(JSON.stringify(next.page))
    }
    const overrides = { feed: { ...emptyFeed, read } }
    ingester = runIngester({ engine: store.engine, tables, feedUrl: feed.url, pauseMsMax: 20, overrides })
    return () => {
      last += 1
      changed.emit('more')
    }
  }

  it('leave it out of quarantine when the newer one can be stored', async () => {
    startWith([broken(2), whole(3)])
    await ingester.caughtUp()
    expect(ingester.status().quarantined).toBe(0)
    expect(await quarantined()).toEqual([])
    expect(await storedOrders(store.engine)).toEqual(expectedOrders([whole(3)]))
  })

  it('keep it in quarantine when only the older one can be stored', async () => {
    const goOn = startWith([broken(2)], [whole(3), broken(4)])
    await ingester.caughtUp()
    expect(ingester.status().quarantined).toBe(1)
    goOn()
    await eventually(() => ingester.status().position === '1-1')
    expect(ingester.status().quarantined).toBe(1)
    expect(await quarantined()).toMatchObject([{ order_version: '4' }])
    expect(await storedOrders(store.engine)).toEqual(expectedOrders([whole(3)]))
  })
})

it('documents of a newer core are waited for, not set apart', async () => {
  const [first, second] = makeDocuments(44, 2) as [OrderDocument, OrderDocument]
  feed.put(first)
  start()
  await ingester.caughtUp()
  feed.put({ ...second, schema: 99 } as unknown as OrderDocument)
  await eventually(() => ingester.status().failures > 1)
  expect(await quarantined()).toEqual([])
  expect(JSON.stringify(lines)).toContain('order documents of version 99')
  feed.put(second)
  await eventually(async () => (await storedOrders(store.engine)).size === 2)
  expect(await storedOrders(store.engine)).toEqual(expectedOrders([first, second]))
})
