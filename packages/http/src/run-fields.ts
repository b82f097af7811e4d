import { integer } from '@merx/config/fields'

/** Settings of runService that are alike in every service. */
export const runFields = {
  DRAIN_DELAY_MS: integer({
    default: 1_000,
    min: 0,
    max: 60_000,
    help: 'Asked to end, it says so in /health/ready and goes on answering this long, so that gateways hear of it.',
  }),
} as const
