import { oneOf, text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toOne } from '@merx/jsonapi/relationships'
import { COUNTRIES } from '../definitions/countries.ts'
import { ALL_OPERATIONS, email } from '../definitions/shapes.ts'
import { observed, versioned } from '../definitions/shared-relationships.ts'

/** An address in the address book of a customer. */
export const customerAddresses = defineResource('customer_addresses', {
  summary: 'An address in the address book of a customer.',
  model: 'customerAddress',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    // PostgreSQL takes it from the address and keeps it in step.
    name: text(),
    // Likewise, for filters alone.
    country_code: oneOf(COUNTRIES, { show: 'never', filter: true }),
    customer_email: email({ write: 'create' }),
  },
  relationships: {
    customer: toOne('customers', { write: 'always', include: true, filter: true, sort: true }),
    address: toOne('addresses', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    ...observed,
    ...versioned,
  },
})
