/** The stock line items and transfers that a plan needs, against those that an order has. */
import type { RowOf } from '../engine/database/rows.ts'
import type { Registry } from '../engine/registry.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { OrderStock } from './read-order-stock.ts'
import type { PlannedUnits } from './strategies/plan.ts'

/** Units of a shipment, or of none; `destination` is where a transfer brings them. */
export interface UnitsOfShipment {
  readonly units: PlannedUnits
  readonly shipment: number | null
  readonly destination?: number
}

export interface RowChanges<R> {
  /** Rows that the plan has no more. */
  readonly gone: readonly R[]
  /** Rows that stay with another quantity, as they were. */
  readonly changed: readonly R[]
  readonly writes: readonly RowWrite[]
}

type Columns = Readonly<Record<string, unknown>> & { readonly quantity: number }

/** Rows of the same key stay; only their quantity may change. */
const changesOf = <R extends { readonly id: number; readonly quantity: number }>(
  rows: readonly R[],
  wanted: readonly Columns[],
  key: readonly string[],
  write: Pick<RowWrite, 'definition' | 'topics'>,
  ofChanged: Readonly<Record<string, unknown>> = {},
): RowChanges<R> => {
  const keyOf = (row: Readonly<Record<string, unknown>>): string => key.map((column) => row[column]).join()
  const left = new Map(rows.map((row) => [keyOf(row), row]))
  const changed: RowChanges<R>['changed'][number][] = []
  const { definition, topics = [] } = write
  const writes = wanted.flatMap((columns): readonly RowWrite[] => {
    const before = left.get(keyOf(columns))
    left.delete(keyOf(columns))
    if (before === undefined) return [{ definition, before, columns, topics }]
    if (before.quantity === columns.quantity) return []
    changed.push(before)
    return [
      { definition, number: numberOf(before), before, columns: { quantity: columns.quantity, ...ofChanged } },
    ]
  })
  return { gone: [...left.values()], changed, writes }
}

const describe = (sku: number, { skus }: OrderStock) => {
  const { code = '', name = null, image_url = null } = skus.get(sku) ?? {}
  return { sku_id: sku, sku_code: code, name, image_url }
}

export const stockLineChanges = (
  wanted: readonly UnitsOfShipment[],
  stock: OrderStock,
  registry: Registry,
): RowChanges<RowOf<'StockLineItem'>> => {
  const itemAt = new Map(stock.availability.places.map(({ location, units }) => [location, units]))
  return changesOf(
    stock.stockLines,
    wanted.map(({ units: { line, sku, quantity, isTracked, origin }, shipment }) => ({
      ...describe(sku, stock),
      bundle_code: stock.bundleCodes.get(line) ?? null,
      quantity,
      shipment_id: shipment,
      line_item_id: line,
      stock_item_id: isTracked ? (itemAt.get(origin)?.get(sku)?.stockItem ?? null) : null,
    })),
    ['shipment_id', 'line_item_id', 'sku_id', 'stock_item_id'],
    { definition: registry.require('stock_line_items') },
  )
}

export const transferChanges = (
  wanted: readonly UnitsOfShipment[],
  stock: OrderStock,
  registry: Registry,
): RowChanges<RowOf<'StockTransfer'>> =>
  changesOf(
    stock.transfers,
    wanted.map(({ units: { line, sku, quantity, origin }, shipment, destination }) => {
      const { sku_id, sku_code } = describe(sku, stock)
      return {
        sku_id,
        sku_code,
        quantity,
        status: 'draft',
        origin_stock_location_id: origin,
        destination_stock_location_id: destination,
        shipment_id: shipment,
        line_item_id: line,
      }
    }),
    ['shipment_id', 'line_item_id', 'sku_id', 'origin_stock_location_id', 'destination_stock_location_id'],
    { definition: registry.require('stock_transfers'), topics: ['stock_transfers.create'] },
    // It is announced again with its new quantity.
    { status: 'draft' },
  )
