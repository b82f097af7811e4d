/**
 * Promises stock to an order that is placed: every line of a SKU has stock line items, and each of those that take from a stock
 * item has a pending reservation. The order is locked; all stock items are locked here, in one step (docs/adr/0078).
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { reserveNumbers } from '../../engine/sql/reserve-numbers.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { lockStockItems } from '../../inventory/move-stock.ts'
import type { StockStep } from '../../inventory/move-stock.ts'
import { release, reserve } from '../../inventory/reservations.ts'
import { announceTransfer } from '../../inventory/stock-transfer-workflow.ts'
import { outOfStockOf } from '../placeable/stock.ts'
import { allocateStock, matchReservations } from './plan-stock.ts'
import type { LineOfSku, Share } from './plan-stock.ts'
import { readStockPlaces } from './stock-places.ts'

export interface HeldStock {
  /** What there is not enough of; then the write must fail. */
  readonly violations: readonly WriteViolation[]
  readonly writes: readonly RowWrite[]
}

type Sku = Pick<RowOf<'Sku'>, 'id' | 'code' | 'name' | 'image_url' | 'do_not_track'>

export const holdStock = async (
  order: number,
  lines: readonly Row[],
  step: StockStep & Pick<ReactionStep, 'now'>,
): Promise<HeldStock> => {
  const skus = await readSkus(lines, step)
  const wanted = linesOfSkus(lines, skus)
  await lockItems(order, [...skus.keys()], step)
  const stockLines = await readStockLines(wanted, step)
  const places = await readStockPlaces(order, [...skus.keys()], step)
  const transfers = await readTransfers(order, step)
  const covers = [...stockLines, ...transfers.map((transfer) => ({ ...transfer, stock_item_id: null }))]
  const { shares, shortages } = allocateStock(wanted, covers, places)
  if (shortages.length > 0) {
    const violations = shortages.map(({ sku, quantity, missing }) =>
      outOfStockOf(skus.get(sku)?.code ?? '', quantity, quantity - missing),
    )
    return { violations, writes: [] }
  }
  const added = await newStockLines(shares, skus, step)
  const held = [
    ...stockLines.map((row) => ({
      line: row.line_item_id ?? 0,
      stockItem: row.stock_item_id,
      quantity: row.quantity,
      stockLine: row.id,
      code: row.sku_code,
    })),
    ...added.map(({ number, share, write }) => ({
      ...share,
      stockLine: number,
      code: write.columns.sku_code,
    })),
  ]
  const reserved = await reserveAll(order, held.filter(isOfStock), step)
  if (reserved.violations.length > 0) return { violations: reserved.violations, writes: [] }
  const announced = await announceAll(transfers, step)
  return {
    violations: announced.violations,
    writes: [...added.map(({ write }) => write), ...reserved.writes, ...announced.writes],
  }
}

/** What comes from elsewhere for a shipment of the order, and is reserved there. */
const readTransfers = (
  order: number,
  { run, scope }: StockStep,
): Promise<readonly RowOf<'StockTransfer'>[]> =>
  run<RowOf<'StockTransfer'>>({
    text: `SELECT transfers.* FROM shipments
      JOIN stock_transfers AS transfers ON transfers.environment_id = $1 AND transfers.shipment_id = shipments.id
      WHERE shipments.environment_id = $1 AND shipments.order_id = $2 AND transfers.status = 'draft'
      ORDER BY transfers.id`,
    values: [scope.environmentId, order],
  })

const announceAll = async (
  transfers: readonly RowOf<'StockTransfer'>[],
  step: StockStep & Pick<ReactionStep, 'now'>,
): Promise<HeldStock> => {
  const writes: RowWrite[] = []
  for (const transfer of transfers) {
    const announced = await announceTransfer(transfer, step)
    if (announced.violations.length > 0)
      return { violations: [outOfStockOf(transfer.sku_code, transfer.quantity, 0)], writes: [] }
    writes.push(...announced.writes)
  }
  return { violations: [], writes }
}

/** Where the order may take stock from, and where it has something. */
const lockItems = async (order: number, skus: readonly number[], step: StockStep): Promise<void> => {
  const places = await readStockPlaces(order, skus, step)
  const held = await step.run<{ readonly stock_item_id: number }>({
    text: HELD_ITEMS,
    values: [step.scope.environmentId, order],
  })
  const items = [...places.map(({ id }) => id), ...held.map((row) => row.stock_item_id)]
  await lockStockItems(items, step)
}

const HELD_ITEMS = `SELECT stock_item_id FROM stock_reservations WHERE environment_id = $1 AND order_id = $2
  UNION SELECT held.stock_item_id FROM line_items
    JOIN stock_line_items AS held ON held.environment_id = $1 AND held.line_item_id = line_items.id
    WHERE line_items.environment_id = $1 AND line_items.order_id = $2 AND held.stock_item_id IS NOT NULL`

interface HeldLine {
  readonly line: number
  readonly stockItem: number | null
  readonly quantity: number
  readonly stockLine: number
  /** Of its SKU. */
  readonly code: string
}

const isOfStock = <Line extends HeldLine>(held: Line): held is Line & { readonly stockItem: number } =>
  held.stockItem !== null

/** Drafts that fit become pending, others of the order end, and what is missing is made. */
const reserveAll = async (
  order: number,
  held: readonly (HeldLine & { readonly stockItem: number })[],
  step: StockStep,
): Promise<HeldStock> => {
  const reservations = await step.run<RowOf<'StockReservation'>>({
    text: 'SELECT * FROM stock_reservations WHERE environment_id = $1 AND order_id = $2 ORDER BY id',
    values: [step.scope.environmentId, order],
  })
  const { kept, released, missing } = matchReservations(held, reservations)
  await release({ column: 'id', numbers: released.map(({ id }) => id) }, step)
  const { shortages, writes } = await reserve(
    missing.map(({ stockItem, quantity, line, stockLine }) => ({
      stockItem,
      quantity,
      order,
      lineItem: line,
      stockLineItem: stockLine,
    })),
    step,
  )
  const violations = shortages.map(({ stockItem, wanted, available }) =>
    outOfStockOf(held.find((each) => each.stockItem === stockItem)?.code ?? '', wanted, available),
  )
  const definition = step.registry.require('stock_reservations')
  const changed = kept.map(({ reservation, wanted }) => ({
    definition,
    before: reservations.find(({ id }) => id === reservation.id),
    columns: { status: 'pending', expires_at: null, stock_line_item_id: wanted.stockLine },
  }))
  return { violations, writes: [...changed, ...writes] }
}

const readSkus = async (
  lines: readonly Row[],
  { run, scope }: StockStep,
): Promise<ReadonlyMap<number, Sku>> => {
  const numbers = lines.flatMap((line) => {
    const { item_type: type, item_id: sku } = columnsOf('LineItem', line)
    return type === 'skus' && typeof sku === 'number' ? [sku] : []
  })
  const skus = await run<Sku>({
    text: `SELECT id, code, name, image_url, do_not_track FROM skus
      WHERE environment_id = $1 AND id = ANY($2::bigint[])`,
    values: [scope.environmentId, [...new Set(numbers)]],
  })
  return new Map(skus.map((sku) => [sku.id, sku]))
}

const linesOfSkus = (lines: readonly Row[], skus: ReadonlyMap<number, Sku>): readonly LineOfSku[] =>
  lines.flatMap((line) => {
    const { item_type: type, item_id: item, quantity = 0 } = columnsOf('LineItem', line)
    const sku = type === 'skus' ? skus.get(item ?? 0) : undefined
    if (sku === undefined) return []
    return [{ line: numberOf(line), sku: sku.id, quantity, isTracked: !sku.do_not_track }]
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

/** Of what no shipment takes. */
const newStockLines = async (
  shares: readonly Share[],
  skus: ReadonlyMap<number, Sku>,
  { run, registry }: StockStep,
) => {
  if (shares.length === 0) return []
  const reserved = await run(reserveNumbers('stock_line_items', shares.length))
  const definition = registry.require('stock_line_items')
  return shares.map((share, at) => {
    const number = numberOf(reserved[at] ?? {})
    const sku = skus.get(share.sku)
    const columns = {
      sku_id: share.sku,
      sku_code: sku?.code ?? '',
      name: sku?.name ?? null,
      image_url: sku?.image_url ?? null,
      quantity: share.quantity,
      stock_item_id: share.stockItem,
      line_item_id: share.line,
    }
    return { share, number, write: { definition, number, before: undefined, columns } }
  })
}
