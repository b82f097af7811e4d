import type { Strategy } from './plan.ts'
import { takeUnits } from './take-units.ts'

/** One shipment from one place, whatever the shipping categories. */
export const noSplit: Strategy = {
  pick: (demands, places) =>
    takeUnits(demands, places.slice(0, 1)).map((taken) => ({ ...taken, place: taken.origin })),
  separates: () => ({ category: null, line: null }),
}
