/**
 * What a market can deliver of SKUs, location by location: what is there less what is promised to others. The columns are
 * part of the statements that need them, so that availability costs no statement of its own.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { countedLocations, rankedLocations } from './counted-locations.ts'

/** Of a stock item as `items`, from the left joined with what is `reserved` of it. */
export const UNRESERVED = 'items.quantity - coalesce(reserved.quantity, 0)'

/**
 * Columns of a statement with the tables `models` (inventory_models) and, joined from the left, `stores`. `skus` and `order`
 * are expressions: the numbers of the SKUs, and of the order whose own reservations do not count against it, or NULL.
 */
export const availabilityColumns = (skus: string, order: string): string => `
  models.strategy, models.stock_locations_cutoff AS cutoff, stores.stock_location_id AS own_location,
  (SELECT coalesce(json_agg(json_build_object('id', listed.id, 'location', listed.stock_location_id, 'on_hold', listed.on_hold)
      ORDER BY listed.priority, listed.id), '[]')
    FROM inventory_stock_locations AS listed
    WHERE listed.environment_id = $1 AND listed.inventory_model_id = models.id) AS listed_locations,
  (SELECT coalesce(json_agg(json_build_object('id', items.id, 'sku', items.sku_id, 'location', items.stock_location_id,
      'available', ${UNRESERVED} + CASE WHEN reserved.quantity > 0 THEN (
        SELECT coalesce(sum(own.quantity), 0) FROM stock_reservations AS own WHERE own.environment_id = $1
          AND own.stock_item_id = items.id AND (own.order_id = ${order} OR own.line_item_id IN (
            SELECT id FROM line_items WHERE environment_id = $1 AND order_id = ${order}))) ELSE 0 END)), '[]')
    FROM stock_items AS items
    LEFT JOIN reserved_stocks AS reserved ON reserved.environment_id = $1 AND reserved.stock_item_id = items.id
    WHERE items.environment_id = $1 AND items.sku_id = ANY(${skus})
      AND (items.stock_location_id = stores.stock_location_id OR EXISTS (
        SELECT 1 FROM inventory_stock_locations AS listed WHERE listed.environment_id = $1
          AND listed.inventory_model_id = models.id AND listed.stock_location_id = items.stock_location_id))
  ) AS stocked_items`

/** What the columns return. */
export interface AvailabilityRow extends Row {
  readonly strategy: string
  readonly cutoff: number
  readonly own_location: number | null
  readonly listed_locations: readonly {
    readonly id: number
    readonly location: number
    readonly on_hold: boolean
  }[]
  readonly stocked_items: readonly {
    readonly id: number
    readonly sku: number
    readonly location: number
    readonly available: number
  }[]
}

export interface StockedUnits {
  readonly stockItem: number
  /** Zero or more. */
  readonly available: number
}

export interface StockPlace {
  readonly location: number
  /** Of the inventory model; null for the location of a store that the model does not have. */
  readonly inventoryLocation: number | null
  readonly isOnHold: boolean
  /** SKU → what of it is here. */
  readonly units: ReadonlyMap<number, StockedUnits>
}

export interface Availability {
  readonly strategy: string
  /** The locations that goods are taken from, best first. */
  readonly places: readonly StockPlace[]
  /** SKUs with a stock item in any location of the market, whatever its quantity (contract, Resources). */
  readonly stocked: ReadonlySet<number>
}

/** `only` is the stock location in scope. */
export const availabilityOf = (row: AvailabilityRow, only: number | undefined): Availability => {
  const { strategy, cutoff, own_location: own, stocked_items: items } = row
  const listed = new Map(row.listed_locations.map((each) => [each.location, each]))
  const ranking = { strategy, cutoff, own, only, listed: [...listed.keys()] }
  const ranked = new Set(rankedLocations(ranking))
  const byLocation = Map.groupBy(items, ({ location }) => location)
  return {
    strategy,
    places: countedLocations(ranking).map((location) => ({
      location,
      inventoryLocation: listed.get(location)?.id ?? null,
      isOnHold: listed.get(location)?.on_hold ?? false,
      units: new Map(
        (byLocation.get(location) ?? []).map(({ id, sku, available }) => [
          sku,
          { stockItem: id, available: Math.max(0, available) },
        ]),
      ),
    })),
    stocked: new Set(items.filter(({ location }) => ranked.has(location)).map(({ sku }) => sku)),
  }
}

/** How many units of the SKU there are in all places together. */
export const availableUnits = ({ places }: Pick<Availability, 'places'>, sku: number): number =>
  places.reduce((sum, { units }) => sum + (units.get(sku)?.available ?? 0), 0)
