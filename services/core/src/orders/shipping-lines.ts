/** The lines of an order's shipments: one for each that has a shipping method, with what it costs. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ShippingCost } from '../shipping/shipment-writes.ts'
import { changedColumns, NEW_LINE } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'

const isShipping = ({ after }: OrderLine): boolean => after?.['item_type'] === 'shipments'

const columnsOf = (order: Row, { shipment, name, costCents }: ShippingCost): Row => ({
  order_id: order['id'],
  item_type: 'shipments',
  item_id: shipment,
  name,
  quantity: 1,
  currency_code: order['currency_code'],
  unit_amount_cents: costCents,
})

/** The lines with those of the shipments; the same list when nothing about them changes. */
export const withShippingLines = (
  order: Row,
  lines: readonly OrderLine[],
  costs: readonly ShippingCost[],
): readonly OrderLine[] => {
  const wanted = new Map<unknown, Row>(costs.map((cost) => [cost.shipment, columnsOf(order, cost)]))
  let isChanged = false
  const kept = lines.map((line): OrderLine => {
    if (!isShipping(line)) return line
    const columns = wanted.get(line.after?.['item_id'])
    wanted.delete(line.after?.['item_id'])
    if (columns !== undefined && Object.keys(changedColumns(line.after, columns)).length === 0) return line
    isChanged = true
    return { before: line.before, after: columns === undefined ? undefined : { ...line.after, ...columns } }
  })
  const added = [...wanted.values()].map((columns) => ({
    before: undefined,
    after: { ...NEW_LINE, ...columns },
  }))
  return isChanged || added.length > 0 ? [...kept, ...added] : lines
}

/** The lines with that of one shipment, which has another method or none any more. */
export const withShippingLine = (
  order: Row,
  lines: readonly OrderLine[],
  shipment: number,
  cost: Omit<ShippingCost, 'shipment'> | undefined,
): readonly OrderLine[] => {
  const isIts = (line: OrderLine): boolean => isShipping(line) && line.after?.['item_id'] === shipment
  const others = lines.filter((line) => !isIts(line))
  const its = withShippingLines(order, lines.filter(isIts), cost === undefined ? [] : [{ shipment, ...cost }])
  return [...others, ...its]
}
