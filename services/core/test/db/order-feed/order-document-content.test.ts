/** Every table that an order's document draws from raises the order's version, and shows in the document. */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import type { OrderDocument, OrderFeedEntry } from '@merx/order-feed/order-document'
import { parseOrderFeedEntry } from '@merx/order-feed/order-document-schema'
import { readOrderFeed } from '../../../src/order-feed/read-order-feed.ts'
import { refreshRenamedOrders } from '../../../src/order-feed/rename-maintenance.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { feedReader, onlyDocument } from '../support/feed-reader.ts'
import type { FeedReader } from '../support/feed-reader.ts'
import { othersAreDone } from '../support/others-are-done.ts'
import { createSmallShop, insert, insertLineItem, insertOrder } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

let core: CoreDatabase
let shop: SmallShop
let reader: FeedReader
let shops = 0
beforeAll(async () => {
  core = await openCoreDatabase('feed_content')
  reader = feedReader(core.database)
})
afterAll(() => core.drop())
beforeEach(async () => {
  shops += 1
  shop = await createSmallShop(core.database, {
    organizationId: `aBcDeFgHi${String.fromCharCode(97 + shops)}`,
  })
})

describe('an order that is like no other', () => {
  it('has the units of a shipment in its document, also more than an integer holds', async () => {
    const order = await insertOrder(core.database, shop)
    const environment = { environment_id: shop.environmentId }
    const values = { ...environment, order_id: order, number: '1/S/1', currency_code: 'EUR' }
    const shipment_id = await insert(core.database, 'shipments', values)
    const { cursor } = await reader.all()
    for (const sku_code of ['NAILS', 'SCREWS'])
      await insert(core.database, 'stock_line_items', {
        ...environment,
        shipment_id,
        sku_code,
        quantity: 2_000_000_000,
      })
    const document = onlyDocument((await reader.all(cursor)).entries)
    expect(document.shipments[0]?.items_count).toBe(4_000_000_000)
  })

  it.each(['infinity', '-infinity', '290000-01-01'])(
    'with an invalid instant, %s, stops no other',
    async (instant) => {
      const { cursor } = await reader.all()
      const order = await insertOrder(core.database, shop, { placed_at: instant })
      await insertOrder(core.database, shop)
      await othersAreDone(core.database)
      const { page } = await readOrderFeed(
        { database: core.database, ids: testIds },
        { after: cursor, limit: 9 },
      )
      expect(page.entries).toHaveLength(2)
      const sent: unknown = JSON.parse(JSON.stringify(page.entries[0]))
      expect(sent).toMatchObject({ document: { id: encodeId('orders', order) } })
      expect(parseOrderFeedEntry(sent as OrderFeedEntry)).toMatchObject({
        ok: false,
        violations: [{ pointer: '/document/placed_at' }],
      })
      await core.database.query('DELETE FROM orders WHERE id = $1', [order])
    },
  )
})

describe('a change of what the document contains', () => {
  const environment = (): { environment_id: number } => ({ environment_id: shop.environmentId })
  let order = 0
  let line = 0
  let cursor = ''

  const inserted: Readonly<Record<string, () => Promise<unknown>>> = {
    line_items: () => insertLineItem(core.database, shop, order),
    line_item_options: () =>
      insert(core.database, 'line_item_options', {
        ...environment(),
        line_item_id: line,
        quantity: 1,
        currency_code: 'EUR',
      }),
    shipments: () =>
      insert(core.database, 'shipments', {
        ...environment(),
        order_id: order,
        number: '1/S/1',
        currency_code: 'EUR',
      }),
    refunds: () =>
      insert(core.database, 'transactions', {
        ...environment(),
        type: 'refunds',
        succeeded: true,
        order_id: order,
        number: '1/T/1',
        currency_code: 'EUR',
        amount_cents: 5,
      }),
    returns: () => insert(core.database, 'returns', { ...environment(), order_id: order, number: '1/R/1' }),
    resource_errors: () =>
      insert(core.database, 'resource_errors', {
        ...environment(),
        name: 'customer_email',
        code: 'BLANK',
        message: "can't be blank",
        resource_type: 'orders',
        resource_id: order,
      }),
    taggings: async () => {
      const tag = await insert(core.database, 'tags', { ...environment(), name: 'vip' })
      return insert(core.database, 'taggings', { ...environment(), tag_id: tag, order_id: order })
    },
  }

  beforeEach(async () => {
    order = await insertOrder(core.database, shop, { billing_address_id: shop.addressId })
    line = await insertLineItem(core.database, shop, order)
    cursor = (await reader.all()).cursor
  })

  it.each(Object.entries(inserted))(
    '%s: inserted, changed and deleted raise the version each time',
    async (table, add) => {
      const id = await add()
      const versions = [onlyDocument((await reader.all(cursor)).entries).version]
      // transactions are never deleted
      const last = table === 'refunds' ? `UPDATE transactions SET message = 'x'` : `DELETE FROM ${table}`
      for (const change of [
        `UPDATE ${table} SET environment_id = environment_id WHERE id = $1`,
        `${last} WHERE id = $1`,
      ]) {
        cursor = (await reader.all(cursor)).cursor
        await core.database.query(change, [id])
        versions.push(onlyDocument((await reader.all(cursor)).entries).version)
      }
      expect(versions).toEqual([3, 4, 5])
    },
  )

  it('shows in the document', async () => {
    const tag = await insert(core.database, 'tags', { ...environment(), name: 'vip' })
    for (const [table, add] of Object.entries(inserted)) if (table !== 'taggings') await add()
    const [shipment] = await core.database.query<{ id: number }>(
      'SELECT id FROM shipments WHERE order_id = $1',
      [order],
    )
    await insert(core.database, 'taggings', { ...environment(), tag_id: tag, order_id: order })
    await insert(core.database, 'taggings', { ...environment(), tag_id: tag, shipment_id: shipment?.id })
    const category = await insert(core.database, 'shipping_categories', { ...environment(), name: 'All' })
    const sku = await insert(core.database, 'skus', {
      ...environment(),
      code: 'SHIRT',
      name: 'Shirt',
      shipping_category_id: category,
    })
    await insert(core.database, 'stock_line_items', {
      ...environment(),
      shipment_id: shipment?.id,
      sku_id: sku,
      sku_code: 'SHIRT',
      quantity: 3,
    })
    await core.database.query(
      'UPDATE line_items SET item_type = $1, item_id = $2, sku_code = $3, tax_rate = 0.22 WHERE id = $4',
      ['skus', sku, 'SHIRT', line],
    )
    const document = onlyDocument((await reader.all(cursor)).entries)
    expect(document).toMatchObject({
      organization: { id: shop.organizationId, slug: 'shop', name: 'Shop' },
      mode: 'test',
      number: '1',
      market: { id: encodeId('markets', shop.marketId), name: 'Italy', number: 1 },
      customer: { id: encodeId('customers', shop.customerId), email: 'ann@example.com', group_name: null },
      billing_address: { first_name: 'Ann', city: 'Torino', country_code: 'IT', localized: false },
      shipping_address: null,
      payment_method: null,
      returns: [{ number: '1/R/1', status: 'draft', line_items: [], tags: [], stock_location: null }],
      refunds: [{ number: '1/T/1', amount_cents: 5 }],
      tags: [{ id: encodeId('tags', tag), name: 'vip' }],
      resource_errors: [{ code: 'BLANK', name: 'customer_email', message: "can't be blank" }],
      shipments: [{ number: '1/S/1', items: ['SHIRT'], items_count: 3, tags: [{ name: 'vip' }] }],
    })
    expect(document.line_items).toHaveLength(2)
    expect(document.line_items[0]).toMatchObject({
      item_id: encodeId('skus', sku),
      item_type: 'skus',
      code: 'SHIRT',
      tax_rate: '0.22',
      options: [{ quantity: 1 }],
    })
  })

  it('of a line written by hand shows no type and no item: it is no SKU', async () => {
    await core.database.query(
      "UPDATE line_items SET name = 'Advice', unit_amount_cents = 1999 WHERE id = $1",
      [line],
    )
    const [shown] = onlyDocument((await reader.all(cursor)).entries).line_items
    expect(shown).toMatchObject({ item_type: '', item_id: null, code: null, name: 'Advice' })
  })

  it('of a return: its lines, tags, addresses and stock location raise the version and show', async () => {
    const id = await inserted['returns']?.()
    const location = await insert(core.database, 'stock_locations', {
      ...environment(),
      name: 'Depot',
      address_id: shop.addressId,
    })
    const tag = await insert(core.database, 'tags', { ...environment(), name: 'damaged' })
    const changes: readonly (() => Promise<unknown>)[] = [
      () =>
        insert(core.database, 'return_line_items', {
          ...environment(),
          return_id: id,
          line_item_id: line,
          quantity: 2,
        }),
      () => insert(core.database, 'taggings', { ...environment(), tag_id: tag, return_id: id }),
      () =>
        core.database.query(
          'UPDATE returns SET stock_location_id = $1, origin_address_id = $2 WHERE id = $3',
          [location, shop.addressId, id],
        ),
      () => core.database.query("UPDATE addresses SET city = 'Milano' WHERE id = $1", [shop.addressId]),
      () => core.database.query("UPDATE tags SET name = 'broken' WHERE id = $1", [tag]),
      async () => {
        await core.database.query("UPDATE stock_locations SET name = 'Depot 2' WHERE id = $1", [location])
        await refreshRenamedOrders(core.database)
      },
      () => core.database.query('UPDATE return_line_items SET quantity = 1 WHERE return_id = $1', [id]),
    ]
    const versions: number[] = []
    for (const change of changes) {
      cursor = (await reader.all(cursor)).cursor
      await change()
      versions.push(onlyDocument((await reader.all(cursor)).entries).version)
    }
    expect(versions).toEqual(changes.map((_, index) => (versions[0] ?? 0) + index))
    const [shown] = onlyDocument((await reader.all(cursor)).entries).returns
    expect(shown).toMatchObject({
      stock_location: { id: encodeId('stock_locations', location), name: 'Depot 2' },
      origin_address: { city: 'Milano' },
      tags: [{ name: 'broken' }],
      line_items: [{ line_item_id: encodeId('line_items', line), quantity: 1 }],
    })
  })

  it.each([
    ["its customer's email", "UPDATE customers SET email = 'ann@example.org' WHERE environment_id = $1"],
    ['its billing address', "UPDATE addresses SET city = 'Milano' WHERE environment_id = $1"],
    ["a tag's name", "UPDATE tags SET name = 'gold' WHERE environment_id = $1"],
  ])('%s raises the version', async (_what, statement) => {
    await inserted['taggings']?.()
    cursor = (await reader.all(cursor)).cursor
    await core.database.query(statement, [shop.environmentId])
    expect(onlyDocument((await reader.all(cursor)).entries).version).toBe(4)
  })

  it("is not one when only the customer's order count moves", async () => {
    await core.database.query('UPDATE customers SET total_orders_count = 9 WHERE environment_id = $1', [
      shop.environmentId,
    ])
    expect((await reader.all(cursor)).entries).toEqual([])
  })

  it.each([
    [
      "UPDATE markets SET name = 'Italia' WHERE environment_id = $1",
      (document: OrderDocument) => document.market.name,
      'Italia',
    ],
    [
      "UPDATE environments SET name = 'Negozio' WHERE id = $1",
      (document: OrderDocument) => document.organization.name,
      'Negozio',
    ],
  ])('%s reaches the documents step by step', async (statement, read, expected) => {
    const [before] = await core.database.query<{ updated_at: Date }>(
      'SELECT updated_at FROM orders WHERE id = $1',
      [order],
    )
    await core.database.query(statement, [shop.environmentId])
    expect((await reader.all(cursor)).entries).toEqual([])
    await refreshRenamedOrders(core.database)
    const document = onlyDocument((await reader.all(cursor)).entries)
    expect(read(document)).toBe(expected)
    expect(document.updated_at).toBe(before?.updated_at.toISOString())
    expect(await refreshRenamedOrders(core.database)).toBe(0)
  })

  it('the number of its errors is kept', async () => {
    const countOf = async (): Promise<unknown> =>
      (await core.database.query('SELECT errors_count FROM orders WHERE id = $1', [order]))[0]
    const id = await inserted['resource_errors']?.()
    expect(await countOf()).toEqual({ errors_count: 1 })
    await core.database.query('DELETE FROM resource_errors WHERE id = $1', [id])
    expect(await countOf()).toEqual({ errors_count: 0 })
  })
})
