/** Planned shipments with their rows: those that stay keep their number, new ones get the next free one of the order. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { matchShipments } from './match-shipments.ts'
import type { OrderStock } from './read-order-stock.ts'
import { shipmentNumber } from './shipment-place.ts'
import type { PlannedShipment } from './strategies/plan.ts'

export interface NumberedShipment {
  readonly planned: PlannedShipment
  readonly number: number
  readonly before: RowOf<'Shipment'> | undefined
  /** Of the shipment itself, without its method. */
  readonly columns: Row
}

export const numberShipments = async (
  order: Row,
  planned: readonly PlannedShipment[],
  { availability, shipments }: OrderStock,
  { run }: WorkflowStep,
): Promise<readonly NumberedShipment[]> => {
  const kept = matchShipments(planned, shipments)
  const missing = kept.filter((row) => row === undefined).length
  const fresh = missing === 0 ? [] : [...(await run(reserveNumbers('shipments', missing)))]
  const taken = new Set(shipments.map(({ number }) => number))
  const inventoryLocations = new Map(
    availability.places.map(({ location, inventoryLocation }) => [location, inventoryLocation]),
  )
  const { currency_code, shipping_address_id = null, number: orderNumber = '' } = columnsOf('Order', order)
  return planned.map((each, at): NumberedShipment => {
    const before = kept[at]
    const units = [...each.stockLines, ...each.transfers].reduce((sum, { quantity }) => sum + quantity, 0)
    const columns = {
      currency_code,
      shipping_category_id: each.category,
      stock_location_id: each.location,
      inventory_stock_location_id: inventoryLocations.get(each.location) ?? null,
      shipping_address_id,
      skus_count: units,
    }
    if (before !== undefined) return { planned: each, number: before.id, before, columns }
    const created = {
      ...columns,
      order_id: numberOf(order),
      status: 'draft',
      number: freeNumber(orderNumber, taken),
    }
    return { planned: each, number: numberOf(fresh.shift() ?? {}), before, columns: created }
  })
}

const freeNumber = (order: string, taken: Set<string>): string => {
  let position = 1
  while (taken.has(shipmentNumber({ number: order }, position))) position += 1
  const number = shipmentNumber({ number: order }, position)
  taken.add(number)
  return number
}
