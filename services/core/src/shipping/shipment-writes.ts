/** The writes that bring planned shipments about, with their stock line items and transfers. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { release, reserve } from '../inventory/reservations.ts'
import type { PricedShipment } from './price-shipments.ts'
import type { OrderStock } from './read-order-stock.ts'
import { stockLineChanges, transferChanges } from './stock-writes.ts'
import type { RowChanges, UnitsOfShipment } from './stock-writes.ts'

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
  const isEdited = order['status'] === 'editing'
  const reserved = isEdited
    ? [
        ...(await keepReserved('stock_line_item_id', lines, step)),
        ...(await keepReserved('stock_transfer_id', transfers, step)),
      ]
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

/**
 * What is reserved for rows that go ends. For those that change it stays, as far as they still need it, so that nobody else takes
 * it while the order is edited; what they need more is reserved when editing stops.
 */
const keepReserved = async (
  column: 'stock_line_item_id' | 'stock_transfer_id',
  { gone, changed }: Pick<RowChanges<{ readonly id: number }>, 'gone' | 'changed'>,
  step: WorkflowStep,
): Promise<readonly RowWrite[]> => {
  const ended = await release({ column, numbers: [...gone, ...changed].map(({ id }) => id) }, step)
  const needed = new Map<number | null, number>(changed.map(({ id, quantity }) => [id, quantity]))
  const kept = ended.flatMap((row) => {
    const quantity = needed.get(row[column])
    if (quantity === undefined) return []
    return [
      {
        stockItem: row.stock_item_id,
        quantity: Math.min(row.quantity, quantity),
        order: row.order_id,
        lineItem: row.line_item_id,
        stockLineItem: row.stock_line_item_id,
        stockTransfer: row.stock_transfer_id,
      },
    ]
  })
  return kept.length === 0 ? [] : (await reserve(kept, step)).writes
}

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
