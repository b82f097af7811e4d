/** Reads what the shipments of an order follow from: its SKUs, the stock of its market, and the shipments that it has. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { availabilityColumns, availabilityOf } from '../inventory/availability.ts'
import type { Availability, AvailabilityRow } from '../inventory/availability.ts'
import { gramsOf } from './weight.ts'

export interface OrderedSku {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly image_url: string | null
  readonly category: number
  readonly do_not_ship: boolean
  readonly do_not_track: boolean
  readonly grams: number
}

export interface OrderStock {
  readonly availability: Availability
  readonly skus: ReadonlyMap<number, OrderedSku>
  readonly address: Row | undefined
  readonly defaultMethod: number | null
  readonly costCutoff: number | null
  readonly shipments: readonly RowOf<'Shipment'>[]
  readonly stockLines: readonly RowOf<'StockLineItem'>[]
  readonly transfers: readonly RowOf<'StockTransfer'>[]
  /** Line item → the code of its bundle. */
  readonly bundleCodes: ReadonlyMap<number, string | null>
}

export interface OrderPlace {
  readonly order: number
  readonly market: number
  readonly store: number | null
  readonly address: number | null
  readonly skus: readonly number[]
  /** Line items that have or had stock line items. */
  readonly lines: readonly number[]
  readonly bundleCodes: OrderStock['bundleCodes']
}

interface FactsRow extends AvailabilityRow {
  readonly default_shipping_method_id: number | null
  readonly shipping_cost_cutoff: number | null
  readonly address: Row | null
  readonly skus: readonly OrderedSku[]
  readonly has_shipments: boolean
  readonly has_stock_lines: boolean
  readonly has_transfers: boolean
}

const FACTS = `SELECT ${availabilityColumns('$4::bigint[]', '$5::bigint')},
    markets.default_shipping_method_id, markets.shipping_cost_cutoff,
    (SELECT to_jsonb(addresses) FROM addresses WHERE environment_id = $1 AND id = $6) AS address,
    (SELECT coalesce(json_agg(json_build_object('id', skus.id, 'code', skus.code, 'name', skus.name,
        'image_url', skus.image_url, 'category', skus.shipping_category_id, 'do_not_ship', skus.do_not_ship,
        'do_not_track', skus.do_not_track, 'grams', ${gramsOf('skus')})), '[]')
      FROM skus WHERE skus.environment_id = $1 AND skus.id = ANY($4::bigint[])) AS skus,
    EXISTS (SELECT 1 FROM shipments WHERE environment_id = $1 AND order_id = $5) AS has_shipments,
    EXISTS (SELECT 1 FROM stock_line_items WHERE environment_id = $1 AND line_item_id = ANY($7::bigint[])) AS has_stock_lines,
    EXISTS (SELECT 1 FROM stock_transfers WHERE environment_id = $1 AND line_item_id = ANY($7::bigint[])) AS has_transfers
  FROM markets
  JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
  LEFT JOIN stores ON stores.environment_id = $1 AND stores.id = $3
  WHERE markets.environment_id = $1 AND markets.id = $2`

export const readOrderStock = async (
  { order, market, store, address, skus, lines, bundleCodes }: OrderPlace,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<OrderStock> => {
  const values = [scope.environmentId, market, store, skus, order, address, lines]
  const [facts] = await run<FactsRow>({ text: FACTS, values, name: 'order_stock' })
  if (facts === undefined) throw new Error('an order has no market')
  const rowsOf = <R extends Row>(
    isThere: boolean,
    table: string,
    column: string,
    numbers: readonly number[],
  ) =>
    isThere
      ? run<R>({
          text: `SELECT * FROM ${table} WHERE environment_id = $1 AND ${column} = ANY($2::bigint[]) ORDER BY id`,
          values: [scope.environmentId, numbers],
        })
      : []
  return {
    bundleCodes,
    availability: availabilityOf(facts, scope.stockLocationId),
    skus: new Map(facts.skus.map((sku) => [sku.id, sku])),
    address: facts.address ?? undefined,
    defaultMethod: facts.default_shipping_method_id,
    costCutoff: facts.shipping_cost_cutoff,
    shipments: await rowsOf<RowOf<'Shipment'>>(facts.has_shipments, 'shipments', 'order_id', [order]),
    stockLines: await rowsOf<RowOf<'StockLineItem'>>(
      facts.has_stock_lines,
      'stock_line_items',
      'line_item_id',
      lines,
    ),
    transfers: await rowsOf<RowOf<'StockTransfer'>>(
      facts.has_transfers,
      'stock_transfers',
      'line_item_id',
      lines,
    ),
  }
}
