/** What the order feed promises its reader: nothing lost, nothing early, nothing older than before. */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import type { OrderDocument, OrderFeedEntry } from '@merx/order-feed/order-document'
import { Client } from 'pg'
import type { QueryResultRow } from 'pg'
import type { Queryable } from '../../../src/engine/database/database.ts'
import { decodeFeedCursor, encodeFeedCursor } from '../../../src/order-feed/feed-cursor.ts'
import { readOrderFeed } from '../../../src/order-feed/read-order-feed.ts'
import { refreshRenamedOrders } from '../../../src/order-feed/rename-maintenance.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { feedReader, numbersOf, onlyDocument, versionOf } from '../support/feed-reader.ts'
import type { FeedReader } from '../support/feed-reader.ts'
import { createSmallShop, insert, insertLineItem, insertOrder } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

let core: CoreDatabase
let shop: SmallShop
let reader: FeedReader
beforeEach(async () => {
  core = await openCoreDatabase('feed')
  shop = await createSmallShop(core.database)
  reader = feedReader(core.database)
})
afterEach(() => core.drop())

describe('a reader without a cursor', () => {
  it('gets every order once, in the order of the commits, page by page', async () => {
    const orders = [
      await insertOrder(core.database, shop),
      await insertOrder(core.database, shop),
      await insertOrder(core.database, shop),
    ]
    await core.database.query('UPDATE orders SET status = $1 WHERE id = $2', ['pending', orders[0]])
    const { entries } = await reader.all(undefined, 2)
    expect(numbersOf(entries)).toEqual([orders[1], orders[2], orders[0]])
  })

  it('gets an empty page with a cursor when there are no orders', async () => {
    const page = await reader.page()
    expect(page).toMatchObject({ entries: [], caught_up: true })
    const order = await insertOrder(core.database, shop)
    expect(numbersOf((await reader.page(page.cursor)).entries)).toEqual([order])
  })
})

describe('a change', () => {
  it('that is rolled back is never seen', async () => {
    const { cursor } = await reader.all()
    await expect(
      core.database.transaction(async (transaction) => {
        await insertOrder(transaction, shop)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect((await reader.all(cursor)).entries).toEqual([])
  })

  it('is one entry and one version, however many statements made it', async () => {
    const order = await insertOrder(core.database, shop)
    const { cursor } = await reader.all()
    await core.database.transaction(async (transaction) => {
      for (let line = 0; line < 5; line += 1) await insertLineItem(transaction, shop, order)
      await transaction.query('UPDATE orders SET status = $1 WHERE id = $2', ['pending', order])
    })
    const document = onlyDocument((await reader.all(cursor)).entries)
    expect(document).toMatchObject({ version: 2, status: 'pending' })
    expect(document.line_items).toHaveLength(5)
  })

  it('made inside a savepoint that is rolled back does not count', async () => {
    const order = await insertOrder(core.database, shop)
    const { cursor } = await reader.all()
    await core.database.transaction(async (transaction) => {
      await transaction.query('SAVEPOINT attempt')
      await transaction.query('UPDATE orders SET status = $1 WHERE id = $2', ['pending', order])
      await transaction.query('ROLLBACK TO SAVEPOINT attempt')
      await insertLineItem(transaction, shop, order)
    })
    expect(onlyDocument((await reader.all(cursor)).entries)).toMatchObject({ version: 2, status: 'draft' })
  })

  it('that deletes an order leaves an entry with a higher version', async () => {
    const order = await insertOrder(core.database, shop)
    await insertLineItem(core.database, shop, order)
    const { entries, cursor } = await reader.all()
    await core.database.query('DELETE FROM orders WHERE id = $1', [order])
    expect((await reader.all(cursor)).entries).toEqual([
      {
        kind: 'delete',
        organization_id: shop.organizationId,
        mode: 'test',
        id: encodeId('orders', order),
        version: 3,
      },
    ])
    expect(entries.map(versionOf)).toEqual([2])
  })

  it('of several orders at once gives one entry for each', async () => {
    const orders = await Promise.all(Array.from({ length: 7 }, () => insertOrder(core.database, shop)))
    const { cursor } = await reader.all()
    await core.database.query("UPDATE orders SET status = 'pending'")
    const { entries } = await reader.all(cursor, 3)
    expect([...numbersOf(entries)].sort()).toEqual([...orders].sort())
    expect(new Set(entries.map(versionOf))).toEqual(new Set([2]))
  })
})

test('orders cannot be truncated behind the feed', async () => {
  await insertOrder(core.database, shop)
  await expect(core.database.query('TRUNCATE orders CASCADE')).rejects.toThrow('order feed would not see it')
})

test('transactions cannot be truncated', async () => {
  await expect(core.database.query('TRUNCATE transactions CASCADE')).rejects.toThrow('are never deleted')
})

test.each([
  'line_items',
  'line_item_options',
  'shipments',
  'stock_line_items',
  'returns',
  'return_line_items',
  'taggings',
  'resource_errors',
])('orders of which %s are truncated are sent again', async (table) => {
  const order = await insertOrder(core.database, shop)
  const { cursor } = await reader.all()
  await core.database.query(`TRUNCATE ${table} CASCADE`)
  await refreshRenamedOrders(core.database)
  expect(numbersOf((await reader.all(cursor)).entries)).toEqual([order])
})

describe('transactions that overlap', () => {
  let other: Client
  beforeEach(async () => {
    other = new Client({ connectionString: core.database.url })
    await other.connect()
  })
  afterEach(() => other.end())

  it('hold back later changes until they end, so that none is passed over', async () => {
    await other.query('BEGIN')
    await other.query('INSERT INTO orders (environment_id, market_id, currency_code) VALUES ($1, $2, $3)', [
      shop.environmentId,
      shop.marketId,
      'EUR',
    ])
    const later = await insertOrder(core.database, shop)
    const early = await readOrderFeed({ database: core.database, ids: testIds }, { limit: 500 })
    expect(early).toMatchObject({ page: { entries: [] }, isHeldBack: true })
    await other.query('COMMIT')
    const { entries } = await reader.all(early.page.cursor)
    expect(numbersOf(entries)).toEqual([later - 1, later])
  })

  it('that only wrote elsewhere hold back too, and free the feed when they roll back', async () => {
    await other.query('BEGIN')
    await other.query("UPDATE price_lists SET name = 'x'")
    const order = await insertOrder(core.database, shop)
    expect((await readOrderFeed({ database: core.database, ids: testIds }, { limit: 500 })).isHeldBack).toBe(
      true,
    )
    await other.query('ROLLBACK')
    expect(numbersOf((await reader.all()).entries)).toEqual([order])
  })

  /** The document as it is sent when the earlier transaction has ended and the later one has not, and at the end. */
  const sentTwice = async (
    earlier: (transaction: Client) => Promise<unknown>,
    later: string,
  ): Promise<readonly OrderDocument[]> => {
    const { cursor } = await reader.all()
    const another = new Client({ connectionString: core.database.url })
    await another.connect()
    try {
      await other.query('BEGIN')
      await earlier(other)
      await another.query('BEGIN')
      await another.query(later)
      await other.query('COMMIT')
      const first = await reader.all(cursor)
      await another.query('COMMIT')
      await refreshRenamedOrders(core.database)
      const last = await reader.all(first.cursor)
      expect(await refreshRenamedOrders(core.database)).toBe(0)
      return [onlyDocument(first.entries), onlyDocument(last.entries)]
    } finally {
      await another.end()
    }
  }
  const open = (transaction: Client): Queryable => ({
    query: async <R extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await transaction.query<R>(text, [...values])).rows,
  })

  it('an order that is not there yet when its customer changes shows the new one in the end', async () => {
    const documents = await sentTwice(
      (transaction) => insertOrder(open(transaction), shop),
      "UPDATE customers SET email = 'bea@example.com'",
    )
    expect(documents.map(({ customer }) => customer?.email)).toEqual(['ann@example.com', 'bea@example.com'])
  })

  it.each(['shipping_address', 'billing_address'] as const)(
    'an order that is not there yet when its %s changes shows the new one in the end',
    async (address) => {
      const documents = await sentTwice(
        (transaction) => insertOrder(open(transaction), shop, { [`${address}_id`]: shop.addressId }),
        "UPDATE addresses SET city = 'Asti'",
      )
      expect(documents.map((document) => document[address]?.city)).toEqual(['Torino', 'Asti'])
    },
  )

  it.each(['origin_address', 'destination_address'] as const)(
    'a return that is not there yet when its %s changes shows the new one in the end',
    async (address) => {
      const order = await insertOrder(core.database, shop)
      const values = { environment_id: shop.environmentId, order_id: order, number: 'R1' }
      const documents = await sentTwice(
        (transaction) =>
          insert(open(transaction), 'returns', { ...values, [`${address}_id`]: shop.addressId }),
        "UPDATE addresses SET city = 'Asti'",
      )
      expect(documents.map(({ returns }) => returns[0]?.[address]?.city)).toEqual(['Torino', 'Asti'])
    },
  )

  it('an order that was there when its address changed is sent for it once', async () => {
    const order = await insertOrder(core.database, shop, { shipping_address_id: shop.addressId })
    const { cursor } = await reader.all()
    await other.query('BEGIN')
    await other.query("UPDATE price_lists SET name = 'x'")
    await core.database.query("UPDATE addresses SET city = 'Asti'")
    await other.query('COMMIT')
    await refreshRenamedOrders(core.database)
    const document = onlyDocument((await reader.all(cursor)).entries)
    expect(document).toMatchObject({ id: encodeId('orders', order), version: 2 })
  })

  it('of readers hold back nothing', async () => {
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await other.query('SELECT count(*) FROM orders')
    const order = await insertOrder(core.database, shop)
    expect(numbersOf((await reader.all()).entries)).toEqual([order])
    await other.query('ROLLBACK')
  })
})

test('concurrent writers: a reader that starts again anywhere ends with exactly what is stored', async () => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => insertOrder(core.database, shop)))
  let isWriting = true
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const write = async (writes: number): Promise<void> => {
    for (let index = 0; index < writes; index += 1) {
      const order = orders[random(orders.length)] ?? 0
      const isKept = random(5) > 0
      await core.database
        .transaction(async (transaction) => {
          if (random(2) === 0) await insertLineItem(transaction, shop, order)
          else
            await transaction.query('UPDATE orders SET reference = $1 WHERE id = $2', [
              String(random(1e6)),
              order,
            ])
          if (random(3) === 0) await transaction.query('SELECT pg_sleep(0.005)')
          if (!isKept) throw new Error('rolled back')
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'rolled back') throw error
        })
    }
  }
  const seen = new Map<string, OrderDocument>()
  const regressions: string[] = []
  const apply = (entries: readonly OrderFeedEntry[]): void => {
    for (const entry of entries) {
      if (entry.kind !== 'upsert') continue
      const before = seen.get(entry.document.id)
      // Reading again may repeat a version, never go below it.
      if (before !== undefined && entry.document.version < before.version) regressions.push(entry.document.id)
      if (before?.version === entry.document.version) expect(entry.document).toEqual(before)
      seen.set(entry.document.id, entry.document)
    }
  }
  const read = async (): Promise<string | undefined> => {
    let cursor: string | undefined
    while (isWriting) {
      const page = await reader.page(cursor, 1 + random(4))
      // Stopped before the cursor was stored, every now and then: the page comes again.
      apply(page.entries)
      if (random(3) > 0) cursor = page.cursor
    }
    return cursor
  }
  const reading = read()
  await Promise.all(Array.from({ length: 8 }, () => write(40)))
  isWriting = false
  const { entries } = await reader.all(await reading)
  apply(entries)
  expect(regressions).toEqual([])
  const stored = await core.database.query<{
    id: number
    version: number
    reference: string | null
    lines: number
  }>(
    `SELECT id, version, reference, (SELECT count(*) FROM line_items WHERE order_id = orders.id) AS lines FROM orders`,
  )
  expect(
    stored.map(({ id, version, reference, lines }) => ({
      id: encodeId('orders', id),
      version,
      reference,
      lines,
    })),
  ).toEqual(
    stored.map(({ id }) => {
      const document = seen.get(encodeId('orders', id))
      return {
        id: document?.id,
        version: document?.version,
        reference: document?.reference,
        lines: document?.line_items.length,
      }
    }),
  )
})

describe('cursors', () => {
  it('give the same page again', async () => {
    await insertOrder(core.database, shop)
    const { cursor } = await reader.all()
    await insertOrder(core.database, shop)
    expect(await reader.page(cursor)).toEqual(await reader.page(cursor))
  })

  it('from before the feed was restarted are refused: versions may come again', async () => {
    const order = await insertOrder(core.database, shop)
    const { cursor } = await reader.all()
    await core.database.query('SELECT restart_order_feed()')
    await expect(reader.page(cursor)).rejects.toMatchObject({
      code: 'bad_request',
      detail: expect.stringContaining('another history') as string,
    })
    expect(numbersOf((await reader.all()).entries)).toEqual([order])
  })

  it('ahead of the database, which was set back, are refused', async () => {
    await insertOrder(core.database, shop)
    const { cursor } = await reader.all()
    const place = decodeFeedCursor(cursor)
    for (const ahead of [{ transactionId: 9_000_000_000 }, { position: place.position + 1 }])
      await expect(reader.page(encodeFeedCursor({ ...place, ...ahead }))).rejects.toMatchObject({
        code: 'bad_request',
      })
    expect((await reader.page(cursor)).entries).toEqual([])
  })
})
