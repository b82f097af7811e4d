/** A store that an earlier release made is answered from, and kept up to date, until its tables have been rebuilt. */
import { readFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { eventually } from '@merx/testing/eventually'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { nameEnvironment, namePopulation } from '../../src/sql/environment.ts'
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
    .replaceAll(/^\s*`(?:environment|shown_id|population)` .*,$/gm, '')
    .replace('ORDER BY (environment,', 'ORDER BY (organization_id, mode,')
}

const POSITION = `CREATE TABLE ingest_position
(feed String, cursor String, has_caught_up Bool, saved_at DateTime64(3, 'UTC'), version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY feed`

/** How many orders that are drafts statements of today's form find in an environment, and how many in all. */
const countIn = async (engine: Engine, organizationId: string): Promise<readonly number[]> => {
  const environment = { organizationId, mode: 'test' }
  const params = {
    environment: nameEnvironment(environment),
    population: namePopulation(environment, 'draft'),
  }
  const text = `SELECT countIf(population = {population:String}) AS drafts, uniqExact(shown_id) AS total
FROM orders FINAL WHERE environment = {environment:String}`
  const [row] = await engine.run({ text, params }, budget)
  return [Number(row?.drafts), Number(row?.total)]
}

const countedOf = (documents: readonly OrderDocument[], organizationId: string): readonly number[] => {
  const theirs = documents.filter(
    ({ organization, mode }) => organization.id === organizationId && mode === 'test',
  )
  return [theirs.filter(({ status }) => status === 'draft').length, theirs.length]
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
    for (const { id } of ORGANIZATIONS) expect(await countIn(engine, id)).toEqual(countedOf(documents, id))
  } finally {
    await engine.close()
    await rm(path, { recursive: true, force: true })
  }
})

it('continues from its position, and gets the new shape', async () => {
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
  const [{ id: first }] = ORGANIZATIONS
  expect(Math.min(...countedOf(documents, first))).toBeGreaterThan(0)
  expect(await countIn(engine, first)).toEqual(countedOf(documents, first))
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
