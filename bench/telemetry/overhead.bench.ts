import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { askAsIntegration } from '@merx/auth/load/token-requests'
import { recordAnswer } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare } from '@merx/load/compare'
import { startOtlpCollector } from '@merx/testing/otlp-collector'
import { integrationOf } from '../auth/token-callers.ts'

const RATIO_MIN = 0.95

/** The least work a request of Merx can be, so that telemetry weighs the most. */
export const bench: Bench = {
  summary:
    'What telemetry costs auth, answering a token issued before: metrics on, and metrics with one trace in a hundred sent to a collector, against the same service with everything off.',
  run: async ({ defer, say }) => {
    const collector = await startOtlpCollector()
    defer(collector.close)
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const traced = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    }
    const settings = [
      { name: 'everything off', telemetry: { OTEL_SDK_DISABLED: 'true' } },
      { name: 'metrics on', telemetry: {}, ratioMin: RATIO_MIN },
      {
        name: 'metrics on, 1 % of traces',
        telemetry: { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.01' },
        ratioMin: RATIO_MIN,
      },
      { name: 'metrics on, every trace', telemetry: { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' } },
    ]
    const alternatives = []
    for (const { name, telemetry, ...threshold } of settings) {
      const target = await surroundings.start({ name, telemetry })
      const request = askAsIntegration(integrationOf(target, 0))
      await recordAnswer(target.url, request) // the token that is reused from here on
      alternatives.push({ name, target, callerOf: always(request), ...threshold })
    }
    const comparison = await compare({ name: 'reused token', roundSeconds: 2, rounds: 9, alternatives, say })
    const spans = collector.spans.length
    return {
      comparisons: [comparison],
      checks: [{ name: 'traces reached the collector', found: `${spans} spans`, isMet: spans > 0 }],
    }
  },
}
