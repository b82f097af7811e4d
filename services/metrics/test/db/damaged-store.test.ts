/** An analytics store whose files were damaged: never a 500 or a wrong number, and filled again without an operator. */
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@merx/testing/eventually'
import { silentLogger } from '@merx/testing/silent-logger'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { withDamageRecovery } from '../../src/engine/with-damage-recovery.ts'
import type { Ingester } from '../../src/ingest/ingester.ts'
import { createStateStore } from '../../src/store/ingest-state.ts'
import { createStoreControl } from '../../src/store/store-control.ts'
import { createStoreTables } from '../../src/store/tables.ts'
import { makeDocuments } from '../support/documents.ts'
import { openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { runIngester } from '../support/run-ingester.ts'
import { changedOrder, expectedOrders, storedOrders } from '../support/stored-orders.ts'

const documents = makeDocuments(67, 600)

/** Less than the timeout of the tests, so that one that fails closes its engine: a process can have only one folder open. */
const FILLED_MS = 100_000
const TEST_MS = 120_000

let folder: string
let feed: FeedServer
let closeStore: () => Promise<void> = () => Promise.resolve()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-damaged-store-'))
  feed = await openFeedServer()
  feed.put(...documents)
})

afterEach(async () => {
  await closeStore()
  closeStore = () => Promise.resolve()
  await feed.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Store {
  readonly engine: Engine
  readonly ingester: Ingester
  readonly hasCaughtUp: () => Promise<boolean>
}

const openDamageable = async (): Promise<Store> => {
  const engine = withDamageRecovery(openEngine({ path: folder }), silentLogger)
  const tables = createStoreTables({ engine, layout: { kind: 'single' }, log: silentLogger })
  await tables.open()
  const ingester = runIngester({ engine, tables, feedUrl: feed.url, pauseMsMax: 20 })
  const control = createStoreControl(tables, createStateStore(engine))
  closeStore = async () => {
    await ingester.close()
    await engine.close()
  }
  return { engine, ingester, hasCaughtUp: () => control.hasCaughtUp().catch(() => false) }
}

/** A merge of the running engine may have removed the file since the folder was read. */
const openUnlessMerged = (path: string) =>
  open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Overwrites bytes in the middle of every file with data of a part. */
const damage = async (isDamaged: (path: string) => boolean): Promise<number> => {
  let damaged = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !path.endsWith('.bin') || !isDamaged(path)) continue
    const file = await openUnlessMerged(path)
    if (file === undefined) continue
    const { size } = await file.stat()
    await file.write(Buffer.alloc(8, 0xa5), 0, 8, Math.floor(size / 2))
    await file.close()
    damaged += 1
  }
  return damaged
}

const expectFilledAgain = async ({ engine, hasCaughtUp }: Store, orders = documents): Promise<void> => {
  const wrong: unknown[] = []
  const isFilled = async (): Promise<boolean> => {
    try {
      const stored = await storedOrders(engine)
      if (stored.size !== orders.length) wrong.push(stored.size)
      return (await hasCaughtUp()) && stored.size === orders.length
    } catch (error) {
      // 503, whatever the engine cannot read
      expect(error).toMatchObject({ code: 'metrics_engine_unavailable' })
      return false
    }
  }
  await eventually(isFilled, FILLED_MS)
  expect(wrong).toEqual([])
  expect(await storedOrders(engine)).toEqual(expectedOrders(orders))
}

it(
  'is filled again when it is damaged while the service is stopped',
  async () => {
    const before = await openDamageable()
    await before.ingester.caughtUp()
    await closeStore()
    expect(await damage(() => true)).toBeGreaterThan(0)
    const store = await openDamageable()
    await expectFilledAgain(store)
  },
  TEST_MS,
)

it(
  'is filled again when a query finds damage while the service runs',
  async () => {
    const store = await openDamageable()
    await store.ingester.caughtUp()
    const state = '/ingest_state'
    expect(await damage((path) => !path.includes(state))).toBeGreaterThan(0)
    await expectFilledAgain(store)
  },
  TEST_MS,
)

it(
  'is filled again when a control table is lost with the orders while the state of the ingest is kept',
  async () => {
    const store = await openDamageable()
    await store.ingester.caughtUp()
    for (const table of ['orders', 'quarantine'])
      await store.engine.execute({ text: `DROP TABLE ${table} SYNC`, params: {} })
    const [first, ...others] = documents
    if (first === undefined) throw new Error('there are documents')
    const changed = changedOrder(first, first.version + 1)
    feed.put(changed)
    await expectFilledAgain(store, [changed, ...others])
  },
  TEST_MS,
)
