/** Reads what decides which shipping methods a shipment may use and what they cost. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { preparedAs } from '../engine/sql/statement-names.ts'
import type { MethodFacts, ShipmentFacts, WeightTier } from './shipping-cost.ts'
import { gramsOf } from './weight.ts'

interface Place {
  readonly run: RunStatement
  readonly environmentId: number
}

/** A method, its zone as JSON, and its weight tiers. */
type MethodRow = RowOf<'ShippingMethod'> & {
  readonly zone: Row | null
  readonly tiers: readonly { readonly up_to: number | null; readonly price: number }[]
}

export interface NamedMethod extends MethodFacts {
  readonly name: string
  readonly row: RowOf<'ShippingMethod'>
}

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
): Promise<readonly NamedMethod[]> =>
  (
    await run<MethodRow>({
      text: METHODS,
      values: [environmentId, currencies, markets],
      ...preparedAs(METHODS),
    })
  ).map(toMethodFacts)

const toMethodFacts = (row: MethodRow): NamedMethod => ({
  row,
  id: row.id,
  name: row.name,
  scheme: row.scheme,
  currencyCode: row.currency_code,
  priceCents: row.price_amount_cents,
  freeOverCents: row.free_over_amount_cents,
  usesSubtotal: row.use_subtotal,
  minWeight: row.min_weight,
  maxWeight: row.max_weight,
  unitOfWeight: row.unit_of_weight,
  marketId: row.market_id,
  categoryId: row.shipping_category_id,
  stockLocationId: row.stock_location_id,
  isDisabled: row.disabled_at !== null,
  zone: row.zone ?? undefined,
  tiers: row.tiers.map(({ up_to: upTo, price }): WeightTier => ({ upTo, priceCents: price })),
})

export interface OpenShipment extends ShipmentFacts {
  readonly number: number
  readonly methodId: number | null
}

type OrderAmounts = Pick<
  RowOf<'Order'>,
  'subtotal_amount_cents' | 'discount_amount_cents' | 'adjustment_amount_cents'
>

type ShipmentRow = OrderAmounts &
  Pick<
    RowOf<'Shipment'>,
    'id' | 'currency_code' | 'shipping_category_id' | 'stock_location_id' | 'shipping_method_id'
  > &
  Pick<RowOf<'Order'>, 'market_id'> &
  Pick<RowOf<'Market'>, 'shipping_cost_cutoff'> &
  Pick<RowOf<'InventoryModel'>, 'strategy'> & {
    readonly address: Row | null
    readonly position: number
    readonly weight_grams: number
  }

/** One shipment is compared by =: PostgreSQL expects ten values of a list, and would plan the statement each time. */
const shipments = (
  isOne: boolean,
): string => `SELECT shipments.id, shipments.currency_code, shipments.shipping_category_id, shipments.stock_location_id,
    shipments.shipping_method_id, orders.market_id, markets.shipping_cost_cutoff, models.strategy,
    orders.subtotal_amount_cents, orders.discount_amount_cents, orders.adjustment_amount_cents,
    CASE WHEN addresses.id IS NULL THEN NULL ELSE to_jsonb(addresses) END AS address,
    (SELECT count(*) FROM shipments AS earlier WHERE earlier.environment_id = $1
      AND earlier.order_id = shipments.order_id AND earlier.id < shipments.id
      AND earlier.status <> 'cancelled') AS position,
    (SELECT coalesce(sum(parts.quantity * ${gramsOf('skus')}), 0)
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
  WHERE shipments.environment_id = $1 AND shipments.id = ${isOne ? '$2' : 'ANY($2::bigint[])'}
  ORDER BY shipments.id`

export const readShipments = async (
  numbers: readonly number[],
  { run, environmentId }: Place,
): Promise<readonly OpenShipment[]> => {
  const isOne = numbers.length === 1
  const text = shipments(isOne)
  const values = [environmentId, isOne ? numbers[0] : numbers]
  return (await run<ShipmentRow>({ text, values, ...preparedAs(text) })).map(toOpenShipment)
}

const toOpenShipment = (row: ShipmentRow): OpenShipment => ({
  number: row.id,
  methodId: row.shipping_method_id,
  currencyCode: row.currency_code,
  marketId: row.market_id,
  address: row.address ?? undefined,
  categoryId: row.shipping_category_id,
  stockLocationId: row.stock_location_id,
  ignoresCategory: row.strategy === 'no_split',
  weightGrams: row.weight_grams,
  ...amountsOf(row),
  position: row.position,
  costCutoff: row.shipping_cost_cutoff,
})

/** What `free_over` is compared with: neither shipping nor payment costs make shipping free. */
export const amountsOf = (order: OrderAmounts): Pick<ShipmentFacts, 'subtotalCents' | 'totalCents'> => {
  const { subtotal_amount_cents: subtotalCents, discount_amount_cents: discount } = order
  return { subtotalCents, totalCents: subtotalCents + discount + order.adjustment_amount_cents }
}
