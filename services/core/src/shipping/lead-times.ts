/** The lead time of a shipping method from the stock location of a shipment. */
import type { ComputedRelationship, VirtualRelationship } from '../engine/area.ts'

/** Added to the row of a method that was read as an available one of a shipment. */
export const LOCATION_OF_SHIPMENT = '_stock_location_of_shipment'

export const leadTimeOfShipment: VirtualRelationship = ({ owner, target }) => [
  `${target}.shipping_method_id = ${owner}.shipping_method_id`,
  `${target}.stock_location_id = ${owner}.stock_location_id`,
]

/** Without a shipment, the location that the method is limited to. */
export const leadTimeOfMethod: ComputedRelationship = async ({ numbers, rows }, { run, scope }) => {
  const locations = numbers.map((number) => rows.get(number)?.[LOCATION_OF_SHIPMENT] ?? null)
  const text = `SELECT methods.id AS owner, times.id AS target
    FROM unnest($2::bigint[], $3::bigint[]) AS wanted (id, stock_location_id)
    JOIN shipping_methods AS methods ON methods.environment_id = $1 AND methods.id = wanted.id
    JOIN delivery_lead_times AS times ON times.environment_id = $1 AND times.shipping_method_id = methods.id
      AND times.stock_location_id = coalesce(wanted.stock_location_id, methods.stock_location_id)`
  const pairs = await run({ text, values: [scope.environmentId, numbers, locations] })
  return pairs.map(({ owner, target }) => ({ owner: Number(owner), target: Number(target) }))
}
