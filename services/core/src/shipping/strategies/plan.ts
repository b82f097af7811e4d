/** What strategies work with and return: units that an order needs, places that have them, shipments that bring them. Pure. */

/** Units of one SKU that a line item needs. A bundle's line needs several SKUs. */
export interface Demand {
  readonly line: number
  readonly sku: number
  readonly quantity: number
  readonly category: number
  /** Without it there is no end of the SKU, and no stock item is needed. */
  readonly isTracked: boolean
  /** Without it the units come into no shipment. */
  readonly isShipped: boolean
  /** Parts of a bundle are not separated by line items. */
  readonly isBundled?: boolean
}

/** A stock location, best first, with how many units of each SKU it has. */
export interface Place {
  readonly location: number
  readonly available: ReadonlyMap<number, number>
}

/** Units that are at `origin` and leave from `place`. */
export interface Pick {
  readonly demand: Demand
  readonly quantity: number
  readonly origin: number
  readonly place: number
}

export interface Strategy {
  /** Never more of a SKU than a place has; what nobody has is left out. */
  readonly pick: (demands: readonly Demand[], places: readonly Place[]) => readonly Pick[]
  /** What of a demand separates shipments from the same place. */
  readonly separates: (demand: Demand) => Pack
}

/** Two packs of the same values are one shipment. */
export interface Pack {
  readonly category: number | null
  readonly line: number | null
}

export interface PlannedUnits {
  readonly line: number
  readonly sku: number
  readonly quantity: number
  readonly isTracked: boolean
  /** Where the units are. */
  readonly origin: number
}

export interface PlannedShipment {
  readonly location: number
  readonly category: number | null
  /** Units of the location. */
  readonly stockLines: readonly PlannedUnits[]
  /** Units that have to come to the location first. */
  readonly transfers: readonly PlannedUnits[]
}

export interface Shortage {
  readonly line: number
  readonly sku: number
  readonly quantity: number
}

export interface Plan {
  readonly shipments: readonly PlannedShipment[]
  /** Units of SKUs that are not shipped. */
  readonly unshipped: readonly PlannedUnits[]
  /** Units that no place has. */
  readonly short: readonly Shortage[]
}

/** Which line comes first must not depend on the order in which lines are read. */
const inOrder = (demands: readonly Demand[]): readonly Demand[] =>
  demands.toSorted((a, b) => a.line - b.line || a.sku - b.sku)

/** Shipments by the rank of their place, then by category, then by line. */
export const planWith = (
  { pick, separates }: Strategy,
  demands: readonly Demand[],
  places: readonly Place[],
): Plan => {
  const sorted = inOrder(demands)
  const picks = pick(sorted, places)
  const rank = new Map(places.map(({ location }, at) => [location, at]))
  const groups = Map.groupBy(
    picks.filter(({ demand }) => demand.isShipped),
    ({ place, demand }) => JSON.stringify([place, separates(demand)]),
  )
  const shipments = [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ pack: separates(first.demand), place: first.place, group }]
  })
  return {
    shipments: shipments
      .toSorted(
        (a, b) =>
          (rank.get(a.place) ?? 0) - (rank.get(b.place) ?? 0) ||
          (a.pack.category ?? 0) - (b.pack.category ?? 0) ||
          (a.pack.line ?? 0) - (b.pack.line ?? 0),
      )
      .map(({ place, pack, group }) => ({
        location: place,
        category: pack.category,
        stockLines: unitsOf(group.filter(({ origin }) => origin === place)),
        transfers: unitsOf(group.filter(({ origin }) => origin !== place)),
      })),
    unshipped: unitsOf(picks.filter(({ demand }) => !demand.isShipped && demand.isTracked)),
    short: shortagesOf(sorted, picks),
  }
}

const unitsOf = (picks: readonly Pick[]): readonly PlannedUnits[] =>
  picks.map(({ demand: { line, sku, isTracked }, quantity, origin }) => ({
    line,
    sku,
    quantity,
    isTracked,
    origin,
  }))

const shortagesOf = (demands: readonly Demand[], picks: readonly Pick[]): readonly Shortage[] => {
  const picked = new Map<Demand, number>()
  for (const { demand, quantity } of picks) picked.set(demand, (picked.get(demand) ?? 0) + quantity)
  return demands.flatMap((demand) => {
    const quantity = demand.quantity - (picked.get(demand) ?? 0)
    return quantity > 0 ? [{ line: demand.line, sku: demand.sku, quantity }] : []
  })
}
