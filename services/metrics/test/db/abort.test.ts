/** A caller who goes away takes the query along: it would go on using processor and memory that others need. */
import { setTimeout as sleep } from 'node:timers/promises'
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

/** The engine tells the caller that a query has ended a moment before it takes it off its list. */
const runningAfterAll = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100 && (await running()) > 0; attempt += 1) await sleep(20)
  return running()
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
  expect(await runningAfterAll()).toBe(0)
  const [row] = await store.engine.run({ text: 'SELECT {x:UInt32} AS x', params: { x: 5 } }, budget)
  expect(row).toEqual({ x: 5 })
})

it('asks nothing for a caller who is gone already', async () => {
  const signal = AbortSignal.abort(new Error('gone'))
  await expect(store.engine.run(ENDLESS, budget, signal)).rejects.toThrow('gone')
})
