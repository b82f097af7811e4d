/** When a carrier fetches the parcels of a shipment: stored, and no carrier is called. */
import { instant, list, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import type { Rule } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { audited, observed } from '../definitions/shared-relationships.ts'
import type { VirtualRelationship } from '../engine/area.ts'
import { refusedCommand } from '../outside/not-called.ts'
import { INSTEAD_OF_CARRIERS } from './carrier-accounts.ts'

/** Of a pickup: those of its shipment. */
export const parcelsOfPickup: VirtualRelationship = ({ owner, target }) => [
  `${target}.shipment_id = ${owner}.shipment_id`,
]

/** `pickup` of a shipment: the latest. */
export const pickupOfShipment: VirtualRelationship = ({ owner, target }, { params }) => [
  `${target}.id = (SELECT max(latest.id) FROM pickups AS latest
    WHERE latest.environment_id = ${params.environment} AND latest.shipment_id = ${owner}.id)`,
]

const HOUR_MS = 3_600_000
const LEAD_HOURS = 2
const WINDOW_HOURS = 24

/** A carrier comes in two hours at the earliest, within a day (lifecycles.md 5). */
const windowOfPickup: Rule = ({ after, operation, now }) => {
  const { min_datetime: min, max_datetime: max } = after
  if (operation !== 'create' || !(min instanceof Date) || !(max instanceof Date)) return {}
  if (min.getTime() < now.getTime() + LEAD_HOURS * HOUR_MS)
    return refuse('min_datetime', `must be at least ${LEAD_HOURS} hours from now`)
  if (max <= min) return refuse('max_datetime', 'must be after min_datetime')
  if (max.getTime() > min.getTime() + WINDOW_HOURS * HOUR_MS)
    return refuse('max_datetime', `must be within ${WINDOW_HOURS} hours of min_datetime`)
  return {}
}

const refuse = (attribute: string, message: string) => ({
  violations: [{ at: { attribute }, error: 'invalid', message }],
})

const known = {
  status: text({ filter: true, sort: true }),
  internal_id: text(),
}

const parcels = toMany('parcels', { virtual: 'parcels_of_pickup', include: true, filter: true })

const TYPE = 'easypost_pickups'

export const pickups: readonly ResourceDefinition[] = [
  defineResource('pickups', {
    summary: 'All pickups, whatever their kind.',
    model: 'pickup',
    operations: ['list', 'retrieve'],
    scope: 'environment',
    abstract: { typeColumn: 'type', members: [TYPE] },
    attributes: known,
    relationships: {
      shipment: toOne('shipments', { include: true, filter: true, sort: true }),
      parcels,
      ...observed,
      ...audited,
    },
  }),
  defineResource(TYPE, {
    summary: 'A pickup by EasyPost, which Merx stores and does not order.',
    model: 'pickup',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'pickups',
    attributes: {
      ...known,
      selected_rate_id: text({ write: 'update', max: 255 }),
      rates: list(),
      instructions: text({ write: 'create', max: 1000 }),
      min_datetime: instant({ write: 'create', required: true, filter: true, sort: true }),
      max_datetime: instant({ write: 'create', required: true, filter: true, sort: true }),
      _purchase: trigger({ isCommand: true }),
      purchase_started_at: instant({ filter: true, sort: true }),
      purchase_completed_at: instant({ filter: true, sort: true }),
    },
    relationships: {
      shipment: toOne('shipments', {
        write: 'always',
        required: true,
        include: true,
        filter: true,
        sort: true,
      }),
      parcels,
      ...observed,
      ...audited,
    },
    rules: [windowOfPickup],
  }),
]

export const pickupCommands = { [TYPE]: [refusedCommand(TYPE, '_purchase', INSTEAD_OF_CARRIERS)] }
