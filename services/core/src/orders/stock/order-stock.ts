/** The stock of an order that is placed: what its lines need, what is planned for them, and where it is. */
import type { Row } from '@merx/jsonapi/attributes'
import { partsOfLines } from '../../catalogue/parts-of-lines.ts'
import type { PartOfLine } from '../../catalogue/parts-of-lines.ts'
import { columnsOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { numberOf } from '../../engine/write/persist.ts'
import { lockStockItems } from '../../inventory/move-stock.ts'
import type { StockStep } from '../../inventory/move-stock.ts'
import type { LineOfSku } from './plan-stock.ts'
import { readStockPlaces } from './stock-places.ts'
import type { StockPlace } from './stock-places.ts'

export type StockedSku = Pick<
  RowOf<'Sku'>,
  'id' | 'code' | 'name' | 'image_url' | 'do_not_ship' | 'do_not_track'
>

/** What an order wants, and where it is. */
export interface OrderedStock {
  readonly order: number
  readonly skus: ReadonlyMap<number, StockedSku>
  readonly lines: readonly LineOfSku[]
  readonly places: readonly StockPlace[]
}

export interface OrderStock extends OrderedStock {
  /** Of shipments that are not cancelled, and of none. */
  readonly stockLines: readonly RowOf<'StockLineItem'>[]
  /** What comes from elsewhere for a shipment of the order, and is or will be reserved there. */
  readonly transfers: readonly RowOf<'StockTransfer'>[]
}

/** As it is now; nothing of it is locked. */
export const readOrdered = async (
  order: number,
  lines: readonly Row[],
  step: Pick<StockStep, 'run' | 'scope'>,
): Promise<OrderedStock> => {
  const parts = await partsOfLines(lines, step)
  const numbers = [...new Set(parts.map(({ sku }) => sku))]
  if (numbers.length === 0) return { order, skus: new Map(), lines: [], places: [] }
  const [skus, places] = await Promise.all([readSkus(numbers, step), readStockPlaces(order, numbers, step)])
  return { order, skus, lines: linesOfSkus(parts, skus), places }
}

/** Locks every stock item that the order may take from or has taken from, in one step (docs/adr/0078). The order is locked. */
export const lockOrderStock = async (ordered: OrderedStock, step: StockStep): Promise<OrderStock> => {
  const values = [step.scope.environmentId, ordered.order]
  const held = await step.run<{ readonly stock_item_id: number }>({ text: HELD_ITEMS, values })
  const items = [...ordered.places.map(({ id }) => id), ...held.map((row) => row.stock_item_id)]
  // Sent at once; what is read is as it was left by whoever held the lock before.
  const [, stock] = await Promise.all([lockStockItems(items, step), readPlanned(ordered, step)])
  return stock
}

/** What is planned and what is there: after the lock, and again after something was planned again. */
export const readPlanned = async (ordered: OrderedStock, step: StockStep): Promise<OrderStock> => {
  const [stockLines, transfers, places] = await Promise.all([
    readStockLines(ordered.lines, step),
    readTransfers(ordered.order, step),
    readStockPlaces(ordered.order, [...ordered.skus.keys()], step),
  ])
  return { ...ordered, stockLines, transfers, places }
}

const HELD_ITEMS = `SELECT stock_item_id FROM stock_reservations WHERE environment_id = $1 AND order_id = $2
  UNION SELECT held.stock_item_id FROM line_items
    JOIN stock_line_items AS held ON held.environment_id = $1 AND held.line_item_id = line_items.id
    WHERE line_items.environment_id = $1 AND line_items.order_id = $2 AND held.stock_item_id IS NOT NULL`

const readSkus = async (
  numbers: readonly number[],
  { run, scope }: Pick<StockStep, 'run' | 'scope'>,
): Promise<ReadonlyMap<number, StockedSku>> => {
  const skus = await run<StockedSku>({
    text: `SELECT id, code, name, image_url, do_not_ship, do_not_track FROM skus
      WHERE environment_id = $1 AND id = ANY($2::bigint[]) ORDER BY id`,
    values: [scope.environmentId, numbers],
  })
  return new Map(skus.map((sku) => [sku.id, sku]))
}

/** The line of a bundle is there once for each of its SKUs. */
const linesOfSkus = (
  parts: readonly PartOfLine[],
  skus: ReadonlyMap<number, StockedSku>,
): readonly LineOfSku[] =>
  parts.flatMap(({ line, sku: number, quantity }) => {
    const sku = skus.get(number)
    if (sku === undefined) return []
    const { bundle_code: bundleCode = null } = columnsOf('LineItem', line)
    return [{ line: numberOf(line), sku: number, quantity, isTracked: !sku.do_not_track, bundleCode }]
  })

const STOCK_LINES = `SELECT stock_line_items.* FROM stock_line_items
  LEFT JOIN shipments ON shipments.environment_id = $1 AND shipments.id = stock_line_items.shipment_id
  WHERE stock_line_items.environment_id = $1 AND line_item_id = ANY($2::bigint[])
    AND shipments.status IS DISTINCT FROM 'cancelled'
  ORDER BY stock_line_items.id`

const readStockLines = (
  lines: readonly LineOfSku[],
  { run, scope }: StockStep,
): Promise<readonly RowOf<'StockLineItem'>[]> =>
  run<RowOf<'StockLineItem'>>({
    text: STOCK_LINES,
    values: [scope.environmentId, lines.map(({ line }) => line)],
  })

const readTransfers = (
  order: number,
  { run, scope }: StockStep,
): Promise<readonly RowOf<'StockTransfer'>[]> =>
  run<RowOf<'StockTransfer'>>({
    text: `SELECT transfers.* FROM shipments
      JOIN stock_transfers AS transfers ON transfers.environment_id = $1 AND transfers.shipment_id = shipments.id
      WHERE shipments.environment_id = $1 AND shipments.order_id = $2 AND transfers.status NOT IN ('completed', 'cancelled')
      ORDER BY transfers.id`,
    values: [scope.environmentId, order],
  })
