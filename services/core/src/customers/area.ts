import { ofToken } from '../access/of-token.ts'
import type { Area, VirtualRelationship } from '../engine/area.ts'
import { addresses } from './addresses.ts'
import { customerAddresses } from './customer-addresses.ts'
import { customerGroups } from './customer-groups.ts'
import { customerPasswordResets } from './customer-password-resets.ts'
import { customerSubscriptions } from './customer-subscriptions.ts'
import { customers as customersResource } from './customers.ts'
import { customersIndex } from './indexed-types.ts'
import { passwordResetWorkflow, withToken } from './password-reset-workflow.ts'
import { resetPassword } from './reset-password.ts'
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
  const [number] = ofToken(scope).jwt_customer
  return number === undefined ? ['false'] : [`${target}.id = ${params.add(number, 'bigint')}`]
}

export const customers: Area = {
  resources: [
    customersResource,
    customerGroups,
    addresses,
    customerAddresses,
    customerSubscriptions,
    customerPasswordResets,
  ],
  visibility: {
    customers: customerVisibility,
    customer_groups: customerGroupVisibility,
    addresses: addressVisibility,
    customer_addresses: ofCustomerVisibility,
    customer_subscriptions: subscriptionVisibility,
  },
  workflows: {
    customer_addresses: whoseRecord,
    customer_subscriptions: whoseRecord,
    customer_password_resets: passwordResetWorkflow,
  },
  beforeCreate: { customer_password_resets: withToken },
  commands: { customer_password_resets: [resetPassword] },
  indexed: customersIndex,
  lowerIndexes: { customers: { email: 'equality' } },
  topics: {
    customers: ['acquired', 'create', 'create_password', 'destroy', 'metadata_update', 'repeat', 'tagged'],
    addresses: ['tagged'],
    customer_addresses: ['create', 'destroy'],
    customer_subscriptions: ['create', 'destroy'],
    customer_password_resets: ['create', 'reset_password', 'destroy'],
  },
  // Whoever holds these holds the account.
  recentSignIn: { customers: ['email', 'password'] },
  virtualRelationships: { customer_of_token: customerOfToken },
}
