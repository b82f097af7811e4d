import type { Strategy } from './plan.ts'
import { takeUnits } from './take-units.ts'

/** From the places in their order, one shipment per place and shipping category; a line may be split. */
export const splitShipments: Strategy = {
  pick: (demands, places) => takeUnits(demands, places).map((taken) => ({ ...taken, place: taken.origin })),
  separates: ({ category }) => ({ category, line: null }),
}
