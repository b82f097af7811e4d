import type { Area, VirtualRelationship } from '../engine/area.ts'
import { addresses } from './addresses.ts'
import { customerGroups } from './customer-groups.ts'
import { customers as customersResource } from './customers.ts'
import { customersIndex } from './indexed-types.ts'
import { addressVisibility, customerVisibility } from './visibility.ts'

/** The customer that the token speaks for; the owner row does not matter. */
const customerOfToken: VirtualRelationship = ({ target }, { params, scope }) => {
  const number = scope.salesChannel?.customerId
  return number === undefined ? ['false'] : [`${target}.id = ${params.add(number, 'bigint')}`]
}

export const customers: Area = {
  resources: [customersResource, customerGroups, addresses],
  visibility: { customers: customerVisibility, addresses: addressVisibility },
  indexed: customersIndex,
  lowerIndexes: { customers: { email: 'equality' } },
  topics: {
    customers: ['acquired', 'create', 'create_password', 'destroy', 'metadata_update', 'repeat', 'tagged'],
    addresses: ['tagged'],
  },
  // Whoever holds these holds the account.
  recentSignIn: { customers: ['email', 'password'] },
  virtualRelationships: { customer_of_token: customerOfToken },
}
