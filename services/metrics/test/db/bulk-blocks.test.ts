/** What comes as blocks is what comes as lines, and what does not fit is found all the same: the real engine. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { RowsRefused } from '../../src/engine/engine-errors.ts'
import { createPagePreparer, type PagePreparer } from '../../src/ingest/page-preparer.ts'
import { isBlocks, prepareBlocks, type BlockPage } from '../../src/ingest/prepare-blocks.ts'
import { preparePage } from '../../src/ingest/prepare-page.ts'
import { makeDocuments, ofQuarters } from '../support/documents.ts'
import { openFeedServer } from '../support/feed-server.ts'
import { liveStore } from '../support/live-store.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTables } from '../support/open-tables.ts'
import { runIngester } from '../support/run-ingester.ts'

const budget = { timeoutMs: 20_000, memoryBytesMax: 2e9, groupsMax: 1e6, rowsMax: 1_000 }

const pageOf = (documents: readonly OrderDocument[]): string =>
  JSON.stringify({
    entries: documents.map((document) => ({ kind: 'upsert', document })),
    cursor: 'c1',
    caught_up: true,
  })

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const blockPage = (text: string): BlockPage => {
  const page = prepareBlocks(text)
  if (!isBlocks(page)) throw new Error('the page became lines')
  return { ...page, source: bytesOf(text) }
}

let test: TestStore
let preparer: PagePreparer

beforeEach(async () => {
  test = await openStore()
  preparer = createPagePreparer()
})

afterEach(async () => {
  await preparer.close()
  await test.close()
})

const first = async (text: string) => (await test.engine.run({ text, params: {} }, budget))[0]

/** Rows of one table that the other does not have, both ways. */
const differences = async (one: string, other: string): Promise<number> => {
  const missing = (from: string, to: string): string =>
    `(SELECT count() FROM (SELECT * EXCEPT generation FROM ${from} EXCEPT SELECT * EXCEPT generation FROM ${to}))`
  const row = await first(`SELECT ${missing(one, other)} + ${missing(other, one)} AS differences`)
  return Number(row?.['differences'])
}

const oneOf = (seed: number): OrderDocument => {
  const [document] = makeDocuments(seed, 1)
  if (document === undefined) throw new Error('no document was made')
  return document
}

const strange = (): readonly OrderDocument[] => {
  const document = oneOf(3)
  return ["d'Été \\ \t\n'quoted'", '注文 🛒', '', '\\N', 'NULL', 'x'.repeat(5_000)].map((text, index) => ({
    ...document,
    id: `strange${'abcdefgh'[index] ?? ''}xyz`,
    number: text,
    reference: text,
    market: { ...document.market, name: text },
  }))
}

describe('blocks', () => {
  it('hold every value of every column that lines do', async () => {
    const text = pageOf([...makeDocuments(11, 1_500), ...strange()])
    const store = liveStore(test.engine, await openTables(test.engine))
    expect(await store.takesBlocks()).toBe(true)
    expect(await store.applyBlocks([blockPage(text)])).toBe(true)
    for (const table of ['orders', 'returns'])
      await test.engine.execute({ text: `CREATE TABLE blocks_${table} AS ${table}`, params: {} })
    for (const table of ['orders', 'returns'])
      await test.engine.execute({ text: `EXCHANGE TABLES ${table} AND blocks_${table}`, params: {} })
    expect(await store.apply(preparePage(text).entries)).toEqual([])
    const counts = await first('SELECT (SELECT count() FROM orders) AS o, (SELECT count() FROM returns) AS r')
    expect(Number(counts?.['o'])).toBe(1_506)
    expect(Number(counts?.['r'])).toBeGreaterThan(100)
    expect(await differences('orders', 'blocks_orders')).toBe(0)
    expect(await differences('returns', 'blocks_returns')).toBe(0)
    expect(existsSync(path.join(test.path, 'incoming.native'))).toBe(false)
  })

  it('may be of as many changed orders as are written at once, each with returns', async () => {
    const store = liveStore(test.engine, await openTables(test.engine))
    const page = blockPage(pageOf([oneOf(7)]))
    const facts = Array.from({ length: 10_000 }, (_, index) => ({
      organizationId: 'orgAAAAAAA',
      mode: 'live',
      id: `order${10_000 + index}`,
      version: 12,
      returnIds: [`first${10_000 + index}`, `secon${10_000 + index}`],
    }))
    expect(await store.applyBlocks([{ ...page, facts }])).toBe(true)
  })

  it('may hold orders of thirty years', async () => {
    const store = liveStore(test.engine, await openTables(test.engine))
    expect(await store.applyBlocks([blockPage(pageOf(ofQuarters(makeDocuments(30, 120))))])).toBe(true)
    expect(await first('SELECT count() AS total, uniqExact(_partition_id) AS quarters FROM orders')).toEqual({
      total: '120',
      quarters: '120',
    })
  })

  it('are not made of pages with a deletion or an amount that the engine cannot keep', () => {
    const [one, two] = [oneOf(5), oneOf(6)]
    const huge = { ...two, amounts: { ...two.amounts, total: Number.MAX_SAFE_INTEGER }, minor_unit_digits: 0 }
    expect(isBlocks(prepareBlocks(pageOf([one, huge])))).toBe(false)
    const deletion = {
      kind: 'delete',
      organization_id: one.organization.id,
      mode: one.mode,
      id: one.id,
      version: 2,
    }
    const text = JSON.stringify({ entries: [deletion], cursor: 'c1', caught_up: true })
    expect(isBlocks(prepareBlocks(text))).toBe(false)
  })

  it('that the engine refuses are applied as lines', async () => {
    const feed = await openFeedServer()
    const documents = makeDocuments(13, 700)
    feed.put(...documents)
    let refused = 0
    const engine = {
      ...test.engine,
      insertBlocks: async () => {
        refused += 1
        throw new RowsRefused('does not fit')
      },
    }
    const ingester = runIngester({
      engine,
      tables: await openTables(engine),
      feedUrl: feed.url,
      pauseMsMax: 20,
    })
    try {
      await ingester.caughtUp()
      expect(refused).toBeGreaterThan(0)
      expect(await first('SELECT count() AS total FROM orders FINAL')).toEqual({ total: '700' })
    } finally {
      await ingester.close()
      await feed.stop()
    }
  })

  it('come from the thread with the bytes they were made from', async () => {
    const text = pageOf([...makeDocuments(17, 300), ...strange()])
    const page = await preparer.prepareBulk(bytesOf(text))
    if (!isBlocks(page)) throw new Error('the page became lines')
    expect(page.facts).toHaveLength(306)
    expect(new TextDecoder().decode(page.source)).toBe(text)
    expect((await preparer.prepare(page.source)).entries).toEqual(preparePage(text).entries)
    await expect(preparer.prepareBulk(bytesOf(`${text.slice(0, -1)} `))).rejects.toThrow(/JSON/)
  })
})
