/** What a shipping method costs for a shipment, and whether it delivers it (lifecycles.md 5.2). Pure. */
import { matchesAddress } from '../definitions/address-patterns.ts'
import { fromGrams } from './weight.ts'

export interface MethodFacts {
  readonly id: number
  readonly scheme: string
  readonly currencyCode: string
  readonly priceCents: number
  readonly freeOverCents: number | null
  readonly usesSubtotal: boolean
  readonly minWeight: number | null
  readonly maxWeight: number | null
  readonly unitOfWeight: string | null
  readonly marketId: number | null
  readonly categoryId: number | null
  readonly stockLocationId: number | null
  readonly isDisabled: boolean
  /** Patterns of its zone; undefined without one. */
  readonly zone: Readonly<Record<string, unknown>> | undefined
  readonly tiers: readonly WeightTier[]
}

export interface WeightTier {
  /** In the unit of the method; null is beyond all others. */
  readonly upTo: number | null
  readonly priceCents: number
}

export interface ShipmentFacts {
  readonly currencyCode: string
  readonly marketId: number
  /** Undefined while the order has no shipping address: then only methods without a zone deliver. */
  readonly address: Readonly<Record<string, unknown>> | undefined
  readonly categoryId: number | null
  readonly stockLocationId: number | null
  /** With no_split a shipment has goods of every category, so categories do not count. */
  readonly ignoresCategory: boolean
  readonly weightGrams: number
  /** Of the goods, discounts and adjustments of the order. */
  readonly totalCents: number
  readonly subtotalCents: number
  /** Among the shipments of the order, from 0. */
  readonly position: number
  /** How many shipments of an order cost something; null is all. */
  readonly costCutoff: number | null
}

export const isAvailable = (method: MethodFacts, shipment: ShipmentFacts): boolean => {
  const weight = fromGrams(shipment.weightGrams, method.unitOfWeight)
  return (
    !method.isDisabled &&
    method.currencyCode === shipment.currencyCode &&
    isNullOr(method.marketId, shipment.marketId) &&
    isNullOr(method.stockLocationId, shipment.stockLocationId) &&
    (shipment.ignoresCategory || isNullOr(method.categoryId, shipment.categoryId)) &&
    (method.zone === undefined ||
      (shipment.address !== undefined && matchesAddress(method.zone, shipment.address))) &&
    (method.minWeight === null || weight >= method.minWeight) &&
    (method.maxWeight === null || weight <= method.maxWeight)
  )
}

const isNullOr = (limit: number | null, value: number | null): boolean => limit === null || limit === value

/** Whatever the scheme. */
export const isFree = (method: MethodFacts, shipment: ShipmentFacts): boolean => {
  if (shipment.costCutoff !== null && shipment.position >= shipment.costCutoff) return true
  const amount = method.usesSubtotal ? shipment.subtotalCents : shipment.totalCents
  return method.freeOverCents !== null && amount > method.freeOverCents
}

/** A method with external prices costs its base price here: the call to the outside is external-cost.ts. */
export const costOf = (method: MethodFacts, shipment: ShipmentFacts): number => {
  if (isFree(method, shipment)) return 0
  if (method.scheme !== 'weight_tiered') return method.priceCents
  return tierOf(method, shipment.weightGrams)?.priceCents ?? method.priceCents
}

/** The lowest tier that the weight does not exceed; the one without a limit is beyond all others. */
const tierOf = ({ tiers, unitOfWeight }: MethodFacts, grams: number): WeightTier | undefined => {
  const weight = fromGrams(grams, unitOfWeight)
  const limit = ({ upTo }: WeightTier): number => upTo ?? Number.POSITIVE_INFINITY
  return tiers.filter((tier) => limit(tier) >= weight).sort((a, b) => limit(a) - limit(b))[0]
}
