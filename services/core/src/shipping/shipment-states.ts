/** The state machine of a shipment's status. Orders move their shipments up to picking; whoever packs them does the rest. */
import type { Row } from '@merx/jsonapi/attributes'
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface ShipmentSubject {
  readonly shipment: Row
  readonly now: Date
  /** Transfers of the shipment that are not completed or cancelled. */
  readonly openTransfers?: number
  /** Whether its stock location, or its transfers, wait for somebody. */
  readonly isHeld?: boolean
}

const recordCancellation = ({ now }: ShipmentSubject) => ({ set: { cancelled_at: now } })
const recordDelivery = ({ now }: ShipmentSubject) => ({ set: { delivered_at: now } })
const recordHold = ({ now }: ShipmentSubject) => ({ set: { on_hold_at: now } })
const recordPacking = ({ now }: ShipmentSubject) => ({ set: { packing_at: now } })
const recordPicking = ({ now }: ShipmentSubject) => ({ set: { picking_at: now } })
const recordReadiness = ({ now }: ShipmentSubject) => ({ set: { ready_to_ship_at: now } })
const recordShipping = ({ now }: ShipmentSubject) => ({ set: { shipped_at: now } })

const isHeld = ({ isHeld: held }: ShipmentSubject): boolean => held === true

const hasNoOpenTransfers = ({ openTransfers = 0 }: ShipmentSubject) =>
  openTransfers === 0
    ? []
    : [
        {
          at: { relationship: 'stock_transfers' },
          error: 'not_completed',
          message: `must be completed or cancelled; ${openTransfers} are not`,
          count: openTransfers,
        },
      ]

export const shipmentStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: [
    'draft',
    'upcoming',
    'cancelled',
    'on_hold',
    'picking',
    'packing',
    'ready_to_ship',
    'shipped',
    'delivered',
  ],
  transitions: {
    upcoming: {
      from: ['draft'],
      to: 'upcoming',
      trigger: '_upcoming',
      only: 'integration',
      topic: 'shipments.upcoming',
    },
    hold: {
      from: ['upcoming', 'picking'],
      to: 'on_hold',
      trigger: '_on_hold',
      only: 'integration',
      effects: [recordHold],
      topic: 'shipments.on_hold',
    },
    pick: {
      from: ['upcoming', 'on_hold', 'packing', 'ready_to_ship'],
      to: 'picking',
      trigger: '_picking',
      only: 'integration',
      guards: [hasNoOpenTransfers],
      effects: [recordPicking],
      topic: 'shipments.picking',
    },
    pack: {
      from: ['picking'],
      to: 'packing',
      trigger: '_packing',
      only: 'integration',
      effects: [recordPacking],
      topic: 'shipments.packing',
    },
    ready: {
      from: ['packing'],
      to: 'ready_to_ship',
      trigger: '_ready_to_ship',
      only: 'integration',
      effects: [recordReadiness],
      topic: 'shipments.ready_to_ship',
    },
    ship: {
      from: ['ready_to_ship'],
      to: 'shipped',
      trigger: '_ship',
      only: 'integration',
      effects: [recordShipping],
      topic: 'shipments.ship',
    },
    deliver: {
      from: ['shipped'],
      to: 'delivered',
      trigger: '_deliver',
      only: 'integration',
      effects: [recordDelivery],
      topic: 'shipments.deliver',
    },
    cancel: {
      from: ['draft', 'upcoming', 'on_hold', 'picking', 'packing', 'ready_to_ship'],
      to: 'cancelled',
      trigger: '_cancel',
      only: 'integration',
      effects: [recordCancellation],
      topic: 'shipments.cancel',
    },
    /** The order starts to be fulfilled, and the shipment has to wait. */
    startHeld: {
      from: ['draft', 'upcoming'],
      to: 'on_hold',
      when: isHeld,
      effects: [recordHold],
      topic: 'shipments.on_hold',
    },
  },
})

export type ShipmentStatus = (typeof shipmentStates.states)[number]

/** Nothing leaves any more. */
export const SHIPMENT_ENDED: readonly string[] = [
  'shipped',
  'delivered',
  'cancelled',
] satisfies readonly ShipmentStatus[]
