/** Takes units from places one after the other, so that nothing is taken twice. */
import type { Demand, Place } from './plan.ts'

export interface TakenUnits {
  readonly demand: Demand
  readonly origin: number
  readonly quantity: number
}

/** Each demand takes what it can from the first place, then from the next. SKUs that are not tracked are at the first. */
export const takeUnits = (demands: readonly Demand[], places: readonly Place[]): readonly TakenUnits[] => {
  const left = new Map(places.map(({ location, available }) => [location, new Map(available)]))
  return demands.flatMap((demand) => {
    const { sku, isTracked } = demand
    let missing = demand.quantity
    return places.flatMap(({ location }) => {
      const there = isTracked ? (left.get(location)?.get(sku) ?? 0) : missing
      const quantity = Math.min(missing, there)
      if (quantity <= 0) return []
      missing -= quantity
      if (isTracked) left.get(location)?.set(sku, there - quantity)
      return [{ demand, origin: location, quantity }]
    })
  })
}

/** Whether the place has all of it. */
export const servesAll = (demands: readonly Demand[], place: Place): boolean => {
  const taken = takeUnits(demands, [place]).reduce((sum, { quantity }) => sum + quantity, 0)
  return taken === demands.reduce((sum, { quantity }) => sum + quantity, 0)
}
