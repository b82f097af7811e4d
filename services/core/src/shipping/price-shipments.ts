/** Planned shipments with the method of each and what it costs. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { NumberedShipment } from './number-shipments.ts'
import { amountsOf, readMethods } from './read-methods.ts'
import type { NamedMethod } from './read-methods.ts'
import type { OrderStock } from './read-order-stock.ts'
import { costOf, isAvailable } from './shipping-cost.ts'
import type { ShipmentFacts } from './shipping-cost.ts'
import type { PlannedShipment } from './strategies/plan.ts'

export interface PricedShipment extends NumberedShipment {
  readonly method: NamedMethod | undefined
  readonly costCents: number
}

/** The method that was chosen stays while it is available; without one the market's default is taken, if it is. */
export const priceShipments = async (
  order: Row,
  shipments: readonly NumberedShipment[],
  stock: OrderStock,
  { run, scope }: WorkflowStep,
): Promise<readonly PricedShipment[]> => {
  if (shipments.length === 0) return []
  const { currency_code: currency, market_id: market } = rowOf('Order', order)
  const methods = await readMethods([currency], [market], { run, environmentId: scope.environmentId })
  return shipments.map((shipment, position) => {
    const facts = factsOf(order, shipment.planned, position, stock)
    const available = methods.filter((method) => isAvailable(method, facts))
    const chosen = shipment.before?.shipping_method_id ?? null
    const method =
      available.find(({ id }) => id === chosen) ?? available.find(({ id }) => id === stock.defaultMethod)
    return { ...shipment, method, costCents: method === undefined ? 0 : costOf(method, facts) }
  })
}

const factsOf = (
  order: Row,
  { category, location, stockLines, transfers }: PlannedShipment,
  position: number,
  { address, availability, costCutoff, skus }: OrderStock,
): ShipmentFacts => {
  const { currency_code: currencyCode, market_id: marketId, ...amounts } = rowOf('Order', order)
  return {
    currencyCode,
    marketId,
    address,
    categoryId: category,
    stockLocationId: location,
    ignoresCategory: availability.strategy === 'no_split',
    weightGrams: [...stockLines, ...transfers].reduce(
      (sum, { sku, quantity }) => sum + quantity * (skus.get(sku)?.grams ?? 0),
      0,
    ),
    ...amountsOf(amounts),
    position,
    costCutoff,
  }
}
