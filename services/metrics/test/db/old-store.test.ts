/** A store that an earlier release made is answered from, and kept fresh, until its tables have been built anew. */
import { readFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@merx/testing/eventually'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { nameEnvironment } from '../../src/sql/environment.ts'
import { SHAPE } from '../../src/store/table-definitions.ts'
import { makeDocuments, ORGANIZATIONS } from '../support/documents.ts'
import { openFeedServer } from '../support/feed-server.ts'
import { openTables } from '../support/open-tables.ts'
import { runIngester } from '../support/run-ingester.ts'
import { changedOrder, expectedOrders, storedOrders } from '../support/stored-orders.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

/** Without columns that tables have today, and with tables that only the earlier release had. */
const oldTable = async (table: string): Promise<string> => {
  const text = await readFile(new URL(`../../tables/${table}.sql`, import.meta.url), 'utf8')
  return text
    .replace(/^\s*`reference_origin` .*,$/m, '')
    .replace(/^\s*`environment` .*,$/m, '')
    .replace('ORDER BY (environment,', 'ORDER BY (organization_id, mode,')
}

const POSITION = `CREATE TABLE ingest_position
(feed String, cursor String, has_caught_up Bool, saved_at DateTime64(3, 'UTC'), version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY feed`

/** How many orders a statement of today's form finds in an environment. */
const countIn = async (engine: Engine, organizationId: string): Promise<number> => {
  const text = 'SELECT count() AS total FROM orders FINAL WHERE environment = {environment:String}'
  const params = { environment: nameEnvironment({ organizationId, mode: 'test' }) }
  const [row] = await engine.run({ text, params }, budget)
  return Number(row?.total)
}

it('can be asked by environment whatever shape its tables say they are of', async () => {
  const path = await mkdtemp(join(tmpdir(), 'merx-old-store-'))
  const engine = openEngine({ path })
  const documents = makeDocuments(52, 20)
  for (const table of ['orders', 'returns']) {
    const mark = JSON.stringify({ generation: 1, shape: SHAPE })
    await engine.execute({ text: `${await oldTable(table)} COMMENT '${mark}'`, params: {} })
  }
  await engine.insert('orders', documents.map(toRowOrder))
  try {
    const tables = await openTables(engine)
    expect(await tables.live()).toEqual({ generation: 1, shape: SHAPE })
    for (const { id } of ORGANIZATIONS) {
      const theirs = documents.filter(({ organization, mode }) => organization.id === id && mode === 'test')
      expect(await countIn(engine, id)).toBe(theirs.length)
    }
  } finally {
    await engine.close()
    await rm(path, { recursive: true, force: true })
  }
})

it('goes on from its position, and has the new shape at last', async () => {
  const path = await mkdtemp(join(tmpdir(), 'merx-old-store-'))
  const engine = openEngine({ path })
  const feed = await openFeedServer()
  const documents = makeDocuments(51, 50)
  feed.put(...documents)
  for (const text of [await oldTable('orders'), await oldTable('returns'), POSITION])
    await engine.execute({ text, params: {} })
  await engine.insert('orders', documents.map(toRowOrder))
  await engine.insert('ingest_position', [
    { feed: 'orders', cursor: 'c50', has_caught_up: true, saved_at: '2026-01-01 00:00:00.000', version: 1 },
  ])
  const tables = await openTables(engine)
  expect(await tables.live()).toEqual({ generation: 0, shape: 0 })
  const inFirst = ({ organization, mode }: (typeof documents)[number]): boolean =>
    organization.id === ORGANIZATIONS[0].id && mode === 'test'
  expect(documents.filter(inFirst).length).toBeGreaterThan(0)
  expect(await countIn(engine, ORGANIZATIONS[0].id)).toBe(documents.filter(inFirst).length)
  const ingester = runIngester({ engine, tables, feedUrl: feed.url, pauseMsMax: 20 })
  try {
    await eventually(() => ingester.status().hasCaughtUp)
    const goesOn = () => feed.requests.some(({ after }) => after === 'c50')
    await eventually(goesOn)
    expect(goesOn()).toBe(true)
    feed.put(...documents.map((document) => changedOrder(document, 2)))
    await eventually(() => ingester.status().generation === 1 && ingester.status().lagMs === 0)
    expect(await tables.live()).toEqual({ generation: 1, shape: SHAPE })
    expect(await storedOrders(engine)).toEqual(
      expectedOrders(documents.map((document) => changedOrder(document, 2))),
    )
    const text = 'SELECT id, reference_origin FROM orders FINAL ORDER BY id'
    expect(await engine.run({ text, params: {} }, budget)).toEqual(
      documents
        .map(({ id, reference_origin }) => ({ id, reference_origin }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    const old =
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'ingest_position'"
    await eventually(async () => (await engine.run({ text: old, params: {} }, budget)).length === 0)
    expect(await engine.run({ text: old, params: {} }, budget)).toEqual([])
  } finally {
    await ingester.close()
    await feed.stop()
    await engine.close()
    await rm(path, { recursive: true, force: true })
  }
})
