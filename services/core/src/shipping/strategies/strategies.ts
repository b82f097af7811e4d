/** The strategies of inventory models by name (docs/adr/0083). A new one is one file and one line here. */
import { noSplit } from './no-split.ts'
import { planWith } from './plan.ts'
import type { Demand, Place, Plan, Strategy } from './plan.ts'
import { shipFromFirstAvailableOrPrimary } from './ship-from-first-available-or-primary.ts'
import { shipFromPrimary } from './ship-from-primary.ts'
import { splitByLineItems } from './split-by-line-items.ts'
import { splitShipments } from './split-shipments.ts'

export const strategies: Readonly<Record<string, Strategy>> = {
  no_split: noSplit,
  split_shipments: splitShipments,
  split_by_line_items: splitByLineItems,
  ship_from_primary: shipFromPrimary,
  ship_from_first_available_or_primary: shipFromFirstAvailableOrPrimary,
}

export const planShipments = (strategy: string, demands: readonly Demand[], places: readonly Place[]): Plan =>
  planWith(strategies[strategy] ?? noSplit, demands, places)
