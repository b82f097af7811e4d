import type { Strategy } from './plan.ts'
import { splitShipments } from './split-shipments.ts'

/** As split_shipments, and each line item in shipments of its own; bundles stay as there. */
export const splitByLineItems: Strategy = {
  pick: splitShipments.pick,
  separates: (demand) =>
    demand.isBundled === true
      ? splitShipments.separates(demand)
      : { category: demand.category, line: demand.line },
}
