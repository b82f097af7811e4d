/** The order feed over HTTP: pages, waiting, and what it refuses. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { openCoreDatabase } from '../../db/support/core-database.ts'
import type { CoreDatabase } from '../../db/support/core-database.ts'
import { othersAreDone } from '../../db/support/others-are-done.ts'
import { createSmallShop, insertOrder } from '../../db/support/small-shop.ts'
import type { SmallShop } from '../../db/support/small-shop.ts'
import { openInternalCalls, refusalOf } from '../support/internal-calls.ts'
import type { InternalCalls } from '../support/internal-calls.ts'

let core: CoreDatabase
let shop: SmallShop
let internal: InternalCalls
beforeAll(async () => {
  core = await openCoreDatabase('internal_feed')
  shop = await createSmallShop(core.database)
  internal = await openInternalCalls(core.database)
})
afterAll(async () => {
  await internal.close()
  await core.drop()
})

const call: InternalCalls['call'] = (...request) => internal.call(...request)

describe('GET /internal/order-feed', () => {
  interface Page {
    readonly entries: readonly { readonly kind: string; readonly document: { readonly id: string } }[]
    readonly cursor: string
    readonly caught_up: boolean
  }
  const read = async (query: string): Promise<Page> => {
    await othersAreDone(core.database)
    const response = await call('GET', `/internal/order-feed${query}`)
    expect(response.status).toBe(200)
    return response.body as Page
  }

  it('returns pages and the cursor of the next one', async () => {
    const orders = [await insertOrder(core.database, shop), await insertOrder(core.database, shop)]
    const first = await read('?limit=1')
    const second = await read(`?limit=1&after=${first.cursor}`)
    const third = await read(`?after=${second.cursor}`)
    expect([first.caught_up, second.caught_up, third.caught_up]).toEqual([false, false, true])
    expect(
      [...first.entries, ...second.entries].map(({ document }) => decodeId('orders', document.id)),
    ).toEqual(orders)
    expect(third.entries).toEqual([])
  })

  it('waits for the next change and answers as soon as it is there', async () => {
    const { cursor } = await read('')
    const waiting = read(`?after=${cursor}&wait_seconds=25`)
    const order = await insertOrder(core.database, shop)
    const { entries } = await waiting
    expect(entries.map(({ document }) => decodeId('orders', document.id))).toEqual([order])
  })

  it('wakes up for a change that an older transaction holds back, when that one ends', async () => {
    const { cursor } = await read('')
    const older = await core.database.pool.connect()
    try {
      await older.query('BEGIN')
      await older.query('SELECT pg_current_xact_id()')
      const waiting = read(`?after=${cursor}&wait_seconds=25`)
      await insertOrder(core.database, shop)
      expect((await read(`?after=${cursor}`)).entries).toEqual([])
      await older.query('COMMIT')
      expect((await waiting).entries).toHaveLength(1)
    } finally {
      older.release()
    }
  })

  it('continues after the listening connection was cut', async () => {
    const { cursor } = await read('')
    const waiting = read(`?after=${cursor}&wait_seconds=25`)
    await core.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'merx-core-listen' AND datname = current_database()",
    )
    await insertOrder(core.database, shop)
    expect((await waiting).entries).toHaveLength(1)
  })

  it('gives an empty page when nothing came in time', async () => {
    const { cursor } = await read('')
    expect(await read(`?after=${cursor}&wait_seconds=1`)).toEqual({ entries: [], cursor, caught_up: true })
  })

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?limit=ten', 'limit'],
    ['?wait_seconds=26', 'wait_seconds'],
    ['?wait_seconds=-1', 'wait_seconds'],
    ['?after=nonsense', 'after'],
    ['?after=', 'after'],
    ['?after=a&after=b', 'after'],
    ['?before=x', 'before'],
  ])('refuses %s', async (query, parameter) => {
    expect(refusalOf(await call('GET', `/internal/order-feed${query}`))).toEqual({
      status: 400,
      code: 'BAD_REQUEST',
      sources: [parameter],
    })
  })
})
