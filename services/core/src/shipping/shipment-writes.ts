/** The writes that bring planned shipments about, with their stock line items and transfers. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { release, reserve } from '../inventory/reservations.ts'
import type { PricedShipment } from './price-shipments.ts'
import type { OrderStock } from './read-order-stock.ts'
import { stockLineChanges, transferChanges } from './stock-writes.ts'
import type { RowChanges, UnitsOfShipment } from './stock-writes.ts'
import type { PlannedUnits } from './strategies/plan.ts'

/** A shipment with a method, and what it costs. */
export interface ShippingCost {
  readonly shipment: number
  readonly name: string
  readonly costCents: number
}

export interface BuiltShipments {
  /** Of the shipments that have a method. */
  readonly costs: readonly ShippingCost[]
  readonly count: number
  /** To be written before the line items of the order. */
  readonly before: readonly RowWrite[]
  /** To be written after them. */
  readonly after: readonly RowWrite[]
}

export const shipmentWrites = async (
  order: Row,
  shipments: readonly PricedShipment[],
  unshipped: readonly UnitsOfShipment[],
  stock: OrderStock,
  step: WorkflowStep,
): Promise<BuiltShipments> => {
  const { registry } = step
  const lines = stockLineChanges(
    [
      ...shipments.flatMap(({ planned, number }) =>
        planned.stockLines.map((units) => ({ units, shipment: number })),
      ),
      ...unshipped,
    ],
    stock,
    registry,
  )
  const transfers = transferChanges(
    shipments.flatMap(({ planned, number }) =>
      planned.transfers.map((units) => ({ units, shipment: number, destination: planned.location })),
    ),
    stock,
    registry,
  )
  // Only an order that was placed has reserved what it is planned to get.
  const units = [
    ...shipments.flatMap(({ planned }) => [...planned.stockLines, ...planned.transfers]),
    ...unshipped.map((each) => each.units),
  ]
  const reserved =
    order['status'] === 'editing'
      ? await keepReserved(numberOf(order), units, { stockLines: lines, transfers }, step)
      : []
  const definition = registry.require('shipments')
  const kept = new Set(shipments.map(({ number }) => number))
  const unneeded = stock.shipments.filter(({ id }) => !kept.has(id))
  const remove = (type: string, rows: readonly Row[], topics: readonly string[] = []): readonly RowWrite[] =>
    rows.map((before) => ({ definition: registry.require(type), before, columns: undefined, topics }))
  return {
    count: shipments.length,
    costs: shipments.flatMap(({ number, method, costCents }) =>
      method === undefined ? [] : [{ shipment: number, name: method.name, costCents }],
    ),
    before: [
      ...remove('stock_line_items', lines.gone),
      ...remove('stock_transfers', transfers.gone, ['stock_transfers.destroy']),
      ...shipments.flatMap((each) => shipmentWrite(each, definition)),
    ],
    after: [...remove('shipments', unneeded), ...lines.writes, ...transfers.writes, ...reserved],
  }
}

interface StockChanges {
  readonly stockLines: RowChanges<RowOf<'StockLineItem'>>
  readonly transfers: RowChanges<RowOf<'StockTransfer'>>
}

/**
 * What is reserved stays where it is, as far as its line still needs it, so that nobody else takes it while the order is edited,
 * wherever it is planned to come from now. When editing stops, what is reserved follows the plan.
 */
const keepReserved = async (
  order: number,
  units: readonly PlannedUnits[],
  { stockLines, transfers }: StockChanges,
  step: WorkflowStep,
): Promise<readonly RowWrite[]> => {
  const moved = [stockLines, transfers].flatMap(({ gone, changed }) => [...gone, ...changed])
  const lines = new Set(moved.flatMap(({ line_item_id: line }) => (line === null ? [] : [line])))
  const ended = await release({ column: 'line_item_id', numbers: [...lines] }, step)
  const goneLines = new Set(stockLines.gone.map(({ id }) => id))
  const goneTransfers = new Set(transfers.gone.map(({ id }) => id))
  const kept = ended.flatMap((row) => {
    const its = units.filter(({ line, sku }) => line === row.line_item_id && sku === row.sku_id)
    const before = ended.slice(0, ended.indexOf(row)).filter((each) => isOfSame(each, row))
    const quantity = Math.min(row.quantity, unitsOf(its) - unitsOf(before))
    if (quantity <= 0) return []
    const stockLineItem = isGone(row.stock_line_item_id, goneLines) ? null : row.stock_line_item_id
    const stockTransfer = isGone(row.stock_transfer_id, goneTransfers) ? null : row.stock_transfer_id
    return [
      {
        stockItem: row.stock_item_id,
        quantity,
        // What was reserved for a transfer that goes is the order's then.
        order: stockTransfer === null ? order : row.order_id,
        lineItem: row.line_item_id,
        stockLineItem,
        stockTransfer,
        expiresAt: row.expires_at,
      },
    ]
  })
  return kept.length === 0 ? [] : (await reserve(kept, step)).writes
}

type Reservation = RowOf<'StockReservation'>

const isOfSame = (one: Reservation, other: Reservation): boolean =>
  one.line_item_id === other.line_item_id && one.sku_id === other.sku_id

const isGone = (number: number | null, gone: ReadonlySet<number>): boolean =>
  number !== null && gone.has(number)

const unitsOf = (rows: readonly { readonly quantity: number }[]): number =>
  rows.reduce((sum, { quantity }) => sum + quantity, 0)

const shipmentWrite = (
  { number, before, columns, method }: PricedShipment,
  definition: RowWrite['definition'],
): readonly RowWrite[] => {
  const after: Row = { ...columns, shipping_method_id: method?.id ?? null }
  if (before === undefined) return [{ definition, number, before, columns: after }]
  const row: Row = before
  const changed = Object.fromEntries(Object.entries(after).filter(([column, value]) => row[column] !== value))
  return Object.keys(changed).length === 0 ? [] : [{ definition, number, before, columns: changed }]
}
