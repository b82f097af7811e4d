import type { PlaceableCheck, ShipmentFact } from './facts.ts'

/** Every shipment has a shipping method that it may still use. */
export const shippingMethods: PlaceableCheck = ({ shipments }) =>
  shipments
    .filter(({ isMethodAvailable }) => !isMethodAvailable)
    .map((shipment) => ({ at: { relationship: 'shipments' }, ...reasonOf(shipment) }))

const reasonOf = ({ number, hasMethod }: ShipmentFact) =>
  hasMethod
    ? { error: 'unavailable', message: `has ${number}, whose shipping method is not available any more` }
    : { error: 'blank', message: `has ${number}, which has no shipping method` }
