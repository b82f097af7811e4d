/** The few rows an order needs to exist, written with plain SQL. */
import type { Queryable } from '../../../src/engine/database/database.ts'

export interface SmallShop {
  readonly environmentId: number
  readonly organizationId: string
  readonly addressId: number
  readonly priceListId: number
  readonly inventoryModelId: number
  readonly stockLocationId: number
  readonly marketId: number
  readonly customerId: number
}

/** Inserts a row and gives its number. */
export const insert = async (
  database: Queryable,
  table: string,
  values: Readonly<Record<string, unknown>>,
): Promise<number> => {
  const names = Object.keys(values)
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
    Object.values(values),
  )
  if (row === undefined) throw new Error(`nothing was inserted into ${table}`)
  return row.id
}

export interface SmallShopOptions {
  readonly organizationId?: string
  readonly mode?: 'test' | 'live'
}

export const createSmallShop = async (
  database: Queryable,
  options: SmallShopOptions = {},
): Promise<SmallShop> => {
  const organizationId = options.organizationId ?? 'aBcDeFgHiJ'
  const mode = options.mode ?? 'test'
  const environmentId = await insert(database, 'environments', {
    organization_id: organizationId,
    mode,
    slug: 'shop',
    name: 'Shop',
  })
  const environment_id = environmentId
  const addressId = await insert(database, 'addresses', {
    environment_id,
    first_name: 'Ann',
    last_name: 'Lee',
    line_1: 'Via Roma 1',
    city: 'Torino',
    country_code: 'IT',
    phone: '+39 011 555',
  })
  const merchant_id = await insert(database, 'merchants', {
    environment_id,
    name: 'Shop',
    address_id: addressId,
  })
  const priceListId = await insert(database, 'price_lists', {
    environment_id,
    name: 'EUR',
    code: 'EUR',
    currency_code: 'EUR',
  })
  const inventoryModelId = await insert(database, 'inventory_models', { environment_id, name: 'All' })
  const stockLocationId = await insert(database, 'stock_locations', {
    environment_id,
    name: 'Torino',
    code: 'TRN',
    address_id: addressId,
  })
  await insert(database, 'inventory_stock_locations', {
    environment_id,
    inventory_model_id: inventoryModelId,
    stock_location_id: stockLocationId,
    priority: 1,
  })
  const marketId = await insert(database, 'markets', {
    environment_id,
    name: 'Italy',
    code: 'IT',
    merchant_id,
    price_list_id: priceListId,
    inventory_model_id: inventoryModelId,
  })
  const customerId = await insert(database, 'customers', { environment_id, email: 'ann@example.com' })
  return {
    environmentId,
    organizationId,
    addressId,
    priceListId,
    inventoryModelId,
    stockLocationId,
    marketId,
    customerId,
  }
}

export const insertOrder = (
  database: Queryable,
  shop: SmallShop,
  values: Readonly<Record<string, unknown>> = {},
): Promise<number> =>
  insert(database, 'orders', {
    environment_id: shop.environmentId,
    market_id: shop.marketId,
    customer_id: shop.customerId,
    currency_code: 'EUR',
    ...values,
  })

export const insertLineItem = (
  database: Queryable,
  shop: SmallShop,
  orderId: number,
  values: Readonly<Record<string, unknown>> = {},
): Promise<number> =>
  insert(database, 'line_items', {
    environment_id: shop.environmentId,
    order_id: orderId,
    quantity: 1,
    currency_code: 'EUR',
    ...values,
  })
