/** The shape of the store, and how the engine behaves at its edges. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { AppError } from '@merx/errors/app-error'
import { eventually } from '@merx/testing/eventually'
import type { Attribute } from '../../src/catalogue/attribute.ts'
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { toRowsReturns } from '../../src/ingest/return-rows.ts'
import { nameEnvironment } from '../../src/sql/environment.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10_000 }
let store: TestStore

beforeAll(async () => {
  store = await openStore()
})

afterAll(async () => {
  await store.close()
})

const read = async (text: string, params = {}) => store.engine.run({ text, params }, budget)

const TYPES: Readonly<Record<Attribute['type'], RegExp>> = {
  keyword: /String/,
  text: /^String$/,
  integer: /U?Int(8|64)/,
  float: /Decimal/,
  boolean: /Bool/,
  datetime: /DateTime64\(3, 'UTC'\)/,
  'array<string>': /^Array\(Array\(String\)\)$/,
}

const resources = [...loadCatalogue().values()]

describe.each(resources.map((resource) => [resource.name, resource] as const))(
  'the table of %s',
  (_, resource) => {
    const { name: table } = resource.table

    it('has a column of the right type and nesting for every attribute of the catalogue', async () => {
      const columns = new Map(
        (await read(`DESCRIBE TABLE ${table}`)).map(({ name, type }) => [String(name), String(type)]),
      )
      for (const { path, type, place } of resource.attributes.values()) {
        const column = columns.get(place.column)
        expect({ path, column }).toEqual({ path, column: expect.stringMatching(TYPES[type]) as unknown })
        const depth = (place.tree === undefined ? 0 : 1) + (place.child === undefined ? 0 : 1)
        expect({ path, depth: column?.split('Array(').length }).toEqual({ path, depth: depth + 1 })
      }
    })

    it('gets every column from the row of a document, and no other', async () => {
      const document = makeDocuments(1, 30).find(({ returns }) => returns.length > 0)
      if (document === undefined) throw new Error('no document')
      const columns = (await read(`DESCRIBE TABLE ${table}`))
        .filter(
          ({ name, default_type: kind }) => name !== 'generation' && (kind === '' || kind === 'DEFAULT'),
        )
        .map(({ name }) => String(name))
      const row = table === 'orders' ? toRowOrder(document) : toRowsReturns(document)[0]
      expect(Object.keys(row ?? {}).sort()).toEqual(columns.sort())
    })

    it('never holds an amount as a binary fraction', async () => {
      const columns = await read(`DESCRIBE TABLE ${table}`)
      expect(columns.filter(({ type }) => String(type).includes('Float'))).toEqual([])
    })
  },
)

describe('the engine', () => {
  const codeOf = async (text: string, more = {}): Promise<unknown> => {
    const failure: unknown = await store.engine
      .run({ text, params: {} }, { ...budget, ...more })
      .catch((error: unknown) => error)
    if (!(failure instanceof AppError))
      throw new Error('the query did not fail as it should', { cause: failure })
    expect(failure.message).not.toMatch(/DB::|SELECT|Exception/)
    return failure.code
  }

  it.each([
    [
      'a query beyond its time',
      'SELECT sum(sipHash64(number)) FROM numbers(100000000000)',
      { timeoutMs: 200 },
      'metrics_query_timeout',
    ],
    [
      'a query beyond its memory',
      'SELECT groupArray(number) FROM numbers(100000000)',
      { memoryBytesMax: 20_000_000 },
      'metrics_query_too_large',
    ],
    [
      'too many groups',
      'SELECT number FROM numbers(100000) GROUP BY number',
      { groupsMax: 10 },
      'metrics_query_too_large',
    ],
    ['too many rows', 'SELECT number FROM numbers(1000)', { rowsMax: 10 }, 'metrics_query_too_large'],
    ['a store without its tables', 'SELECT nothing FROM nowhere', {}, 'metrics_engine_unavailable'],
    ['an error inside Merx', 'SELECT nonsense(1)', {}, 'metrics_internal'],
  ])('maps %s to a code and keeps its text back', async (_name, text, more, code) => {
    expect(await codeOf(text, more)).toBe(code)
  })

  it('stops waiting when the caller goes away', async () => {
    const gone = new AbortController()
    const text = 'SELECT sum(sipHash64(number)) FROM numbers(3000000000)'
    const running = store.engine.run({ text, params: {} }, { ...budget, timeoutMs: 2000 }, gone.signal)
    gone.abort()
    await expect(running).rejects.toThrow(/abort/i)
  })

  it.each(["'; DROP TABLE orders; --", 'a\\', '{p0:String}', '\n\t\0', '`', '😀'])(
    'carries the value %j as it is',
    async (value) => {
      const rows = await read('SELECT {p0:String} AS one, {p1:Array(String)} AS list', {
        p0: value,
        p1: [value, 'x'],
      })
      expect(rows).toEqual([{ one: value, list: [value, 'x'] }])
    },
  )

  it('answers a ping', async () => {
    await expect(store.engine.ping()).resolves.toBeUndefined()
  })
})

it('a quarter that nothing is written to comes to rest: one part, with the newest versions alone', async () => {
  const documents = makeDocuments(5, 60).map((document, index) => ({
    ...document,
    created_at: `2020-${index % 2 === 0 ? '03' : '05'}${document.created_at.slice(7)}`,
  }))
  const rows = documents.map(toRowOrder)
  await store.engine.execute({
    text: 'ALTER TABLE orders MODIFY SETTING min_age_to_force_merge_seconds = 1',
    params: {},
  })
  await store.engine.insert('orders', rows)
  await store.engine.insert(
    'orders',
    rows.slice(0, 10).map((row) => ({ ...row, version: Number(row.version) + 1, number: 'changed' })),
  )
  const parts = `SELECT partition, count() AS parts, sum(rows) AS total FROM system.parts
WHERE database = currentDatabase() AND table = 'orders' AND active GROUP BY partition ORDER BY partition`
  await eventually(async () => (await read(parts)).every(({ parts: count }) => count === '1'))
  const found = await read(parts)
  expect(found.map(({ partition, parts: count }) => [partition, count])).toEqual([
    ['20201', '1'],
    ['20202', '1'],
  ])
  const [all] = await read("SELECT count() AS total, countIf(number = 'changed') AS changed FROM orders")
  expect(all).toEqual({ total: '60', changed: '10' })
})

it('the environment is made of organization and mode', async () => {
  const rows = await read('SELECT DISTINCT environment, organization_id, mode FROM orders')
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map(({ environment }) => environment)).toEqual(
    rows.map((row) =>
      nameEnvironment({ organizationId: String(row.organization_id), mode: String(row.mode) }),
    ),
  )
})

it('columns of a large part lie in files of their own, those of a small one in one file', async () => {
  await store.engine.execute({
    text: `INSERT INTO orders SELECT * REPLACE (toDateTime64('2019-01-01 00:00:00', 3, 'UTC') AS created_at, concat(id, toString(arrayJoin(range(1000)))) AS id)
FROM orders SETTINGS min_insert_block_size_rows = 100000, min_insert_block_size_bytes = 0, max_threads = 1`,
    params: {},
  })
  const found =
    await read(`SELECT partition, any(part_type) AS type, sum(data_uncompressed_bytes) >= 33554432 AS is_large
FROM system.parts WHERE database = currentDatabase() AND table = 'orders' AND active GROUP BY partition ORDER BY partition`)
  expect(found).toEqual([
    { partition: '20191', type: 'Wide', is_large: 1 },
    { partition: '20201', type: 'Compact', is_large: 0 },
    { partition: '20202', type: 'Compact', is_large: 0 },
  ])
})

it('a second process on the same folder does not start, and says why', async () => {
  const script = `
    const { openEngine } = await import(${JSON.stringify(new URL('../../src/engine/clickhouse-engine.ts', import.meta.url).href)})
    openEngine({ path: ${JSON.stringify(store.path)} })`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringContaining('cannot be opened; is another process using it?') as unknown,
  })
})
