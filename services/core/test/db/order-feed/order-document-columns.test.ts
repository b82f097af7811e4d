/** Shared records, which many orders show: a change of each column that documents show reaches the documents. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import * as queries from '../../../src/order-feed/document-queries.ts'
import { refreshRenamedOrders } from '../../../src/order-feed/rename-maintenance.ts'
import { watchColumns, watchedColumns } from '../../../src/order-feed/watched-columns.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { feedReader, onlyDocument } from '../support/feed-reader.ts'
import type { FeedReader } from '../support/feed-reader.ts'
import { createSmallShop, insert, insertOrder } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

const MIGRATION = '20261123090000_shown_columns_noted'

const NAMED = { name: "'Other'", reference: "'other'", reference_origin: "'elsewhere'" } as const

/** Another value for each column, as SQL. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  environments: { slug: "'other'", name: "'Other'" },
  markets: { name: "'Other'", number: 'number + 1' },
  customers: {
    email: "'bob@example.com'",
    reference: "'other'",
    reference_origin: "'elsewhere'",
    customer_group_id: 'NULL',
  },
  customer_groups: { name: "'Other'" },
  payment_methods: { name: "'Other'", payment_source_type: "'adyen_payments'", moto: 'NOT moto' },
  stock_locations: NAMED,
  shipping_methods: { ...NAMED, currency_code: "'USD'" },
  shipping_categories: NAMED,
}

/** What changes for orders of transactions that are open yet, too (migration orders_of_open_transactions). */
const CHANGES_WHILE_OPEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customers: CHANGES['customers'] ?? {},
  addresses: {
    business: 'NOT business',
    first_name: "'Bea'",
    last_name: "'Other'",
    company: "'Other Ltd'",
    city: "'Asti'",
    country_code: "'FR'",
    state_code: "'AT'",
    zip_code: "'14100'",
    lat: '44.9',
    lng: '8.2',
    is_geocoded: 'NOT is_geocoded',
  },
}

/** `table.column` of each. */
const namesOf = (changes: typeof CHANGES): readonly string[] =>
  Object.entries(changes).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  )

const casesOf = (changes: typeof CHANGES) =>
  Object.entries(changes).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, value]) => [table, column, value] as const),
  )

const letter = (place: number): string => String.fromCharCode(65 + place)

let core: CoreDatabase
let shop: SmallShop
let reader: FeedReader
let shops = 0
beforeAll(async () => {
  core = await openCoreDatabase('feed_columns')
  reader = feedReader(core.database)
})
afterAll(() => core.drop())

/** Tables of which any update raises the version of the orders, whatever column it is of. */
const tablesWatchedWhole = async (): Promise<readonly string[]> => {
  const rows = await core.database.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
     JOIN pg_proc ON pg_proc.oid = tgfoid
     WHERE (proname LIKE 'touch\\_orders\\_of\\_%' OR proname = 'record_order_changes')
       AND proname <> 'touch_orders_of_customers' AND tgtype & 16 > 0`,
  )
  return rows.map(({ name }) => name)
}

/** Watched by a list of columns, addresses also as a whole. */
const watched = watchedColumns().map(({ table, column }) => `${table}.${column}`)

test('each column of a shared record that the document shows is watched, and changed by a case below', async () => {
  const whole = await tablesWatchedWhole()
  expect(whole).toEqual(expect.arrayContaining(['orders', 'line_items', 'addresses', 'returns', 'tags']))
  const single = watched.filter((name) => !whole.includes(name.split('.')[0] ?? ''))
  expect(single.toSorted()).toEqual(namesOf(CHANGES).toSorted())
})

test('each table that the statements read is watched, as a whole or by its shared columns', async () => {
  const whole = await tablesWatchedWhole()
  const shared = watchedColumns().map(({ table }) => table)
  const text = Object.values(queries).join('\n')
  const read = new Set([...text.matchAll(/\b(?:FROM|JOIN) ([a-z_]+)/g)].map(([, table = '']) => table))
  for (const notTable of ['unnest', 'tagged']) read.delete(notTable)
  expect([...read].filter((table) => !whole.includes(table) && !shared.includes(table))).toEqual([])
})

test('the table of watched columns holds those of the list', async () => {
  const rows = await core.database.query<{ name: string }>(
    "SELECT table_name || '.' || column_name AS name FROM order_feed_columns ORDER BY 1",
  )
  expect(rows.map(({ name }) => name)).toEqual(watched.toSorted())
})

test('a field that a new release shows is watched after its migration', async () => {
  await core.database.query("DELETE FROM order_feed_columns WHERE table_name = 'markets'")
  await watchColumns(core.database)
  const rows = await core.database.query(
    "SELECT column_name FROM order_feed_columns WHERE table_name = 'markets' ORDER BY 1",
  )
  expect(rows).toEqual([{ column_name: 'name' }, { column_name: 'number' }])
})

test('each column of customers and addresses that the document shows is changed during an open transaction below', () => {
  const changed = watched.filter((name) => /^(?:customers|addresses)\./.test(name))
  expect(changed.toSorted()).toEqual(namesOf(CHANGES_WHILE_OPEN).toSorted())
})

describe('a change of', () => {
  let order = 0
  let methods: { payment: number; shipping: number }
  beforeEach(async () => {
    shops += 1
    shop = await createSmallShop(core.database, {
      organizationId: `aBcDeFgH${letter(shops / 26)}${letter(shops % 26)}`,
    })
    const environment = { environment_id: shop.environmentId }
    const add = (table: string, values: Readonly<Record<string, unknown>>): Promise<number> =>
      insert(core.database, table, { ...environment, ...values })
    const group = await add('customer_groups', { name: 'Gold' })
    await core.database.query('UPDATE customers SET customer_group_id = $1 WHERE id = $2', [
      group,
      shop.customerId,
    ])
    const gateway = await add('payment_gateways', { name: 'Bank', type: 'manual_gateways' })
    methods = {
      payment: await add('payment_methods', {
        name: 'Transfer',
        payment_source_type: 'wire_transfers',
        currency_code: 'EUR',
        price_amount_cents: 0,
        payment_gateway_id: gateway,
      }),
      shipping: await add('shipping_methods', { name: 'Post', currency_code: 'EUR', price_amount_cents: 0 }),
    }
    order = await insertOrder(core.database, shop, { payment_method_id: methods.payment })
    await add('shipments', {
      order_id: order,
      number: `${order}/S/1`,
      currency_code: 'EUR',
      stock_location_id: shop.stockLocationId,
      shipping_method_id: methods.shipping,
      shipping_category_id: await add('shipping_categories', { name: 'Parcels' }),
    })
  })

  it.each(casesOf(CHANGES))('%s.%s reaches the documents', async (table, column, value) => {
    const { cursor } = await reader.all()
    const key = table === 'environments' ? 'id' : 'environment_id'
    await core.database.query(`UPDATE ${table} SET ${column} = ${value} WHERE ${key} = $1`, [
      shop.environmentId,
    ])
    await refreshRenamedOrders(core.database)
    expect(onlyDocument((await reader.all(cursor)).entries).version).toBe(3)
    expect(await refreshRenamedOrders(core.database)).toBe(0)
  })

  it.each(casesOf(CHANGES_WHILE_OPEN))(
    '%s.%s is noted for orders of a transaction that is open yet',
    async (table, column, value) => {
      const other = new Client({ connectionString: core.database.url })
      await other.connect()
      try {
        await other.query('BEGIN')
        await other.query('SELECT pg_current_xact_id()')
        // Transactions of suites that run at the same time hold back changes of the set-up, which are noted too.
        await core.database.query('DELETE FROM order_refreshes WHERE environment_id = $1', [
          shop.environmentId,
        ])
        const [{ id } = { id: 0 }] = await core.database.query<{ id: number }>(
          `UPDATE ${table} SET ${column} = ${value} WHERE environment_id = $1 RETURNING id`,
          [shop.environmentId],
        )
        const noted = await core.database.query(
          'SELECT record_type, record_id FROM order_refreshes WHERE environment_id = $1',
          [shop.environmentId],
        )
        expect(noted).toEqual([{ record_type: table, record_id: id }])
      } finally {
        // The end of a connection does not wait for its transaction; what it still holds back would be noted twice.
        await other.query('ROLLBACK')
        await other.end()
        await refreshRenamedOrders(core.database)
      }
    },
  )

  it('what no document shows reaches none', async () => {
    const { cursor } = await reader.all()
    await core.database.query('UPDATE payment_methods SET price_amount_cents = 5 WHERE environment_id = $1', [
      shop.environmentId,
    ])
    await refreshRenamedOrders(core.database)
    expect((await reader.all(cursor)).entries).toEqual([])
  })

  it('a method that nobody noted reaches the documents with the migration that notes it, once', async () => {
    const { cursor } = await reader.all()
    await core.database.transaction(async (transaction) => {
      await transaction.query('ALTER TABLE payment_methods DISABLE TRIGGER note_refreshes')
      await transaction.query('UPDATE payment_methods SET moto = true WHERE id = $1', [methods.payment])
      await transaction.query('ALTER TABLE payment_methods ENABLE TRIGGER note_refreshes')
    })
    await refreshRenamedOrders(core.database)
    expect((await reader.all(cursor)).entries).toEqual([])
    const file = path.join(import.meta.dirname, '../../../migrations', MIGRATION, 'migration.sql')
    await core.database.query(readFileSync(file, 'utf8'))
    const noted = await core.database.query(
      'SELECT record_id FROM order_refreshes WHERE environment_id = $1',
      [shop.environmentId],
    )
    expect(noted).toEqual([{ record_id: methods.payment }])
    await refreshRenamedOrders(core.database)
    const { entries } = await reader.all(cursor)
    const own = entries.flatMap((entry) =>
      entry.kind === 'upsert' && entry.document.organization.id === shop.organizationId
        ? [entry.document]
        : [],
    )
    expect(own).toMatchObject([{ payment_method: { moto: true } }])
  })
})
