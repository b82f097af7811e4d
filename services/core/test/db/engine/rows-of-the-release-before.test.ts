/**
 * An upgrade changes nothing of what was stored: rows of the release of 2026-11-24, as its schema has them, are migrated. `npm run
 * upgrade` does so with all of its demo data.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '@merx/postgres/migrate'
import { freshDatabase } from '@merx/testing/fresh-database'
import type { FreshDatabase } from '@merx/testing/fresh-database'
import { compareRows, copyRows } from '@merx/testing/row-copies'
import { silentLogger } from '@merx/testing/silent-logger'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { MIGRATIONS } from '../support/core-database.ts'
import { createSmallShop, insert, insertLineItem, insertOrder } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

const LAST_OF_THAT_RELEASE = '20261124100100_truncated_parts_of_orders'

const migrationsOfThatRelease = mkdtempSync(path.join(tmpdir(), 'merx-migrations-'))
for (const name of readdirSync(MIGRATIONS).filter((migration) => migration <= LAST_OF_THAT_RELEASE))
  cpSync(path.join(MIGRATIONS, name), path.join(migrationsOfThatRelease, name), { recursive: true })

let fresh: FreshDatabase
let database: Database
let shop: SmallShop
beforeAll(async () => {
  fresh = await freshDatabase({ name: 'release_before', migrations: migrationsOfThatRelease })
  database = openDatabase({ url: fresh.url, maxConnections: 4, log: silentLogger })
  shop = await createSmallShop(database)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
  rmSync(migrationsOfThatRelease, { recursive: true })
})

const sellSomething = async (): Promise<void> => {
  const { environmentId: environment_id } = shop
  const orderId = await insertOrder(database, shop, { customer_email: 'ann@example.com' })
  await insertLineItem(database, shop, orderId, { name: 'By hand', unit_amount_cents: 1000 })
  const shipment_id = await insert(database, 'shipments', {
    environment_id,
    order_id: orderId,
    number: '1/S/1',
    stock_location_id: shop.stockLocationId,
    currency_code: 'EUR',
  })
  await insert(database, 'stock_line_items', { environment_id, shipment_id, sku_code: 'A', quantity: 1 })
  await insert(database, 'returns', { environment_id, order_id: orderId, number: '1/R/1' })
  await insert(database, 'refunds', {
    environment_id,
    order_id: orderId,
    number: '1',
    currency_code: 'EUR',
    amount_cents: 100,
    succeeded: true,
  })
}

it('is as it was after the migrations since', async () => {
  await sellSomething()
  await copyRows(fresh.url)
  const applied = await migrate({ url: fresh.url, folder: MIGRATIONS, log: silentLogger })
  expect(applied.length).toBeGreaterThan(40)
  expect(await compareRows(fresh.url)).toEqual([])
})

it('is compared: a change and a missing row are named', async () => {
  await database.query(`UPDATE markets SET name = 'France' WHERE id = $1`, [shop.marketId])
  await database.query('DELETE FROM line_items')
  expect(await compareRows(fresh.url)).toEqual(
    expect.arrayContaining([
      'line_items: 1 of 1 rows are missing: 1:1',
      'markets: 1 of 1 rows are another name: 1:1',
      'markets: 1 of 1 rows are another updated_at: 1:1',
    ]),
  )
})
