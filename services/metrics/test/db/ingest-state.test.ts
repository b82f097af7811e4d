/** What a process writes about its position counts over everything that was written before, also under the same token. */
import { createStateStore } from '../../src/store/ingest-state.ts'
import { openStore, type TestStore } from '../support/open-store.ts'

let store: TestStore

beforeAll(async () => {
  store = await openStore()
})

afterAll(async () => {
  await store.close()
})

const at = (applied: number) => ({ cursor: `c${applied}`, hasCaughtUp: true, applied })

it('of the same token, after a process that wrote more often', async () => {
  const killed = createStateStore(store.engine)
  for (const applied of [1, 2, 3]) await killed.savePosition(5, 0, at(applied))
  const next = createStateStore(store.engine)
  expect(await next.read()).toMatchObject({ token: 5 })
  await next.savePosition(5, 0, at(4))
  expect((await createStateStore(store.engine).read()).positionOf(0)).toEqual(at(4))
})

it('of a higher token, and not of a lower one that comes late', async () => {
  const paused = createStateStore(store.engine)
  await paused.read()
  await createStateStore(store.engine).savePosition(6, 0, at(6))
  await paused.savePosition(5, 0, at(5))
  expect((await createStateStore(store.engine).read()).positionOf(0)).toEqual(at(6))
})
