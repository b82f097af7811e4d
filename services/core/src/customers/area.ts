import type { Area, VirtualRelationship } from '../engine/area.ts'
import { addresses } from './addresses.ts'
import { customerAddresses } from './customer-addresses.ts'
import { customerGroups } from './customer-groups.ts'
import { customerSubscriptions } from './customer-subscriptions.ts'
import { customers as customersResource } from './customers.ts'
import { customersIndex } from './indexed-types.ts'
import {
  addressVisibility,
  customerGroupVisibility,
  customerVisibility,
  ofCustomerVisibility,
  subscriptionVisibility,
} from './visibility.ts'
import { whoseRecord } from './whose-record.ts'

/** The customer that the token speaks for; the owner row does not matter. */
const customerOfToken: VirtualRelationship = ({ target }, { params, scope }) => {
  const number = scope.salesChannel?.customerId
  return number === undefined ? ['false'] : [`${target}.id = ${params.add(number, 'bigint')}`]
}

export const customers: Area = {
  resources: [customersResource, customerGroups, addresses, customerAddresses, customerSubscriptions],
  visibility: {
    customers: customerVisibility,
    customer_groups: customerGroupVisibility,
    addresses: addressVisibility,
    customer_addresses: ofCustomerVisibility,
    customer_subscriptions: subscriptionVisibility,
  },
  workflows: { customer_addresses: whoseRecord, customer_subscriptions: whoseRecord },
  indexed: customersIndex,
  lowerIndexes: { customers: { email: 'equality' } },
  topics: {
    customers: ['acquired', 'create', 'create_password', 'destroy', 'metadata_update', 'repeat', 'tagged'],
    addresses: ['tagged'],
    customer_addresses: ['create', 'destroy'],
    customer_subscriptions: ['create', 'destroy'],
  },
  // Whoever holds these holds the account.
  recentSignIn: { customers: ['email', 'password'] },
  virtualRelationships: { customer_of_token: customerOfToken },
}
