/** Moves the fulfillment of an order: what decides it is read, and its shipments move along. The order is locked. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { ReactionStep } from '../engine/write/react.ts'
import { SHIPMENT_ENDED, shipmentStates } from '../shipping/shipment-states.ts'
import type { ShipmentStatus } from '../shipping/shipment-states.ts'
import type { Start, PlannedTransition } from '../states/transition.ts'
import { transition } from '../states/transition.ts'
import { fulfillmentStates } from './fulfillment-states.ts'
import type { FulfillmentSubject } from './fulfillment-states.ts'

const FACTS = `SELECT
    coalesce((SELECT methods.require_capture FROM payment_methods AS methods
      WHERE methods.environment_id = $1 AND methods.id = $3), true) AS requires_capture,
    EXISTS (SELECT 1 FROM line_items
      LEFT JOIN skus ON skus.environment_id = $1 AND skus.id = line_items.sku_id
      LEFT JOIN bundles ON bundles.environment_id = $1 AND bundles.id = line_items.bundle_id
      WHERE line_items.environment_id = $1 AND line_items.order_id = $2
        AND NOT coalesce(skus.do_not_ship, bundles.do_not_ship, true)) AS has_goods`

interface Facts extends Row {
  readonly requires_capture: boolean
  readonly has_goods: boolean
}

type Shipment = RowOf<'Shipment'> & { readonly is_held: boolean; readonly open_transfers: number }

/** A shipment waits while its location is on hold or something has to come from elsewhere first. */
const SHIPMENTS = `SELECT shipments.*, coalesce(places.on_hold, false) AS is_held,
    (SELECT count(*) FROM stock_transfers AS transfers
      WHERE transfers.environment_id = $1 AND transfers.shipment_id = shipments.id
        AND transfers.status NOT IN ('completed', 'cancelled')) AS open_transfers
  FROM shipments
  LEFT JOIN inventory_stock_locations AS places ON places.environment_id = $1
    AND places.id = shipments.inventory_stock_location_id
  WHERE shipments.environment_id = $1 AND shipments.order_id = $2 ORDER BY shipments.id`

const readShipments = (order: number, { run, scope }: ReactionStep): Promise<readonly Shipment[]> =>
  run<Shipment>({ text: SHIPMENTS, values: [scope.environmentId, order] })

const readSubject = async (order: Row, step: ReactionStep): Promise<FulfillmentSubject> => {
  const { id, payment_method_id: method } = rowOf('Order', order)
  const values = [step.scope.environmentId, id, method]
  const [[facts], shipments] = await Promise.all([
    step.run<Facts>({ text: FACTS, values }),
    readShipments(id, step),
  ])
  return {
    order,
    now: step.now,
    requiresCapture: facts?.requires_capture ?? true,
    hasGoodsToShip: facts?.has_goods ?? false,
    shipments: shipments.map(({ status }) => ({ isEnded: SHIPMENT_ENDED.includes(status) })),
    openTransfers: shipments.reduce((sum, { open_transfers: open }) => sum + open, 0),
  }
}

/** `order` is the row as it will be. Lines and shipments are read as they are stored. */
export const moveFulfillment = async (
  order: Row,
  start: Start<keyof typeof fulfillmentStates.transitions>,
  step: ReactionStep,
): Promise<PlannedTransition> => {
  const subject = await readSubject(order, step)
  return transition(fulfillmentStates, order, { start, subject })
}

/** The writes that take shipments from one state to another by a transition of their own machine. */
const moveShipments = async (
  order: number,
  from: readonly ShipmentStatus[],
  startOf: (shipment: Shipment) => Start<keyof typeof shipmentStates.transitions>,
  step: ReactionStep,
): Promise<readonly RowWrite[]> => {
  const definition = step.registry.require('shipments')
  const writes: RowWrite[] = []
  for (const shipment of await readShipments(order, step)) {
    if (!from.some((status) => status === shipment.status)) continue
    const { is_held: isHeld, open_transfers: openTransfers, ...before } = shipment
    const subject = { shipment: before, now: step.now, isHeld: isHeld || openTransfers > 0, openTransfers }
    const start = startOf(shipment)
    const { set, topics, violations } = await transition(shipmentStates, before, { start, subject })
    if (violations.length === 0 && Object.keys(set).length > 0)
      writes.push({ definition, before, columns: set, topics })
  }
  return writes
}

/** The order is placed. */
export const announceShipments = (order: number, step: ReactionStep): Promise<readonly RowWrite[]> =>
  moveShipments(order, ['draft'], () => ({ transition: 'upcoming' }), step)

/** The order is in fulfillment: its shipments are picked, or wait. */
export const startShipments = (order: number, step: ReactionStep): Promise<readonly RowWrite[]> =>
  moveShipments(
    order,
    ['upcoming'],
    ({ is_held: isHeld, open_transfers: open }) =>
      isHeld || open > 0 ? 'automatic' : { transition: 'pick' },
    step,
  )

/** `_fulfill`: whatever has not left counts as shipped. */
export const closeShipments = async (order: number, step: ReactionStep): Promise<readonly RowWrite[]> => {
  const definition = step.registry.require('shipments')
  const open = (await readShipments(order, step)).filter(({ status }) => !SHIPMENT_ENDED.includes(status))
  return open.map(({ is_held: _held, open_transfers: _open, ...before }) => ({
    definition,
    before,
    columns: { status: 'shipped', shipped_at: step.now },
    topics: ['shipments.ship'],
  }))
}
