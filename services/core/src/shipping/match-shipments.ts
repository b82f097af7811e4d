/** Which shipments of an order stay when it is planned again: those of the same place first, then any in their order. Pure. */
import type { RowOf } from '../engine/database/rows.ts'
import type { PlannedShipment } from './strategies/plan.ts'

type ShipmentRow = Pick<RowOf<'Shipment'>, 'id' | 'stock_location_id' | 'shipping_category_id'>

const isSamePlace = (planned: PlannedShipment, row: ShipmentRow): boolean =>
  row.stock_location_id === planned.location && row.shipping_category_id === planned.category

/** For each planned shipment the row that becomes it, or undefined for a new one. */
export const matchShipments = <R extends ShipmentRow>(
  planned: readonly PlannedShipment[],
  rows: readonly R[],
): readonly (R | undefined)[] => {
  const left = [...rows]
  const take = (isIt: (row: R) => boolean): R | undefined => {
    const at = left.findIndex(isIt)
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }
  const same = planned.map((each) => take((row) => isSamePlace(each, row)))
  return same.map((row) => row ?? take(() => true))
}
