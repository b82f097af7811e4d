/** Metrics of payments that a person has to see to. */
import { instrumentsOf } from '@merx/telemetry/metrics'

const instruments = instrumentsOf('core', (meter) => ({
  givenUp: meter.createCounter('merx_core_payments_given_up', {
    description:
      'Attempts at gateways that a person sees to: nobody knows what was moved, money was not given back, or cannot be.',
  }),
}))

const REASONS = ['unknown', 'not_given_back', 'irreversible'] as const

export const countGivenUp = (reason: (typeof REASONS)[number]): void =>
  instruments().givenUp.add(1, { reason })

/** A counter is exposed from its first value on; alerts need the 0 before it. */
export const beginPaymentMetrics = (): void => {
  for (const reason of REASONS) instruments().givenUp.add(0, { reason })
}
