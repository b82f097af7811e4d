/** Planned shipments with the method of each and what it costs. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { shipmentCostOf } from './external-cost.ts'
import type { ChargedShipment } from './external-cost.ts'
import type { NumberedShipment } from './number-shipments.ts'
import { amountsOf, readMethods } from './read-methods.ts'
import type { NamedMethod } from './read-methods.ts'
import type { OrderStock } from './read-order-stock.ts'
import { isAvailable } from './shipping-cost.ts'
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
  step: WorkflowStep,
): Promise<readonly PricedShipment[]> => {
  if (shipments.length === 0) return []
  const { currency_code: currency, market_id: market } = rowOf('Order', order)
  const methods = await readMethods([currency], [market], {
    run: step.run,
    environmentId: step.scope.environmentId,
  })
  const priced: PricedShipment[] = []
  for (const [position, shipment] of shipments.entries()) {
    const facts = factsOf(order, shipment.planned, position, stock)
    const available = methods.filter((method) => isAvailable(method, facts))
    const chosen = shipment.before?.shipping_method_id ?? null
    const method =
      available.find(({ id }) => id === chosen) ?? available.find(({ id }) => id === stock.defaultMethod)
    if (method === undefined) {
      priced.push({ ...shipment, method, costCents: 0 })
      continue
    }
    const { costCents, set } = await shipmentCostOf(method, chargedOf(shipment, facts, step), order, step)
    priced.push({ ...shipment, columns: { ...shipment.columns, ...set }, method, costCents })
  }
  return priced
}

/** What a row of its type has from the database when it is new. */
const NEW_SHIPMENT = { cost_amount_cents: 0, rates: [], get_rates_errors: [], metadata: {} }

const chargedOf = (
  { planned, number, before, columns }: NumberedShipment,
  facts: ShipmentFacts,
  { now }: WorkflowStep,
): ChargedShipment => ({
  row: { ...(before ?? { ...NEW_SHIPMENT, created_at: now, updated_at: now }), ...columns, id: number },
  isNew: before === undefined,
  facts,
  contents: [...planned.stockLines, ...planned.transfers].map(({ sku, quantity }) => [sku, quantity]),
})

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
