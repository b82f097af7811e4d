/** The demo shop as it is stored: what the orders are made from. Loading more orders later starts from the same place. */
import type { PoolClient } from 'pg'
import type { PublicIdsOf } from '../src/orders/totals/order-amounts.ts'
import { MARKETS, PAYMENT_METHODS, SHIPPING_METHODS, STORES } from './blueprint.ts'
import type { MarketBlueprint } from './blueprint.ts'
import { COUNTRIES } from './people.ts'

/** A SKU as a market sells it. */
export interface Offer {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly image_url: string | null
  readonly amount_cents: number
  readonly shipping_category_id: number
  readonly do_not_ship: boolean
}

export interface Buyer {
  readonly id: number
  readonly email: string
  readonly group_code: string | null
  readonly address_id: number
  readonly country_code: string
  readonly state_code: string | null
  readonly joined_at: Date
  readonly total_orders_count: number
}

export interface ShopMethod {
  readonly id: number
  readonly name: string
  readonly price_amount_cents: number
  readonly weight: number
}

export interface ShopPaymentMethod extends ShopMethod {
  readonly payment_source_type: string
  /** Null when it is offered. */
  readonly disabled_at: Date | null
}

export interface ShopShippingMethod extends ShopMethod {
  readonly free_over_amount_cents: number | null
}

export interface ShopStore {
  readonly id: number
  readonly stock_location_id: number | null
  /** The store's own, or none. */
  readonly paymentMethods: readonly ShopPaymentMethod[]
}

export interface ShopMarket {
  readonly id: number
  readonly blueprint: MarketBlueprint
  readonly offers: readonly Offer[]
  readonly buyers: readonly Buyer[]
  readonly paymentMethods: readonly ShopPaymentMethod[]
  readonly shippingMethods: readonly ShopShippingMethod[]
  readonly stockLocationIds: readonly number[]
  readonly stores: readonly ShopStore[]
  /** Numbers by reference. */
  readonly promotions: ReadonlyMap<string, number>
  readonly ids: PublicIdsOf
}

export interface Shop {
  readonly markets: readonly ShopMarket[]
  /** Numbers of the tags. */
  readonly tags: readonly number[]
  /** Numbers of the addresses of the stock locations. */
  readonly stockAddresses: ReadonlyMap<number, number>
}

const OFFERS = `
  SELECT DISTINCT skus.id, skus.code, skus.name, skus.image_url, skus.shipping_category_id, skus.do_not_ship,
    prices.amount_cents, md5(skus.code) AS shuffled
  FROM markets
  JOIN prices ON prices.environment_id = markets.environment_id AND prices.price_list_id = markets.base_price_list_id
  JOIN skus ON skus.environment_id = prices.environment_id AND skus.id = prices.sku_id
  JOIN inventory_stock_locations AS listed
    ON listed.environment_id = markets.environment_id AND listed.inventory_model_id = markets.inventory_model_id
  JOIN stock_items ON stock_items.environment_id = skus.environment_id AND stock_items.sku_id = skus.id
    AND stock_items.stock_location_id = listed.stock_location_id
  WHERE markets.environment_id = $1 AND markets.id = $2
  ORDER BY shuffled`

const BUYERS = `
  SELECT customers.id, customers.email, customer_groups.code AS group_code, addresses.id AS address_id,
    addresses.country_code, addresses.state_code, customers.created_at AS joined_at, customers.total_orders_count
  FROM customers
  JOIN addresses ON addresses.environment_id = customers.environment_id
    AND addresses.reference_origin = 'demo' AND addresses.reference = customers.reference
  LEFT JOIN customer_groups ON customer_groups.environment_id = customers.environment_id
    AND customer_groups.id = customers.customer_group_id
  WHERE customers.environment_id = $1 AND customers.reference_origin = 'demo'
  ORDER BY customers.id`

interface MarketRow {
  readonly id: number
  readonly code: string
  readonly stock_location_ids: readonly number[]
}

const MARKET_ROWS = `
  SELECT markets.id, markets.code, ARRAY (
      SELECT listed.stock_location_id FROM inventory_stock_locations AS listed
      WHERE listed.environment_id = markets.environment_id AND listed.inventory_model_id = markets.inventory_model_id
      ORDER BY listed.priority
    ) AS stock_location_ids
  FROM markets WHERE markets.environment_id = $1 AND markets.code = ANY ($2)
  ORDER BY markets.id`

export const readShop = async (
  client: PoolClient,
  environmentId: number,
  ids: PublicIdsOf,
): Promise<Shop> => {
  const promotions = await client.query<{ id: number; reference: string }>(
    `SELECT id, reference FROM promotions WHERE environment_id = $1 AND reference_origin = 'demo'`,
    [environmentId],
  )
  const shared = { ids, promotions: new Map(promotions.rows.map(({ id, reference }) => [reference, id])) }
  const buyers = (await client.query<Buyer>(BUYERS, [environmentId])).rows
  const codes = MARKETS.map(({ code }) => code)
  const { rows } = await client.query<MarketRow>(MARKET_ROWS, [environmentId, codes])
  const markets: ShopMarket[] = []
  for (const row of rows)
    markets.push({ ...(await readMarket(client, environmentId, row, buyers)), ...shared })
  const tags = await client.query<{ id: number }>(
    'SELECT id FROM tags WHERE environment_id = $1 ORDER BY id',
    [environmentId],
  )
  const stock = await client.query<{ id: number; address_id: number }>(
    'SELECT id, address_id FROM stock_locations WHERE environment_id = $1 ORDER BY id',
    [environmentId],
  )
  return {
    markets,
    tags: tags.rows.map(({ id }) => id),
    stockAddresses: new Map(stock.rows.map(({ id, address_id }) => [id, address_id])),
  }
}

const readMarket = async (
  client: PoolClient,
  environmentId: number,
  row: MarketRow,
  buyers: readonly Buyer[],
): Promise<Omit<ShopMarket, 'promotions' | 'ids'>> => {
  const blueprint = MARKETS.find(({ code }) => code === row.code)
  if (blueprint === undefined) throw new Error(`the demo has no market ${row.code}`)
  const key = [environmentId, row.id]
  const payment = await client.query<ShopPaymentMethod & { store_code: string | null }>(
    `SELECT payment_methods.id, payment_methods.name, price_amount_cents, payment_source_type, payment_methods.disabled_at, stores.code AS store_code
     FROM payment_methods LEFT JOIN stores
       ON stores.environment_id = payment_methods.environment_id AND stores.id = payment_methods.store_id
     WHERE payment_methods.environment_id = $1 AND payment_methods.market_id = $2 ORDER BY payment_methods.id`,
    key,
  )
  const shipping = await client.query<ShopShippingMethod>(
    `SELECT id, name, price_amount_cents, free_over_amount_cents FROM shipping_methods
     WHERE environment_id = $1 AND market_id = $2 ORDER BY id`,
    key,
  )
  const stores = await client.query<{ id: number; code: string; stock_location_id: number | null }>(
    'SELECT id, code, stock_location_id FROM stores WHERE environment_id = $1 AND market_id = $2 ORDER BY id',
    key,
  )
  const ofStore = (storeCode: string | null): readonly ShopPaymentMethod[] =>
    payment.rows
      .filter(({ store_code }) => store_code === storeCode)
      .map((method) => ({ ...method, weight: weightOf(method.name, PAYMENT_METHODS) }))
  return {
    id: row.id,
    blueprint,
    offers: (await client.query<Offer>(OFFERS, key)).rows,
    buyers: buyers.filter((buyer) => buysIn(buyer, blueprint)),
    paymentMethods: ofStore(null),
    shippingMethods: shipping.rows.map((method) => ({
      ...method,
      weight: weightOf(method.name, SHIPPING_METHODS),
    })),
    stockLocationIds: row.stock_location_ids,
    stores: stores.rows
      .filter(({ code }) => STORES.some((store) => store.code === code))
      .map(({ id, code, stock_location_id }) => ({ id, stock_location_id, paymentMethods: ofStore(code) })),
  }
}

const weightOf = (
  name: string,
  blueprints: readonly { readonly name: string; readonly weight: number }[],
): number => blueprints.find((blueprint) => blueprint.name === name)?.weight ?? 1

/** Private markets sell to their group, the others to everybody in their countries. */
const buysIn = (
  { country_code, group_code }: Buyer,
  { countries, customerGroup }: MarketBlueprint,
): boolean =>
  customerGroup === undefined
    ? countries.some(([code]) => code === country_code)
    : group_code === customerGroup

/** In hundred-millionths. */
export const taxRateOf = ({ country_code, state_code }: Buyer): number => {
  const country = COUNTRIES[country_code]
  return country?.taxRateByState?.[state_code ?? ''] ?? country?.taxRate ?? 0
}
