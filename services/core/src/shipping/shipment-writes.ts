/** The writes that bring planned shipments about, with their stock line items and transfers. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { release } from '../inventory/reservations.ts'
import type { PricedShipment } from './price-shipments.ts'
import type { OrderStock } from './read-order-stock.ts'
import { stockLineChanges, transferChanges } from './stock-writes.ts'
import type { UnitsOfShipment } from './stock-writes.ts'

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
  if (order['status'] === 'editing') {
    const ended = ({
      gone,
      changed,
    }: {
      gone: readonly { id: number }[]
      changed: readonly { id: number }[]
    }) => [...gone, ...changed].map(({ id }) => id)
    await release({ column: 'stock_line_item_id', numbers: ended(lines) }, step)
    await release({ column: 'stock_transfer_id', numbers: ended(transfers) }, step)
  }
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
    after: [...remove('shipments', unneeded), ...lines.writes, ...transfers.writes],
  }
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
