/** Metrics of the console beyond requests: how sign-ins end. */
import { instrumentsOf } from '@merx/telemetry/metrics'

const instruments = instrumentsOf('console', (meter) => ({
  signIns: meter.createCounter('merx_console_sign_ins', {
    description: 'Sign-ins by outcome: done, cancelled, expired or failed.',
  }),
}))

/** Called once per answer to the browser that comes back from auth. */
export const countSignIn = (outcome: 'done' | 'cancelled' | 'expired' | 'failed'): void =>
  instruments().signIns.add(1, { outcome })
