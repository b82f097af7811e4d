/** A caller who goes away takes the query along: in the embedded engine every other query would wait for it. */
import { openStore, type TestStore } from '../support/open-store.ts'

const HOUR_MS = 3_600_000
const budget = { timeoutMs: HOUR_MS, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10_000 }
const ENDLESS = {
  text: 'SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) % {p:UInt32} = 1',
  params: { p: 7 },
}

let store: TestStore

beforeAll(async () => {
  store = await openStore()
})

afterAll(async () => {
  await store.close()
})

const running = async (): Promise<number> => {
  const text =
    "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%processes%'"
  const [row] = await store.engine.run({ text, params: {} }, budget)
  return Number(row?.n)
}

it('ends a query whose caller goes away, and lets the next one in', async () => {
  const gone = new AbortController()
  const asked = store.engine.run(ENDLESS, budget, gone.signal)
  const waiting = store.engine.run(ENDLESS, budget, gone.signal)
  setTimeout(() => {
    gone.abort(new Error('gone'))
  }, 300)
  await expect(asked).rejects.toThrow('gone')
  await expect(waiting).rejects.toThrow('gone')
  expect(await running()).toBe(0)
  const [row] = await store.engine.run({ text: 'SELECT {x:UInt32} AS x', params: { x: 5 } }, budget)
  expect(row).toEqual({ x: 5 })
})

it('asks nothing for a caller who is gone already', async () => {
  const signal = AbortSignal.abort(new Error('gone'))
  await expect(store.engine.run(ENDLESS, budget, signal)).rejects.toThrow('gone')
})
