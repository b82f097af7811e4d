import type { Strategy } from './plan.ts'
import { splitShipments } from './split-shipments.ts'
import { takeUnits } from './take-units.ts'

/** From the first place, one shipment per shipping category; what it lacks is transferred there from the others. */
export const shipFromPrimary: Strategy = {
  pick: (demands, places) => {
    const [primary] = places
    return primary === undefined
      ? []
      : takeUnits(demands, places).map((taken) => ({ ...taken, place: primary.location }))
  },
  separates: splitShipments.separates,
}
