/** Reads what decides which shipping methods a shipment may use and what they cost. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { MethodFacts, ShipmentFacts, WeightTier } from './shipping-cost.ts'

interface Place {
  readonly run: RunStatement
  readonly environmentId: number
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

const METHODS = `SELECT methods.*, to_jsonb(zones) AS zone,
    coalesce((SELECT jsonb_agg(jsonb_build_object('up_to', tiers.up_to, 'price', tiers.price_amount_cents))
      FROM shipping_method_tiers AS tiers
      WHERE tiers.environment_id = $1 AND tiers.shipping_method_id = methods.id), '[]') AS tiers
  FROM shipping_methods AS methods
  LEFT JOIN shipping_zones AS zones ON zones.environment_id = $1 AND zones.id = methods.shipping_zone_id
  WHERE methods.environment_id = $1 AND methods.disabled_at IS NULL AND methods.currency_code = ANY($2::text[])
    AND (methods.market_id IS NULL OR methods.market_id = ANY($3::bigint[]))
  ORDER BY methods.id`

/** Enabled methods of these currencies, of these markets or of none. */
export const readMethods = async (
  currencies: readonly string[],
  markets: readonly number[],
  { run, environmentId }: Place,
): Promise<readonly MethodFacts[]> =>
  (await run({ text: METHODS, values: [environmentId, currencies, markets] })).map(toMethodFacts)

const toMethodFacts = (row: Row): MethodFacts => ({
  id: Number(row['id']),
  scheme: String(row['scheme']),
  currencyCode: String(row['currency_code']),
  priceCents: Number(row['price_amount_cents']),
  freeOverCents: numberOrNull(row['free_over_amount_cents']),
  usesSubtotal: row['use_subtotal'] === true,
  minWeight: numberOrNull(row['min_weight']),
  maxWeight: numberOrNull(row['max_weight']),
  unitOfWeight: textOrNull(row['unit_of_weight']),
  marketId: numberOrNull(row['market_id']),
  categoryId: numberOrNull(row['shipping_category_id']),
  stockLocationId: numberOrNull(row['stock_location_id']),
  isDisabled: row['disabled_at'] !== null,
  zone: isRow(row['zone']) ? row['zone'] : undefined,
  tiers: Array.isArray(row['tiers']) ? row['tiers'].filter(isRow).map(toTier) : [],
})

const toTier = (tier: Row): WeightTier => ({
  upTo: numberOrNull(tier['up_to']),
  priceCents: Number(tier['price']),
})

export interface OpenShipment extends ShipmentFacts {
  readonly number: number
  readonly methodId: number | null
}

const SHIPMENTS = `SELECT shipments.id, shipments.currency_code, shipments.shipping_category_id, shipments.stock_location_id,
    shipments.shipping_method_id, orders.market_id, markets.shipping_cost_cutoff, models.strategy,
    orders.subtotal_amount_cents, orders.discount_amount_cents, orders.adjustment_amount_cents,
    CASE WHEN addresses.id IS NULL THEN NULL ELSE to_jsonb(addresses) END AS address,
    (SELECT count(*) FROM shipments AS earlier WHERE earlier.environment_id = $1
      AND earlier.order_id = shipments.order_id AND earlier.id < shipments.id
      AND earlier.status <> 'cancelled') AS position,
    (SELECT coalesce(sum(parts.quantity * skus.weight *
        CASE skus.unit_of_weight WHEN 'oz' THEN 28.349523125 WHEN 'lb' THEN 453.59237 ELSE 1 END), 0)
      FROM (
        SELECT sku_id, quantity FROM stock_line_items
        WHERE environment_id = $1 AND shipment_id = shipments.id
        UNION ALL
        SELECT sku_id, quantity FROM stock_transfers
        WHERE environment_id = $1 AND shipment_id = shipments.id AND status NOT IN ('completed', 'cancelled')
      ) AS parts JOIN skus ON skus.environment_id = $1 AND skus.id = parts.sku_id) AS weight_grams
  FROM shipments
  JOIN orders ON orders.environment_id = $1 AND orders.id = shipments.order_id
  JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
  JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
  LEFT JOIN addresses ON addresses.environment_id = $1
    AND addresses.id = coalesce(shipments.shipping_address_id, orders.shipping_address_id)
  WHERE shipments.environment_id = $1 AND shipments.id = ANY($2::bigint[])
  ORDER BY shipments.id`

export const readShipments = async (
  numbers: readonly number[],
  { run, environmentId }: Place,
): Promise<readonly OpenShipment[]> =>
  (await run({ text: SHIPMENTS, values: [environmentId, numbers] })).map(toOpenShipment)

const toOpenShipment = (row: Row): OpenShipment => ({
  number: Number(row['id']),
  methodId: numberOrNull(row['shipping_method_id']),
  currencyCode: String(row['currency_code']),
  marketId: Number(row['market_id']),
  address: isRow(row['address']) ? row['address'] : undefined,
  categoryId: numberOrNull(row['shipping_category_id']),
  stockLocationId: numberOrNull(row['stock_location_id']),
  ignoresCategory: row['strategy'] === 'no_split',
  weightGrams: Number(row['weight_grams']),
  ...amountsOf(row),
  position: Number(row['position']),
  costCutoff: numberOrNull(row['shipping_cost_cutoff']),
})

/** What `free_over` is compared with: neither shipping nor payment costs make shipping free. */
export const amountsOf = (order: Row): Pick<ShipmentFacts, 'subtotalCents' | 'totalCents'> => {
  const subtotalCents = Number(order['subtotal_amount_cents'] ?? 0)
  const others = Number(order['discount_amount_cents'] ?? 0) + Number(order['adjustment_amount_cents'] ?? 0)
  return { subtotalCents, totalCents: subtotalCents + others }
}
