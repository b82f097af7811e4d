/**
 * `skus.inventory`: what the market in scope can deliver, location by location in the order of their priority, and how long
 * its shipping methods take from there (lifecycles.md 4.1). Without a market in scope there is none.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { formatMoney } from '@merx/jsonapi/money'
import type { AttributeLoader } from '../engine/area.ts'
import { rowOf } from '../engine/database/rows.ts'
import { UNRESERVED } from './availability.ts'

interface Span {
  readonly hours: number
  readonly days: number
}

interface LeadTime {
  readonly shipping_method: Readonly<Record<string, string | number | null>>
  readonly min: Span
  readonly max: Span
}

interface Level {
  readonly quantity: number
  readonly delivery_lead_times: readonly LeadTime[]
}

export interface Inventory {
  readonly available: boolean
  readonly quantity: number
  readonly levels: readonly Level[]
}

/** Methods of the market or of none, in its currency. */
const LEVELS = `SELECT greatest(0, ${UNRESERVED}) AS quantity,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
        'name', methods.name, 'reference', methods.reference, 'currency', methods.currency_code,
        'price', methods.price_amount_cents, 'free_over', methods.free_over_amount_cents,
        'min', jsonb_build_object('hours', times.min_hours, 'days', times.min_days),
        'max', jsonb_build_object('hours', times.max_hours, 'days', times.max_days)) ORDER BY times.id), '[]')
      FROM delivery_lead_times AS times
      JOIN shipping_methods AS methods ON methods.environment_id = $1 AND methods.id = times.shipping_method_id
      WHERE times.environment_id = $1 AND times.stock_location_id = items.stock_location_id
        AND methods.disabled_at IS NULL AND methods.currency_code = $5
        AND (methods.market_id IS NULL OR methods.market_id = $4)
        AND (methods.stock_location_id IS NULL OR methods.stock_location_id = items.stock_location_id)) AS lead_times
  FROM unnest($3::bigint[]) WITH ORDINALITY AS wanted (stock_location_id, position)
  JOIN stock_items AS items ON items.environment_id = $1 AND items.sku_id = $2
    AND items.stock_location_id = wanted.stock_location_id
  LEFT JOIN reserved_stocks AS reserved ON reserved.environment_id = $1 AND reserved.stock_item_id = items.id
  ORDER BY wanted.position`

interface LevelRow extends Row {
  readonly quantity: number
  readonly lead_times: readonly {
    readonly name: string
    readonly reference: string | null
    readonly currency: string
    readonly price: number
    readonly free_over: number | null
    readonly min: Span
    readonly max: Span
  }[]
}

export const skuInventory: AttributeLoader = async (sku, { run, scope }): Promise<Inventory | null> => {
  const [market] = scope.markets ?? []
  if (scope.inventory === undefined || market === undefined) return null
  const locations = scope.inventory.stockLocationIds
  const values = [scope.environmentId, sku.number, locations, market.id, market.currencyCode]
  const rows = await run<LevelRow>({ text: LEVELS, values, name: 'sku_inventory' })
  const levels = rows.map(toLevel)
  const quantity = levels.reduce((sum, level) => sum + level.quantity, 0)
  return { available: quantity > 0 || rowOf('Sku', sku.row).do_not_track, quantity, levels }
}

const toLevel = ({ quantity, lead_times: times }: LevelRow): Level => ({
  quantity,
  delivery_lead_times: times.map(({ name, reference, currency, price, free_over: freeOver, min, max }) => ({
    shipping_method: {
      name,
      reference,
      price_amount_cents: price,
      free_over_amount_cents: freeOver,
      formatted_price_amount: formatMoney(price, currency),
      formatted_free_over_amount: freeOver === null ? null : formatMoney(freeOver, currency),
    },
    min,
    max,
  })),
})
