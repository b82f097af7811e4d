/** Makes and ends stock reservations. Counters move at once (move-stock.ts); new reservations are rows for the caller to write. */
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import { lockStockItems, moveStock } from './move-stock.ts'
import type { StockMovement, StockShortage, StockStep } from './move-stock.ts'

export interface WantedReservation {
  readonly stockItem: number
  readonly quantity: number
  readonly order?: number | null
  readonly lineItem?: number | null
  readonly stockLineItem?: number | null
  readonly stockTransfer?: number | null
  /** The units come into stock with it, so that there is always enough. */
  readonly isArriving?: boolean
  /** A draft ends then; without it the reservation is pending. */
  readonly expiresAt?: Date | null
}

export interface Reserved {
  /** What there is not enough of; then nothing is reserved. */
  readonly shortages: readonly StockShortage[]
  readonly writes: readonly RowWrite[]
}

/** All or nothing. */
export const reserve = async (wanted: readonly WantedReservation[], step: StockStep): Promise<Reserved> => {
  const { shortages, items } = await moveStock(
    wanted.map(({ stockItem, quantity, isArriving = false }) => ({
      stockItem,
      reserved: quantity,
      quantity: isArriving ? quantity : 0,
    })),
    step,
  )
  if (shortages.length > 0) return { shortages, writes: [] }
  return { shortages, writes: wanted.map((each) => reservationWrite(each, items.get(each.stockItem), step)) }
}

const reservationWrite = (
  wanted: WantedReservation,
  item: { readonly reservedStock: number; readonly sku: number } | undefined,
  { registry }: StockStep,
): RowWrite => ({
  definition: registry.require('stock_reservations'),
  before: undefined,
  columns: {
    status: (wanted.expiresAt ?? null) === null ? 'pending' : 'draft',
    quantity: wanted.quantity,
    expires_at: wanted.expiresAt ?? null,
    stock_item_id: wanted.stockItem,
    reserved_stock_id: item?.reservedStock,
    sku_id: item?.sku,
    order_id: wanted.order ?? null,
    line_item_id: wanted.lineItem ?? null,
    stock_line_item_id: wanted.stockLineItem ?? null,
    stock_transfer_id: wanted.stockTransfer ?? null,
  },
})

/** Which reservations: rows whose column has one of these numbers. */
export interface ReservationsOf {
  readonly column: 'id' | 'order_id' | 'line_item_id' | 'stock_line_item_id' | 'stock_transfer_id'
  readonly numbers: readonly number[]
  /** Only those that are expired then. */
  readonly expiredAt?: Date
  /** Only drafts, or only pending ones. */
  readonly status?: 'draft' | 'pending'
}

const select = (
  { column, numbers, expiredAt, status }: ReservationsOf,
  { run, scope }: StockStep,
): Promise<readonly RowOf<'StockReservation'>[]> => {
  const text = `SELECT * FROM stock_reservations WHERE environment_id = $1 AND ${column} = ANY($2::bigint[])
    AND ($3::timestamptz IS NULL OR expires_at <= $3) AND ($4::text IS NULL OR status = $4) ORDER BY id`
  return run<RowOf<'StockReservation'>>({
    text,
    values: [scope.environmentId, numbers, expiredAt ?? null, status ?? null],
  })
}

/**
 * Ends reservations at once and returns what they were. They are read again once their stock items are locked, so that of two
 * writers one ends them. `taken` says what of each leaves the stock too.
 */
export const release = async (
  which: ReservationsOf,
  step: StockStep,
  taken: 'kept' | 'taken' = 'kept',
): Promise<readonly RowOf<'StockReservation'>[]> => {
  if (which.numbers.length === 0) return []
  const found = await select(which, step)
  if (found.length === 0) return []
  await lockStockItems(
    found.map((row) => row.stock_item_id),
    step,
  )
  const locked = await select(which, step)
  const numbers = new Set(found.map(numberOf))
  const ended = locked.filter((row) => numbers.has(numberOf(row)))
  const definition = step.registry.require('stock_reservations')
  await persist(
    ended.map((before) => ({ definition, before, columns: undefined })),
    { run: step.run, registry: step.registry, environmentId: step.scope.environmentId, actor: step.actor },
  )
  await moveStock(
    ended.map((row): StockMovement => ({
      stockItem: row.stock_item_id,
      reserved: -row.quantity,
      ...(taken === 'taken' ? { quantity: -row.quantity } : {}),
    })),
    step,
  )
  return ended
}
