/** Several processes over one store: one fills it, another goes on when that one dies, and one that was paused spoils nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { startClickHouseProcess, type ClickHouseProcess } from '@merx/testing/clickhouse-process'
import { eventually } from '@merx/testing/eventually'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createStateStore } from '../../src/store/ingest-state.ts'
import { makeDocuments } from '../support/documents.ts'
import { openFeedServer, type FeedServer } from '../support/feed-server.ts'
import { openTables } from '../support/open-tables.ts'
import { spawnIngester, type IngesterProcess } from '../support/spawn-ingester.ts'
import { changedOrder, expectedOrders, storedOrders } from '../support/stored-orders.ts'

let folder: string
let server: ClickHouseProcess
let engine: Engine
let feed: FeedServer
const processes: IngesterProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-takeover-'))
  server = await startClickHouseProcess({ folder, password: 'a password' })
  engine = openEngine({ url: server.url })
  feed = await openFeedServer()
})

afterAll(async () => {
  for (const one of processes) await one.kill()
  await feed.stop()
  await engine.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

const start = (): IngesterProcess => {
  const started = spawnIngester(server.url, feed.url)
  processes.push(started)
  return started
}

const isFilling = (one: IngesterProcess): boolean =>
  one.status().role === 'filling' && one.status().lagMs === 0

const hasAll = async (wanted: ReadonlyMap<string, string>): Promise<boolean> =>
  JSON.stringify([...(await storedOrders(engine))]) === JSON.stringify([...wanted])

it('the store stays equal to core through kill -9, a pause and a clean stop of whoever fills it', async () => {
  const documents = makeDocuments(21, 120)
  feed.put(...documents)
  const first = start()
  await eventually(() => isFilling(first))
  const second = start()
  await eventually(() => second.status().role === 'standing by' && second.status().hasCaughtUp === true)
  expect(second.status()).toMatchObject({ role: 'standing by', hasCaughtUp: true, generation: 1 })

  const killedAtMs = performance.now()
  await first.kill()
  feed.put(...documents.slice(0, 60).map((document) => changedOrder(document, 2)))
  await eventually(() => isFilling(second))
  process.stderr.write(`takeover after kill -9: ${Math.round(performance.now() - killedAtMs)} ms\n`)
  const afterKill = expectedOrders(documents.map((one, at) => (at < 60 ? changedOrder(one, 2) : one)))
  await eventually(() => hasAll(afterKill))
  expect(await storedOrders(engine)).toEqual(afterKill)

  second.signal('SIGSTOP')
  const third = start()
  await eventually(() => isFilling(third))
  feed.put(...documents.map((document) => changedOrder(document, 3)))
  const afterPause = expectedOrders(documents.map((one) => changedOrder(one, 3)))
  await eventually(() => hasAll(afterPause))
  second.signal('SIGCONT')
  await eventually(() => second.status().role === 'standing by')
  expect([second.status().role, third.status().role]).toEqual(['standing by', 'filling'])
  expect(await storedOrders(engine)).toEqual(afterPause)

  third.signal('SIGTERM')
  await third.ended
  feed.put(changedOrder(documents[0] as OrderDocument, 4))
  await eventually(() => isFilling(second))
  const atLast = expectedOrders(documents.map((one, at) => changedOrder(one, at === 0 ? 4 : 3)))
  await eventually(() => hasAll(atLast))
  expect(await storedOrders(engine)).toEqual(atLast)
}, 150_000)

it('a position that is written late by an earlier holder does not count', async () => {
  await openTables(engine)
  const [earlier, later] = [createStateStore(engine), createStateStore(engine)]
  const position = { hasCaughtUp: true, applied: 1 }
  await earlier.savePosition(101, 77, { ...position, cursor: 'c1' })
  await later.savePosition(102, 77, { ...position, cursor: 'c5' })
  for (const cursor of ['c2', 'c3', 'c9']) await earlier.savePosition(101, 77, { ...position, cursor })
  expect((await later.read()).positionOf(77)?.cursor).toBe('c5')
  await later.savePosition(102, 77, { ...position, cursor: 'c6' })
  expect((await earlier.read()).positionOf(77)?.cursor).toBe('c6')
  expect((await earlier.read()).token).toBe(102)
})
