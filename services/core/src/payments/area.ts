import type { Area, VirtualRelationship } from '../engine/area.ts'
import { authorizations } from './authorizations.ts'
import { captures } from './captures.ts'
import { cancelAuthorization, cancelCapture } from './commands/cancel.ts'
import { capture } from './commands/capture.ts'
import { refund } from './commands/refund.ts'
import { voidAuthorization } from './commands/void.ts'
import { manualGateways } from './manual-gateways.ts'
import { availablePaymentMethods, defaultPaymentMethod, paymentMethodVisibility } from './offer.ts'
import { paymentGateways } from './payment-gateways.ts'
import { paymentMethods } from './payment-methods.ts'
import { paymentSourceWorkflow } from './payment-source-workflow.ts'
import { refunds } from './refunds.ts'
import { transactionWorkflow } from './transaction-workflow.ts'
import { transactions } from './transactions.ts'
import { ofOrderVisibility } from './visibility.ts'
import { voids } from './voids.ts'
import { wireTransfers } from './wire-transfers.ts'

const attachmentsOfTransaction: VirtualRelationship = ({ owner, target }) => [
  `${target}.attachable_type = 'transactions'`,
  `${target}.attachable_id = ${owner}.id`,
]

const OF_MOVEMENTS = ['create', 'succeeded', 'failed']

export const payments: Area = {
  resources: [
    paymentMethods,
    paymentGateways,
    manualGateways,
    wireTransfers,
    transactions,
    authorizations,
    captures,
    voids,
    refunds,
  ],
  visibility: {
    payment_methods: paymentMethodVisibility,
    wire_transfers: ofOrderVisibility,
    transactions: ofOrderVisibility,
    authorizations: ofOrderVisibility,
    captures: ofOrderVisibility,
    voids: ofOrderVisibility,
    refunds: ofOrderVisibility,
  },
  workflows: {
    wire_transfers: paymentSourceWorkflow('wire_transfers'),
    authorizations: transactionWorkflow,
    captures: transactionWorkflow,
    voids: transactionWorkflow,
    refunds: transactionWorkflow,
  },
  commands: {
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
    attachments_of_transaction: attachmentsOfTransaction,
  },
}
