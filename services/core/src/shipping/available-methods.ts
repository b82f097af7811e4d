/** The shipping methods that shipments may use, each with what it costs there. */
import type { ComputedRelationship } from '../engine/area.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { LOCATION_OF_SHIPMENT } from './lead-times.ts'
import { PRICE_FOR_SHIPMENT } from './price-for-shipment.ts'
import { readMethods, readShipments } from './read-methods.ts'
import type { NamedMethod, OpenShipment } from './read-methods.ts'
import { costOf, isAvailable } from './shipping-cost.ts'

export interface OfferedMethod {
  readonly method: NamedMethod
  readonly costCents: number
}

export interface Offer {
  readonly shipment: OpenShipment
  readonly methods: readonly OfferedMethod[]
}

/** What each of the shipments may be sent with. */
export const offersOf = async (
  numbers: readonly number[],
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly Offer[]> => {
  if (numbers.length === 0) return []
  const place = { run, environmentId: scope.environmentId }
  const shipments = await readShipments(numbers, place)
  const currencies = [...new Set(shipments.map(({ currencyCode }) => currencyCode))]
  const markets = [...new Set(shipments.map(({ marketId }) => marketId))]
  const methods = await readMethods(currencies, markets, place)
  return shipments.map((shipment) => ({
    shipment,
    methods: methods
      .filter((method) => isAvailable(method, shipment))
      .map((method) => ({ method, costCents: costOf(method, shipment) })),
  }))
}

/** `shipments.available_shipping_methods` */
export const availableShippingMethods: ComputedRelationship = async ({ numbers }, reading) =>
  (await offersOf(numbers, reading)).flatMap(({ shipment, methods }) =>
    methods.map(({ method, costCents }) => ({
      owner: shipment.number,
      target: method.id,
      columns: {
        [PRICE_FOR_SHIPMENT]: costCents,
        [LOCATION_OF_SHIPMENT]: shipment.stockLocationId,
      },
    })),
  )

/** What a shipment costs with its own method; undefined without one that is available to it. */
export const shippingCostOf = async (
  shipment: number,
  step: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<number | undefined> => {
  const [offer] = await offersOf([shipment], step)
  return offer?.methods.find(({ method }) => method.id === offer.shipment.methodId)?.costCents
}
