import type { Area } from '../engine/area.ts'
import { manualGateways } from './manual-gateways.ts'
import { availablePaymentMethods, defaultPaymentMethod, paymentMethodVisibility } from './offer.ts'
import { paymentGateways } from './payment-gateways.ts'
import { paymentMethods } from './payment-methods.ts'

export const payments: Area = {
  resources: [paymentMethods, paymentGateways, manualGateways],
  visibility: { payment_methods: paymentMethodVisibility },
  virtualRelationships: {
    order_available_payment_methods: availablePaymentMethods,
    order_default_payment_method: defaultPaymentMethod,
  },
}
