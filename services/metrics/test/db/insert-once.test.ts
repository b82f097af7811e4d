/** What is sent again because its answer was lost is written once: by the deduplication token and the tables' window. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickHouseProcess, type ClickHouseProcess } from '@merx/testing/clickhouse-process'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import { toPreparedEntry } from '../../src/ingest/prepare-page.ts'
import { startAnswerLosingProxy } from '../support/answer-losing-proxy.ts'
import { makeDocuments } from '../support/documents.ts'
import { liveStore } from '../support/live-store.ts'
import { openTables } from '../support/open-tables.ts'

const ORDERS = 200
const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

let folder: string
let server: ClickHouseProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-insert-once-'))
  server = await startClickHouseProcess({ folder, password: 'once' })
})
afterAll(async () => {
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

/** Rows as they lie in the parts, replaced ones too: queries would not show that one is there twice. */
const rowsAfter = async (seed: number, forgetsTokens: boolean) => {
  const direct = openEngine({ url: server.url })
  const proxy = await startAnswerLosingProxy({ target: server.url, forgetsTokens })
  const engine = openEngine({ url: proxy.url })
  const count = async (): Promise<number> => {
    const [row] = await direct.run(
      { text: 'SELECT toString(count()) AS rows FROM orders', params: {} },
      budget,
      new AbortController().signal,
    )
    return Number(row?.['rows'])
  }
  try {
    await direct.execute({ text: 'SYSTEM STOP MERGES', params: {} })
    const tables = await openTables(direct)
    const before = await count()
    const entries = makeDocuments(seed, ORDERS).map((document) =>
      toPreparedEntry({ kind: 'upsert', document }),
    )
    await liveStore(engine, tables).apply(entries)
    return { rows: (await count()) - before, lost: proxy.lost() }
  } finally {
    await engine.close()
    await proxy.close()
    await direct.close()
  }
}

it('an insert whose answer was lost is sent again and written once', async () => {
  const { rows, lost } = await rowsAfter(7, false)
  expect(lost).toBeGreaterThan(0)
  expect(rows).toBe(ORDERS)
})

it('without the token the rows would lie there twice', async () => {
  const { rows, lost } = await rowsAfter(8, true)
  expect(lost).toBeGreaterThan(0)
  expect(rows).toBe(2 * ORDERS)
})
