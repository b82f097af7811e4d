import { cents, integer } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, name } from '../definitions/shapes.ts'
import { attachable, attachableAsFamily, observed, versioned } from '../definitions/shared-relationships.ts'
import { tierOfPrice } from './tier-of-price.ts'

const TIER_TYPES = ['price_volume_tiers', 'price_frequency_tiers'] as const

/** All tiers of prices, whatever is counted. */
export const priceTiers = defineResource('price_tiers', {
  summary: 'All prices by quantity or frequency.',
  model: 'priceTier',
  operations: ['list', 'retrieve'],
  scope: 'environment',
  abstract: { typeColumn: 'type', members: TIER_TYPES },
  attributes: {
    name: name({ write: 'never', required: false }),
    up_to: integer({ filter: true, sort: true }),
    price_amount_cents: cents({ filter: true, sort: true }),
  },
  relationships: {
    price: toOne('prices', { include: true, filter: true, sort: true }),
    ...attachable,
    ...versioned,
  },
})

const tier = (type: (typeof TIER_TYPES)[number], summary: string) =>
  defineResource(type, {
    summary,
    model: 'priceTier',
    operations: ALL_OPERATIONS,
    scope: 'environment',
    memberOf: 'price_tiers',
    attributes: {
      name: name(),
      up_to: integer({ write: 'always', min: 1, max: 2_147_483_647, filter: true, sort: true }),
      price_amount_cents: cents({ write: 'always', required: true, min: 0, filter: true, sort: true }),
    },
    relationships: {
      price: toOne('prices', {
        write: 'always',
        required: true,
        include: true,
        filter: true,
        sort: true,
      }),
      ...attachableAsFamily,
      ...observed,
      ...versioned,
    },
    rules: [tierOfPrice],
  })

/** The price of one unit when up to so many are bought; without a limit, of any more. */
export const priceVolumeTiers = tier('price_volume_tiers', 'The price of one unit, up to a quantity.')

/** The price of one unit when it is delivered again within so many days; without a limit, after any more. */
export const priceFrequencyTiers = tier(
  'price_frequency_tiers',
  'The price of one unit, up to a number of days.',
)
