/** Values reach the embedded engine as they are, whatever is in them, also when many statements run at once. */
import fc from 'fast-check'
import { openStore, type TestStore } from '../support/open-store.ts'

const budget = { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10_000 }

let store: TestStore

beforeAll(async () => {
  store = await openStore()
})

afterAll(async () => {
  await store.close()
})

/** Any characters but lone surrogates, which no UTF-8 text can hold. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom("'", '\\', '\n', '\t', '\0', '[', ']', ',', ';', '{', '}', '-'),
    maxLength: 12,
  }),
)

it('gives back every text, list, number and truth as it was', async () => {
  const property = fc.asyncProperty(
    text,
    fc.array(text, { maxLength: 5 }),
    fc.array(fc.maxSafeInteger(), { maxLength: 5 }),
    fc.boolean(),
    async (one, many, numbers, truth) => {
      const statement = {
        text: 'SELECT {a:String} AS a, {b:Array(String)} AS b, {c:Array(Int64)} AS c, {d:Bool} AS d',
        params: { a: one, b: many, c: numbers, d: truth },
      }
      const [row] = await store.engine.run(statement, budget)
      expect(row).toEqual({ a: one, b: many, c: numbers.map(String), d: truth })
    },
  )
  await fc.assert(property, { seed: 11, numRuns: 300 })
})

it('keeps the values of statements apart that run at once', async () => {
  const texts = Array.from({ length: 60 }, (_, index) => `value ${index}`)
  const rows = await Promise.all(
    texts.map((value) =>
      store.engine.run(
        {
          text: 'SELECT {p0:String} AS p0, sum(sleepEachRow(0.002)) AS slept FROM numbers(5)',
          params: { p0: value },
        },
        budget,
      ),
    ),
  )
  expect(rows.map(([row]) => row?.p0)).toEqual(texts)
})

it('runs a short statement while a long one is under way', async () => {
  const long = new AbortController()
  const endless = store.engine.run(
    { text: 'SELECT count() FROM numbers(1000000000000) WHERE number % {p:UInt32} = 1', params: { p: 7 } },
    { ...budget, timeoutMs: 3_600_000 },
    long.signal,
  )
  endless.catch(() => undefined) // awaited below
  const [row] = await store.engine.run({ text: 'SELECT {x:UInt32} AS x', params: { x: 5 } }, budget)
  expect(row).toEqual({ x: 5 })
  long.abort(new Error('gone'))
  await expect(endless).rejects.toThrow('gone')
})

it('runs as many threads as the budget allows', async () => {
  const statement = { text: "SELECT getSetting('max_threads') AS threads", params: {} }
  const [one] = await store.engine.run(statement, { ...budget, threadsMax: 1 })
  expect(String(one?.threads)).toBe('1')
  const [all] = await store.engine.run(statement, budget)
  expect(String(all?.threads)).not.toBe('1')
})
