import { ofCustomerVisibility } from '../customers/visibility.ts'
import type { Area } from '../engine/area.ts'
import { authorizations } from './authorizations.ts'
import { captures } from './captures.ts'
import { cancelAuthorization, cancelCapture } from './commands/cancel.ts'
import { capture } from './commands/capture.ts'
import { refund } from './commands/refund.ts'
import { voidAuthorization } from './commands/void.ts'
import { externalGateways } from './external-gateways.ts'
import { externalPayments, walletOfSource } from './external-payments.ts'
import { manualGateways } from './manual-gateways.ts'
import {
  availableCustomerPaymentSources,
  availablePaymentMethods,
  defaultPaymentMethod,
  paymentMethodVisibility,
} from './offer.ts'
import { paymentGateways } from './payment-gateways.ts'
import { paymentMethods } from './payment-methods.ts'
import { paymentOptions } from './payment-options.ts'
import { paymentSourceWorkflow } from './payment-source-workflow.ts'
import { refunds } from './refunds.ts'
import { transactionWorkflow } from './transaction-workflow.ts'
import { transactions } from './transactions.ts'
import { vendorGateways } from './vendors/vendor-gateways.ts'
import { vendorCommands, vendorPayments } from './vendors/vendor-payments.ts'
import { VENDOR_SOURCES } from './vendors/vendors.ts'
import { ofOrderVisibility } from './visibility.ts'
import { voids } from './voids.ts'
import { customerPaymentSources } from './wallet/customer-payment-sources.ts'
import { walletWorkflow } from './wallet/wallet-workflow.ts'
import { wireTransfers } from './wire-transfers.ts'

/** The same for the payment sources of every vendor. */
const forVendors = <Value>(valueOf: (type: string) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(VENDOR_SOURCES.map((type) => [type, valueOf(type)]))

const OF_MOVEMENTS = ['create', 'succeeded', 'failed']

export const payments: Area = {
  resources: [
    paymentMethods,
    paymentGateways,
    manualGateways,
    externalGateways,
    ...vendorGateways,
    wireTransfers,
    externalPayments,
    ...vendorPayments,
    customerPaymentSources,
    paymentOptions,
    transactions,
    authorizations,
    captures,
    voids,
    refunds,
  ],
  visibility: {
    payment_methods: paymentMethodVisibility,
    wire_transfers: ofOrderVisibility,
    external_payments: ofOrderVisibility,
    ...forVendors(() => ofOrderVisibility),
    customer_payment_sources: ofCustomerVisibility,
    payment_options: ofOrderVisibility,
    transactions: ofOrderVisibility,
    authorizations: ofOrderVisibility,
    captures: ofOrderVisibility,
    voids: ofOrderVisibility,
    refunds: ofOrderVisibility,
  },
  workflows: {
    wire_transfers: paymentSourceWorkflow('wire_transfers'),
    external_payments: paymentSourceWorkflow('external_payments'),
    ...forVendors(paymentSourceWorkflow),
    customer_payment_sources: walletWorkflow,
    authorizations: transactionWorkflow,
    captures: transactionWorkflow,
    voids: transactionWorkflow,
    refunds: transactionWorkflow,
  },
  commands: {
    ...vendorCommands,
    authorizations: [capture, voidAuthorization, cancelAuthorization],
    captures: [refund, cancelCapture],
  },
  topics: {
    transactions: ['create', 'refused'],
    authorizations: OF_MOVEMENTS,
    captures: OF_MOVEMENTS,
    voids: OF_MOVEMENTS,
    refunds: OF_MOVEMENTS,
  },
  virtualRelationships: {
    order_available_payment_methods: availablePaymentMethods,
    order_default_payment_method: defaultPaymentMethod,
    order_available_customer_payment_sources: availableCustomerPaymentSources,
    wallet_of_source: walletOfSource,
  },
}
