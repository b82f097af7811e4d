/** The lease on filling a store from the order feed: one holder at a time, tokens that only grow. */
import { setTimeout as wait } from 'node:timers/promises'
import { openCoreDatabase } from '../../db/support/core-database.ts'
import type { CoreDatabase } from '../../db/support/core-database.ts'
import { othersAreDone } from '../../db/support/others-are-done.ts'
import { createSmallShop, insertOrder } from '../../db/support/small-shop.ts'
import { openInternalCalls, refusalOf } from '../support/internal-calls.ts'
import type { InternalCalls } from '../support/internal-calls.ts'

let core: CoreDatabase
let internal: InternalCalls
beforeAll(async () => {
  core = await openCoreDatabase('internal_feed_lease')
  internal = await openInternalCalls(core.database)
})
afterAll(async () => {
  await internal.close()
  await core.drop()
})

const PATH = '/internal/order-feed/lease'
const FOREVER_MS = 60_000

const take = async (store: string, holder: string, more: object = {}) => {
  const body = { store, holder, ttl_ms: FOREVER_MS, above: 0, ...more }
  const response = await internal.call('POST', PATH, body)
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 })
  return response.body as { is_held: boolean; token: number; holder: string; report: object; backlog: number }
}

describe('POST /internal/order-feed/lease', () => {
  it('gives a store to the first who asks, and to nobody else until it is given back', async () => {
    expect(await take('one', 'a', { report: { lag_ms: 7 } })).toMatchObject({ is_held: true, token: 1 })
    const other = await take('one', 'b')
    expect(other).toEqual({ is_held: false, token: 1, holder: 'a', report: { lag_ms: 7 }, backlog: null })
    expect(await take('one', 'a')).toMatchObject({ is_held: true, token: 1 })
    expect(await take('one', 'b', { ttl_ms: 0 })).toMatchObject({ is_held: false, holder: 'a' })
    expect(await take('one', 'a', { ttl_ms: 0 })).toMatchObject({ is_held: false, holder: 'a' })
    expect(await take('one', 'b')).toMatchObject({ is_held: true, token: 2, holder: 'b' })
    expect(await take('one', 'a')).toMatchObject({ is_held: false, token: 2, holder: 'b' })
  })

  it('passes to another process when its holder does not renew it in time', async () => {
    await take('silent', 'a', { ttl_ms: 20 })
    await wait(40)
    expect(await take('silent', 'a', { ttl_ms: 20 })).toMatchObject({ is_held: true, token: 1 })
    await wait(40)
    expect(await take('silent', 'b')).toMatchObject({ is_held: true, token: 2 })
    expect(await take('silent', 'a')).toMatchObject({ is_held: false, holder: 'b' })
  })

  it('gives one of many who ask at once', async () => {
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, index) => take('crowd', `holder-${index}`)),
    )
    expect(asked.filter(({ is_held }) => is_held)).toHaveLength(1)
  })

  it('knows stores apart', async () => {
    await take('left', 'a')
    expect(await take('right', 'b')).toMatchObject({ is_held: true, token: 1 })
  })

  it('gives a token above what the store has seen, also to a holder that kept its lease', async () => {
    expect(await take('restored', 'a', { above: 41 })).toMatchObject({ is_held: true, token: 42 })
    expect(await take('restored', 'a', { above: 41 })).toMatchObject({ token: 42 })
    expect(await take('restored', 'a', { above: 50 })).toMatchObject({ token: 51 })
  })

  it('counts the changes behind a cursor', async () => {
    const shop = await createSmallShop(core.database)
    await insertOrder(core.database, shop)
    await othersAreDone(core.database)
    const page = await internal.call('GET', '/internal/order-feed?limit=1')
    const { cursor } = page.body as { cursor: string }
    expect(await take('counted', 'a', { after: cursor })).toMatchObject({ backlog: 0 })
    await insertOrder(core.database, shop)
    await insertOrder(core.database, shop)
    expect(await take('counted', 'a', { after: cursor })).toMatchObject({ backlog: 2 })
  })

  it.each([
    [{}, ['/store', '/holder', '/ttl_ms', '/above']],
    [{ store: 'A B', holder: 'a', ttl_ms: 1, above: 0 }, ['/store']],
    [{ store: 'a', holder: '', ttl_ms: 1, above: 0 }, ['/holder']],
    [{ store: 'a', holder: 'a', ttl_ms: 60_001, above: 0 }, ['/ttl_ms']],
    [{ store: 'a', holder: 'a', ttl_ms: 1, above: -1 }, ['/above']],
    [{ store: 'a', holder: 'a', ttl_ms: 1, above: 0, token: 1 }, ['/token']],
    [{ store: 'a', holder: 'a', ttl_ms: 1, above: 0, after: 'nonsense' }, ['after']],
  ])('refuses %j', async (body, sources) => {
    const refusal = refusalOf(await internal.call('POST', PATH, body))
    expect(refusal).toEqual({ status: 400, code: 'BAD_REQUEST', sources: expect.anything() as unknown })
    expect(refusal.sources.toSorted()).toEqual([...sources].sort())
  })

  it('refuses other methods, and callers without the key', async () => {
    expect(refusalOf(await internal.call('GET', PATH)).status).toBe(405)
    expect((await internal.client.request('POST', PATH, { body: {} })).status).toBe(401)
  })
})
