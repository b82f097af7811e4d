/** Nobody is promised what is not there, however many try at once (docs/adr/0078). */
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { persist } from '../../../src/engine/write/persist.ts'
import type { StockStep } from '../../../src/inventory/move-stock.ts'
import { release, reserve } from '../../../src/inventory/reservations.ts'
import type { WantedReservation } from '../../../src/inventory/reservations.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { createSmallShop, insert } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

const registry = createRegistry(areas, { ids: testIds })

let core: CoreDatabase
let shop: SmallShop

beforeAll(async () => {
  core = await openCoreDatabase('no_oversell', 10)
  shop = await createSmallShop(core.database)
})
afterAll(() => core.drop())

let skus = 0

const stockItem = async (quantity: number): Promise<number> => {
  skus += 1
  const environment_id = shop.environmentId
  const shipping_category_id = await insert(core.database, 'shipping_categories', {
    environment_id,
    name: 'All',
  })
  const code = `SKU-${skus}`
  const sku_id = await insert(core.database, 'skus', {
    environment_id,
    code,
    name: code,
    shipping_category_id,
  })
  const stock_location_id = shop.stockLocationId
  return insert(core.database, 'stock_items', {
    environment_id,
    sku_id,
    sku_code: code,
    stock_location_id,
    quantity,
  })
}

const inTransaction = <T>(act: (step: StockStep) => Promise<T>): Promise<T> =>
  core.database.transaction((transaction) => {
    const scope = {
      environmentId: shop.environmentId,
      organizationId: shop.organizationId,
      mode: 'test' as const,
    }
    return act({ run: runIn(transaction), registry, scope, actor: { application: null, owner: null } })
  })

/** As placing does: reserve, and write the reservations, or nothing. */
const place = (wanted: readonly WantedReservation[]): Promise<boolean> =>
  inTransaction(async (step) => {
    const { shortages, writes } = await reserve(wanted, step)
    const { run, scope, actor } = step
    await persist(writes, { run, registry, environmentId: scope.environmentId, actor })
    return shortages.length === 0
  })

const numbersOf = async (item: number) => {
  const [row] = await core.database.query<{ quantity: number; reserved: number; reservations: number }>(
    `SELECT items.quantity, coalesce(reserved.quantity, 0) AS reserved,
      (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations
        WHERE environment_id = $1 AND stock_item_id = $2) AS reservations
    FROM stock_items AS items LEFT JOIN reserved_stocks AS reserved
      ON reserved.environment_id = $1 AND reserved.stock_item_id = items.id
    WHERE items.environment_id = $1 AND items.id = $2`,
    [shop.environmentId, item],
  )
  return row
}

const succeeded = (results: readonly boolean[]): number => results.filter((result) => result).length

it('reserves exactly 50 pieces for 200 transactions at once', async () => {
  const item = await stockItem(50)
  const tries = Array.from({ length: 200 }, () => place([{ stockItem: item, quantity: 1 }]))
  expect(succeeded(await Promise.all(tries))).toBe(50)
  expect(await numbersOf(item)).toEqual({ quantity: 50, reserved: 50, reservations: 50 })
})

it('neither oversells nor deadlocks when transactions want several stock items in any order', async () => {
  const [first, second, third] = [await stockItem(20), await stockItem(20), await stockItem(20)]
  const orders = [
    [first, second, third],
    [third, second, first],
    [second, third, first],
  ]
  const tries = Array.from({ length: 90 }, (_, index) =>
    place((orders[index % 3] ?? []).map((item) => ({ stockItem: item, quantity: 1 }))),
  )
  expect(succeeded(await Promise.all(tries))).toBe(20)
  for (const item of [first, second, third])
    expect(await numbersOf(item)).toEqual({ quantity: 20, reserved: 20, reservations: 20 })
})

it('never promises more than is there while stock is taken out at the same time', async () => {
  const item = await stockItem(30)
  const order = await insert(core.database, 'orders', {
    environment_id: shop.environmentId,
    market_id: shop.marketId,
    customer_id: shop.customerId,
    currency_code: 'EUR',
  })
  await place([{ stockItem: item, quantity: 10, order }])
  const approve = inTransaction((step) => release({ column: 'order_id', numbers: [order] }, step, 'taken'))
  const tries = Array.from({ length: 60 }, () => place([{ stockItem: item, quantity: 1 }]))
  const [results] = await Promise.all([Promise.all(tries), approve])
  expect(succeeded(results)).toBe(20)
  expect(await numbersOf(item)).toEqual({ quantity: 20, reserved: 20, reservations: 20 })
})

it('ends a reservation once when two transactions end it at the same time', async () => {
  const item = await stockItem(5)
  await place([{ stockItem: item, quantity: 3, expiresAt: new Date('2026-01-01T00:00:00Z') }])
  const [row] = await core.database.query<{ id: number }>(
    'SELECT id FROM stock_reservations WHERE environment_id = $1 AND stock_item_id = $2',
    [shop.environmentId, item],
  )
  const numbers = [row?.id ?? 0]
  const end = () => inTransaction((step) => release({ column: 'id', numbers }, step))
  const ended = await Promise.all([end(), end(), end()])
  expect(ended.flat()).toHaveLength(1)
  expect(await numbersOf(item)).toEqual({ quantity: 5, reserved: 0, reservations: 0 })
})

it('reserves all of what an order wants or nothing', async () => {
  const [enough, little] = [await stockItem(10), await stockItem(1)]
  expect(
    await place([
      { stockItem: enough, quantity: 2 },
      { stockItem: little, quantity: 2 },
    ]),
  ).toBe(false)
  expect([await numbersOf(enough), await numbersOf(little)]).toEqual([
    { quantity: 10, reserved: 0, reservations: 0 },
    { quantity: 1, reserved: 0, reservations: 0 },
  ])
})
