import { object, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import type { VirtualRelationship, Visibility } from '../engine/area.ts'

/** What works without a carrier. */
export const INSTEAD_OF_CARRIERS =
  'parcels, which take the label and the tracking that a service of your own writes'

/** `carrier_accounts` of a shipment: those of the market of its order, and of no market. */
export const carrierAccountsOfShipment: VirtualRelationship = ({ owner, target }, { params }) => [
  `(${target}.market_id IS NULL OR ${target}.market_id = (SELECT its_order.market_id FROM orders AS its_order
    WHERE its_order.environment_id = ${params.environment} AND its_order.id = ${owner}.order_id))`,
]

/** Under markets: theirs, and those of no market. */
export const carrierAccountVisibility: Visibility = (alias, { scope: { markets }, params }) => {
  if (markets === undefined) return []
  const ids = params.add(
    markets.map(({ id }) => id),
    'bigint[]',
  )
  return [`(${alias}.market_id IS NULL OR ${alias}.market_id = ANY(${ids}))`]
}

/** An account at a carrier, reached by EasyPost: stored, and not called. */
export const carrierAccounts = defineResource('carrier_accounts', {
  summary: 'The account of the shop at a carrier, which Merx stores and does not call.',
  model: 'carrierAccount',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    easypost_type: text({ write: 'always', required: true, max: 255, filter: true }),
    // What only a reply of the vendor would say.
    easypost_id: text(),
    credentials: object({ write: 'always', required: true, show: 'never', sealed: true }),
  },
  relationships: {
    market: toOne('markets', { write: 'always', include: true, filter: true, sort: true }),
    ...attachable,
    ...versioned,
  },
})
