import { boolean, computed, float, oneOf, text } from '@merx/jsonapi/attributes'
import type { Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { COUNTRIES } from '../definitions/countries.ts'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { observed, tagAction, tagTriggers, tagged, versioned } from '../definitions/shared-relationships.ts'
import { rowOf } from '../engine/database/rows.ts'
import { addressOfOrder } from './address-of-order.ts'
import { personOrCompany } from './person-or-company.ts'

const joined = (parts: readonly unknown[], separator: string): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(separator)

const fullName = (row: Row): string =>
  row['business'] === true
    ? joined([row['company']], ' ')
    : joined([row['first_name'], row['last_name']], ' ')

/** "Via Roma 1, 10121 Torino TO (IT) +39 011 555" */
const fullAddress = (row: Row): string => {
  const town = joined([row['zip_code'], row['city'], row['state_code']], ' ')
  const street = joined([row['line_1'], row['line_2']], ' ')
  return joined([joined([street, town], ', '), `(${rowOf('Address', row).country_code})`, row['phone']], ' ')
}

/** Where somebody or something is. */
export const addresses = defineResource('addresses', {
  summary: 'Where somebody or something is.',
  model: 'address',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    business: boolean({ write: 'always', default: false, filter: true }),
    first_name: text({ write: 'always', max: 255, filter: true }),
    last_name: text({ write: 'always', max: 255, filter: true }),
    company: text({ write: 'always', max: 255, filter: true }),
    full_name: computed(fullName),
    line_1: text({ write: 'always', required: true, max: 255, filter: true }),
    line_2: text({ write: 'always', max: 255, filter: true }),
    city: text({ write: 'always', required: true, max: 255, filter: true, sort: true }),
    zip_code: text({ write: 'always', max: 32, filter: true }),
    state_code: text({ write: 'always', max: 255, filter: true, sort: true }),
    country_code: oneOf(COUNTRIES, { write: 'always', required: true, filter: true, sort: true }),
    phone: text({ write: 'always', required: true, max: 64, filter: true }),
    full_address: computed(fullAddress),
    name: computed((row) => joined([fullName(row), fullAddress(row)], ', ')),
    email: email({ filter: true }),
    notes: text({ write: 'always', filter: true }),
    lat: float({ write: 'always', min: -90, max: 90, filter: true }),
    lng: float({ write: 'always', min: -180, max: 180, filter: true }),
    is_localized: computed((row) => row['lat'] !== null && row['lng'] !== null),
    is_geocoded: boolean(),
    provider_name: text(),
    map_url: text(),
    static_map_url: text(),
    billing_info: text({ write: 'always', max: 255, filter: true }),
    ...tagTriggers,
  },
  relationships: {
    geocoder: toOne('geocoders', { write: 'always', include: true }),
    ...observed,
    ...tagged('address_id'),
    ...versioned,
  },
  actions: tagAction,
  rules: [personOrCompany, addressOfOrder],
})
