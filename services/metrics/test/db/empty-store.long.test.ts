/** A store that is new, or was lost while the service ran: no query sees a part of the orders. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@merx/errors/app-error'
import { eventually } from '@merx/testing/eventually'
import { silentLogger } from '@merx/testing/silent-logger'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import { isTableMissing } from '../../src/engine/engine-errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Ingester } from '../../src/ingest/ingester.ts'
import { createStateStore } from '../../src/store/ingest-state.ts'
import { createStoreControl } from '../../src/store/store-control.ts'
import { SHAPE } from '../../src/store/table-definitions.ts'
import { createStoreTables, type StoreTables } from '../../src/store/tables.ts'
import { makeDocuments } from '../support/documents.ts'
import { openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { runIngester } from '../support/run-ingester.ts'
import { expectedOrders, storedOrders } from '../support/stored-orders.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }
const ORDERS = 600
const documents = makeDocuments(61, ORDERS)

let folder: string
let engine: Engine
let tables: StoreTables
let feed: FeedServer
const running: Ingester[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-empty-store-'))
  engine = openEngine({ path: folder })
  tables = createStoreTables({ engine, layout: { kind: 'single' }, log: silentLogger })
  await tables.open()
  feed = await openFeedServer()
  feed.put(...documents)
})

afterEach(async () => {
  for (const ingester of running.splice(0)) await ingester.close()
  await feed.stop()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const start = (given: StoreTables = tables, other: Engine = engine): Ingester => {
  const ingester = runIngester({ engine: other, tables: given, feedUrl: feed.url, pauseMsMax: 20 })
  running.push(ingester)
  return ingester
}

/** How many orders a query sees; undefined when it is refused because there is no table. */
const seen = async (): Promise<number | undefined> => {
  try {
    return (await storedOrders(engine)).size
  } catch (error) {
    expect(error).toMatchObject({ code: 'metrics_engine_unavailable' })
    expect(isTableMissing(error)).toBe(true)
    return undefined
  }
}

/** What queries see until the process has caught up. */
const watch = async (ingester: Ingester): Promise<ReadonlySet<number | undefined>> => {
  const sizes = new Set<number | undefined>()
  await eventually(async () => {
    sizes.add(await seen())
    return ingester.status().hasCaughtUp
  })
  sizes.add(await seen())
  return sizes
}

const dropEverything = async (): Promise<void> => {
  const text = 'SELECT name FROM system.tables WHERE database = currentDatabase()'
  for (const { name } of await engine.run({ text, params: {} }, budget))
    await engine.execute({ text: `DROP TABLE ${String(name)} SYNC`, params: {} })
}

it('a new store answers nothing until it holds every order', async () => {
  const control = createStoreControl(tables, createStateStore(engine))
  expect(await tables.live()).toBeUndefined()
  expect(await control.hasCaughtUp()).toBe(false)
  expect([...(await watch(start()))].filter((size) => size !== undefined)).toEqual([ORDERS])
  expect(await storedOrders(engine)).toEqual(expectedOrders(documents))
  expect(await tables.live()).toEqual({ generation: 1, shape: SHAPE })
  expect(await control.hasCaughtUp()).toBe(true)
})

it('a store that was lost is filled again, by the same process, and answers nothing meanwhile', async () => {
  const ingester = start()
  await ingester.caughtUp()
  await eventually(() => ingester.status().hasCaughtUp)
  await dropEverything()
  await eventually(() => !ingester.status().hasCaughtUp)
  expect(ingester.status().hasCaughtUp).toBe(false)
  expect([...(await watch(ingester))].filter((size) => size !== undefined)).toEqual([ORDERS])
  expect(await storedOrders(engine)).toEqual(expectedOrders(documents))
})

it('a crash between the names of two tables is mended by the next process', async () => {
  let renamed = 0
  const dying: Engine = {
    ...engine,
    execute: async (statement) => {
      if (statement.text.startsWith('RENAME') && ++renamed > 1) throw new Error('dead')
      await engine.execute(statement)
    },
  }
  const first = start(
    createStoreTables({ engine: dying, layout: { kind: 'single' }, log: silentLogger }),
    dying,
  )
  await eventually(() => renamed > 1)
  await first.close()
  expect(await tables.live()).toEqual({ generation: 1, shape: 0 })
  const second = start()
  await second.caughtUp()
  expect(await tables.live()).toEqual({ generation: 1, shape: SHAPE })
  expect(await storedOrders(engine)).toEqual(expectedOrders(documents))
})

it.each(['orders', 'returns'])('rebuilds the store when one of two tables is lost: %s', async (table) => {
  const first = start()
  await first.caughtUp()
  await first.close()
  await engine.execute({ text: `DROP TABLE ${table} SYNC`, params: {} })
  expect(await tables.live()).toEqual({ generation: 1, shape: 0 })
  const second = start()
  await eventually(() => second.status().generation === 2)
  expect(await tables.live()).toEqual({ generation: 2, shape: SHAPE })
  expect(await storedOrders(engine)).toEqual(expectedOrders(documents))
})

it('a process that cannot write to the engine leaves filling it to one that can', async () => {
  const unavailable = () => Promise.reject(new AppError('metrics_engine_unavailable'))
  const first = start(tables, { ...engine, insertLines: unavailable })
  await eventually(() => first.status().failures > 0)
  const second = start()
  await eventually(() => second.status().hasCaughtUp)
  expect(second.status()).toMatchObject({ role: 'filling', hasCaughtUp: true })
  expect(await storedOrders(engine)).toEqual(expectedOrders(documents))
})

it('an engine that does not show its tables is asked again later, not at once', async () => {
  let exchanges = 0
  const hiding: Engine = {
    ...engine,
    run: async (statement, ...rest) =>
      statement.text.includes('FROM system.tables') ? [] : engine.run(statement, ...rest),
    execute: async (statement) => {
      if (statement.text.startsWith('RENAME TABLE orders_g1')) exchanges += 1
      if (!statement.text.startsWith('RENAME')) await engine.execute(statement)
    },
  }
  const layout = { kind: 'single' } as const
  const ingester = start(createStoreTables({ engine: hiding, layout, log: silentLogger }), hiding)
  await eventually(() => ingester.status().failures > 0)
  expect(exchanges).toBe(1)
  expect(ingester.status()).toMatchObject({
    hasCaughtUp: false,
    trouble: 'the analytics store cannot be written',
  })
})
