/** The service against an analytics server over HTTP: the same answers as from the engine inside the process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickHouseProcess, type ClickHouseProcess } from '@merx/testing/clickhouse-process'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { toPreparedEntry } from '../../src/ingest/prepare-page.ts'
import { makeDocuments } from '../support/documents.ts'
import { liveStore } from '../support/live-store.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTables } from '../support/open-tables.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const PASSWORD = "p@ss:word/of'the?test"
const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 100_000 }

let folder: string
let server: ClickHouseProcess
let remote: Engine
let embedded: TestStore
let overNetwork: TestApp
let inProcess: TestApp

const start = (port?: number) =>
  startClickHouseProcess({ folder, password: PASSWORD, ...(port === undefined ? {} : { port }) })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-clickhouse-'))
  server = await start()
  remote = openEngine({ url: server.url })
  const tables = await openTables(remote)
  embedded = await openStore()
  const upserts = makeDocuments(5, 300).map((document) => ({ kind: 'upsert', document }) as const)
  const entries = upserts.map(toPreparedEntry)
  for (const engine of [remote, embedded.engine]) await liveStore(engine, tables).apply(entries)
  overNetwork = await openTestApp({ engine: { ...remote, close: async () => undefined } })
  inProcess = await openTestApp({ engine: { ...embedded.engine, close: async () => undefined } })
})

afterAll(async () => {
  await overNetwork.close()
  await inProcess.close()
  await remote.close()
  await embedded.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

const filter = {
  order: { date_from: '2024-01-01T00:00:00Z', date_to: '2024-12-31T23:59:59Z', date_field: 'placed_at' },
}

const QUERIES: Readonly<Record<string, readonly [path: string, body: unknown]>> = {
  breakdown: [
    '/metrics/orders/breakdown',
    {
      breakdown: { by: 'order.country_code', field: 'order.total_amount_with_taxes', operator: 'sum' },
      filter,
    },
  ],
  date_breakdown: [
    '/metrics/orders/date_breakdown',
    {
      date_breakdown: {
        by: 'order.placed_at',
        field: 'order.total_amount_with_taxes',
        operator: 'sum',
        interval: 'month',
      },
      filter,
    },
  ],
  stats: [
    '/metrics/orders/stats',
    { stats: { field: 'order.total_amount_with_taxes', operator: 'stats' }, filter },
  ],
  search: [
    '/metrics/orders/search',
    {
      search: {
        limit: 20,
        sort: 'desc',
        sort_by: 'order.placed_at',
        fields: ['order.id', 'order.number', 'order.placed_at'],
      },
      filter,
    },
  ],
}

describe('an analytics server over the network', () => {
  it.each(Object.entries(QUERIES))(
    'answers %s as the engine in the process does',
    async (_name, [path, body]) => {
      const [far, near] = [await overNetwork.ask(path, body), await inProcess.ask(path, body)]
      expect(near.body).toHaveProperty('data')
      expect(far).toMatchObject({ status: 200, body: { data: (near.body as { data: unknown }).data } })
    },
  )

  it('takes parameters with every kind of character', async () => {
    const params = { text: `it's a "test"\\ \t\n é ☃`, list: ["a'b", 'c,d', '\\', ']'] }
    const text = 'SELECT {text:String} AS text, {list:Array(String)} AS list'
    expect(await remote.run({ text, params }, budget)).toEqual([params])
  })

  it('is unavailable while it is down, and back with what it had', async () => {
    const { port } = server
    await server.kill()
    const [path, body] = QUERIES['stats'] as readonly [string, unknown]
    const down = await overNetwork.ask(path, body)
    expect(down.status).toBe(503)
    server = await start(port)
    const back = await overNetwork.ask(path, body)
    expect(back.status).toBe(200)
    expect((back.body as { data: unknown }).data).toEqual(
      ((await inProcess.ask(path, body)).body as { data: unknown }).data,
    )
  })

  it('is unavailable, without a word of why, when the password is wrong', async () => {
    const engine = openEngine({ url: server.url.replace(encodeURIComponent(PASSWORD), 'other') })
    await expect(engine.run({ text: 'SELECT 1', params: {} }, budget)).rejects.toMatchObject({
      code: 'metrics_engine_unavailable',
    })
    await engine.close()
  })

  it('stops a query that takes longer than its budget', async () => {
    const text = 'SELECT sleepEachRow(0.2) AS slept FROM numbers(30)'
    await expect(remote.run({ text, params: {} }, { ...budget, timeoutMs: 500 })).rejects.toMatchObject({
      code: 'metrics_query_timeout',
    })
  })
})
