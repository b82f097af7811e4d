import type { Strategy } from './plan.ts'
import { shipFromPrimary } from './ship-from-primary.ts'
import { servesAll, takeUnits } from './take-units.ts'

/** From the first place that has everything, one shipment per shipping category; without one as ship_from_primary. */
export const shipFromFirstAvailableOrPrimary: Strategy = {
  pick: (demands, places) => {
    const complete = places.find((place) => servesAll(demands, place))
    return complete === undefined
      ? shipFromPrimary.pick(demands, places)
      : takeUnits(demands, [complete]).map((taken) => ({ ...taken, place: complete.location }))
  },
  separates: shipFromPrimary.separates,
}
