import { cents, computed, instant, object, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import { ALL_OPERATIONS, currencyCode } from '../definitions/shapes.ts'
import { attachable, tokenBound, versioned } from '../definitions/shared-relationships.ts'
import { skuByCode } from '../definitions/sku-by-code.ts'
import { currencyOfPriceList } from './price-currency.ts'
import { originalAmount } from './price-original-amount.ts'

/** What a SKU costs in a price list; one per pair. */
export const prices = defineResource('prices', {
  summary: 'What a SKU costs in a price list.',
  model: 'price',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    currency_code: currencyCode(),
    sku_code: text({ write: 'always', max: 255 }),
    amount_cents: cents({ write: 'always', required: true, min: 0, filter: true, sort: true }),
    original_amount_cents: cents(),
    compare_at_amount_cents: cents({ write: 'always', min: 0, filter: true, sort: true }),
    rule_outcomes: object({ show: 'single' }),
    processed_at: instant({ write: 'update' }),
    rules: object({ write: 'always', filter: true, show: 'single' }),
    resource_payload: object({ show: 'single' }),
    jwt_custom_claim: computed((_row, { customClaim }) => customClaim ?? null),
  },
  relationships: {
    price_list: toOne('price_lists', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    sku: toOne('skus', { write: 'always', include: true, filter: true, sort: true }),
    price_tiers: toMany('price_tiers', { inverse: 'price', include: true, filter: true }),
    price_volume_tiers: toMany('price_volume_tiers', { inverse: 'price', include: true }),
    price_frequency_tiers: toMany('price_frequency_tiers', { inverse: 'price', include: true }),
    ...attachable,
    ...tokenBound,
    ...versioned,
  },
  rules: [skuByCode, currencyOfPriceList, originalAmount],
})
