import { boolean, object } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, code, currencyCode, name } from '../definitions/shapes.ts'
import { attachable, versioned } from '../definitions/shared-relationships.ts'
import { currencyOfPrices } from './price-list-currency.ts'

/** Prices in one currency, with or without taxes. */
export const priceLists = defineResource('price_lists', {
  summary: 'Prices in one currency, with or without taxes.',
  model: 'priceList',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: name(),
    code: code(),
    currency_code: currencyCode({ write: 'always', required: true, filter: true, sort: true }),
    tax_included: boolean({ write: 'always', default: true, filter: true, sort: true }),
    rule_outcomes: object({ show: 'single' }),
    rules: object({ write: 'always', filter: true, show: 'single' }),
    resource_payload: object({ show: 'single' }),
  },
  relationships: {
    prices: toMany('prices', { inverse: 'price_list', include: true, filter: true }),
    price_list_schedulers: toMany('price_list_schedulers', {
      inverse: 'price_list',
      include: true,
      filter: true,
    }),
    ...attachable,
    ...versioned,
  },
  rules: [currencyOfPrices],
  onDelete: refuseWhileReferencedBy('prices', 'price_list_schedulers'),
})
