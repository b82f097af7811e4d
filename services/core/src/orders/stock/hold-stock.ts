/**
 * Promises stock to an order that is placed: every line of a SKU has stock line items, and each of those that take from a stock
 * item has a pending reservation. Order and stock items are locked (order-stock.ts).
 */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../../engine/database/rows.ts'
import { reserveNumbers } from '../../engine/sql/reserve-numbers.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import type { StockStep } from '../../inventory/move-stock.ts'
import { outOfStockOf } from '../../inventory/out-of-stock.ts'
import { release, reserve } from '../../inventory/reservations.ts'
import { announceTransfer } from '../../inventory/stock-transfer-workflow.ts'
import type { OrderStock, StockedSku } from './order-stock.ts'
import { outOfStockIn } from './out-of-stock.ts'
import { allocateStock, matchReservations } from './plan-stock.ts'
import type { Share } from './plan-stock.ts'

export interface HeldStock {
  /** What there is not enough of; then the write must fail. */
  readonly violations: readonly WriteViolation[]
  readonly writes: readonly RowWrite[]
}

export const holdStock = async (
  stock: OrderStock,
  step: StockStep & Pick<ReactionStep, 'now'>,
): Promise<HeldStock> => {
  const { order, skus, lines, stockLines, places, transfers } = stock
  const covers = [...stockLines, ...transfers.map((transfer) => ({ ...transfer, stock_item_id: null }))]
  const allocated = allocateStock(lines, covers, places)
  const violations = outOfStockIn(stock, allocated)
  if (violations.length > 0) return { violations, writes: [] }
  const codes = new Map(lines.map(({ line, bundleCode = null }) => [line, bundleCode]))
  const added = await newStockLines(allocated.shares, skus, codes, step)
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
  const announced = await announceAll(
    transfers.filter(({ status }) => status === 'draft'),
    step,
  )
  return {
    violations: announced.violations,
    writes: [...added.map(({ write }) => write), ...reserved.writes, ...announced.writes],
  }
}

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

/** Of what no shipment takes. */
const newStockLines = async (
  shares: readonly Share[],
  skus: ReadonlyMap<number, StockedSku>,
  bundleCodes: ReadonlyMap<number, string | null>,
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
      bundle_code: bundleCodes.get(share.line) ?? null,
      name: sku?.name ?? null,
      image_url: sku?.image_url ?? null,
      quantity: share.quantity,
      stock_item_id: share.stockItem,
      line_item_id: share.line,
    }
    return { share, number, write: { definition, number, before: undefined, columns } }
  })
}
