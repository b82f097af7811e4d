/** A rebuild into shadow tables: queries see all orders all the time, whatever stops when. */
import { AppError } from '@merx/errors/app-error'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { eventually } from '@merx/testing/eventually'
import type { Engine } from '../../src/engine/engine.ts'
import type { Ingester } from '../../src/ingest/ingester.ts'
import type { OrderStore } from '../../src/ingest/order-store.ts'
import { toPreparedEntry } from '../../src/ingest/prepare-page.ts'
import { createStateStore } from '../../src/store/ingest-state.ts'
import { createStoreControl } from '../../src/store/store-control.ts'
import { SHAPE } from '../../src/store/table-definitions.ts'
import type { StoreTables } from '../../src/store/tables.ts'
import { makeDocuments } from '../support/documents.ts'
import { openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { liveStore } from '../support/live-store.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTables } from '../support/open-tables.ts'
import { runIngester } from '../support/run-ingester.ts'
import { changedOrder, expectedOrders, storedOrders } from '../support/stored-orders.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

let store: TestStore
let tables: StoreTables
let feed: FeedServer
const running: Ingester[] = []

beforeEach(async () => {
  store = await openStore()
  tables = await openTables(store.engine)
  feed = await openFeedServer()
})

afterEach(async () => {
  for (const ingester of running.splice(0)) await ingester.close()
  await feed.stop()
  await store.close()
})

const start = (engine: Engine = store.engine): Ingester => {
  const ingester = runIngester({ engine, tables, feedUrl: feed.url, pauseMsMax: 20 })
  running.push(ingester)
  return ingester
}

const requestRebuild = (): Promise<number> =>
  createStoreControl(tables, createStateStore(store.engine)).requestRebuild()

const tableNames = async (): Promise<readonly string[]> => {
  const text =
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%\\\\_g%' ORDER BY name"
  return (await store.engine.run({ text, params: {} }, budget)).map(({ name }) => String(name))
}

it('queries see every order and its newest total from before the rebuild to after the exchange', async () => {
  const documents = makeDocuments(31, 300)
  feed.put(...documents)
  const ingester = start()
  await ingester.caughtUp()
  expect(await requestRebuild()).toBe(2)
  expect(await requestRebuild()).toBe(2)
  let reads = 0
  let version = 1
  let wanted = expectedOrders(documents)
  while (ingester.status().generation < 2 && reads < 2_000) {
    reads += 1
    if (reads % 5 === 0) {
      version += 1
      feed.put(...documents.map((document) => changedOrder(document, version)))
      wanted = expectedOrders(documents.map((document) => changedOrder(document, version)))
    }
    const seen = await storedOrders(store.engine)
    expect(seen.size).toBe(documents.length)
    const oldest = Math.min(...[...seen.values()].map((value) => Number(value.split(' ')[0])))
    expect(oldest).toBeGreaterThanOrEqual(1)
  }
  expect(ingester.status().generation).toBe(2)
  await eventually(
    async () => JSON.stringify([...(await storedOrders(store.engine))]) === JSON.stringify([...wanted]),
  )
  expect(await storedOrders(store.engine)).toEqual(wanted)
  await eventually(async () => (await tableNames()).length === 0)
  expect(await tableNames()).toEqual([])
  expect(await tables.live()).toEqual({ generation: 2, shape: SHAPE })
})

it.each(['build', 'exchange of the second table'] as const)(
  'continues after a crash in the %s, and ends with the same orders',
  async (where) => {
    const documents = makeDocuments(32, 60)
    feed.put(...documents)
    const first = start()
    await first.caughtUp()
    await first.close()
    await requestRebuild()
    // The process dies: from here on every statement of it fails, and nothing of it is cleaned up.
    let isDead = false
    let exchanges = 0
    const dying: Engine = {
      ...store.engine,
      insertLines: async (target, lines) => {
        if (isDead || (where === 'build' && target.table === 'orders_g2')) {
          isDead = true
          throw new Error('dead')
        }
        await store.engine.insertLines(target, lines)
      },
      execute: async (statement) => {
        if (statement.text.startsWith('EXCHANGE') && ++exchanges === 2) isDead = true
        if (isDead) throw new Error('dead')
        await store.engine.execute(statement)
      },
    }
    const dyingTables = await openTables(dying)
    const second = runIngester({ engine: dying, tables: dyingTables, feedUrl: feed.url, pauseMsMax: 20 })
    await eventually(() => isDead)
    await second.close()
    feed.put(...documents.slice(0, 30).map((document) => changedOrder(document, 2)))
    const third = start()
    await eventually(() => third.status().generation === 2 && third.status().lagMs === 0)
    const wanted = expectedOrders(documents.map((one, at) => (at < 30 ? changedOrder(one, 2) : one)))
    await eventually(
      async () => JSON.stringify([...(await storedOrders(store.engine))]) === JSON.stringify([...wanted]),
    )
    expect(await storedOrders(store.engine)).toEqual(wanted)
    await eventually(async () => (await tableNames()).length === 0)
    expect(await tables.live()).toEqual({ generation: 2, shape: SHAPE })
  },
)

describe('a table refuses what was prepared for another generation, so that nobody writes past an exchange:', () => {
  const documents = makeDocuments(33, 120)
  const returned = documents.find(({ returns }) => returns.length > 0) as OrderDocument
  const upsert = (document: OrderDocument) => toPreparedEntry({ kind: 'upsert', document })
  const { organization, mode, id } = returned
  const deletion = { kind: 'delete', organization_id: organization.id, mode, id, version: 9 } as const
  const writes: Readonly<Record<string, (of: OrderStore) => Promise<unknown>>> = {
    'an order': (of) => of.apply([upsert({ ...returned, version: 5, returns: [] })]),
    'a return': (of) => of.apply([upsert({ ...returned, version: 5 })]),
    'a deletion': (of) => of.apply([toPreparedEntry(deletion)]),
  }

  it.each(Object.entries(writes))('%s', async (_what, write) => {
    await liveStore(store.engine, tables, 1).apply([upsert(returned)])
    const before = await storedOrders(store.engine)
    await expect(write(liveStore(store.engine, tables, 2))).rejects.toThrow()
    expect(await storedOrders(store.engine)).toEqual(before)
    await write(liveStore(store.engine, tables, 1))
    expect(await storedOrders(store.engine)).not.toEqual(before)
  })
})

it.each(['quarantine', 'system.columns'])(
  'continues after the engine failed at %s, once for live tables and once for new ones',
  async (what) => {
    const documents = makeDocuments(36, 30)
    feed.put(...documents)
    await start().caughtUp()
    await running.pop()?.close()
    let isUnavailable = false
    let failed = 0
    const engine: Engine = {
      ...store.engine,
      run: async (statement, ...rest) => {
        if (!isUnavailable || !statement.text.includes(`FROM ${what}`))
          return store.engine.run(statement, ...rest)
        failed += 1
        isUnavailable = false
        throw new AppError('metrics_engine_unavailable')
      },
    }
    const given = await openTables(engine)
    isUnavailable = true
    const ingester = runIngester({ engine, tables: given, feedUrl: feed.url, pauseMsMax: 20 })
    running.push(ingester)
    const later = documents.map((document) => changedOrder(document, 2))
    feed.put(...later)
    await eventually(async () => failed === 1 && (await storedOrders(store.engine)).size === 30)
    await eventually(() => ingester.status().lagMs === 0)
    isUnavailable = true
    await requestRebuild()
    await eventually(() => ingester.status().generation === 2 && ingester.status().lagMs === 0)
    expect(failed).toBe(2)
    expect(await storedOrders(store.engine)).toEqual(expectedOrders(later))
  },
)

it('an exchange that an earlier holder sent and that came late is found out', async () => {
  const documents = makeDocuments(35, 40)
  feed.put(...documents)
  const ingester = start()
  await ingester.caughtUp()
  await tables.build(2)
  await tables.swap(2)
  const later = documents.map((document) => changedOrder(document, 2))
  feed.put(...later)
  await eventually(() => ingester.status().generation === 2 && ingester.status().lagMs === 0)
  expect(await storedOrders(store.engine)).toEqual(expectedOrders(later))
  await eventually(async () => (await tableNames()).length === 0)
  expect(await tables.live()).toEqual({ generation: 2, shape: SHAPE })
})

it('a store of a newer shape is left to the newer release', async () => {
  const comment = JSON.stringify({ generation: 1, shape: SHAPE + 1 })
  for (const table of ['orders', 'returns'])
    await store.engine.execute({ text: `ALTER TABLE ${table} MODIFY COMMENT '${comment}'`, params: {} })
  feed.put(...makeDocuments(34, 3))
  const ingester = start()
  await eventually(() => ingester.status().failures > 1)
  expect(await storedOrders(store.engine)).toEqual(new Map())
})
