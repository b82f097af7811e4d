import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { askAsIntegration } from '@merx/auth/load/token-requests'
import { recordAnswer } from '@merx/load/bare-express'
import type { Bench } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare, type Alternative } from '@merx/load/compare'
import { startOtlpCollector } from '@merx/testing/otlp-collector'
import { integrationOf } from '../auth/token-callers.ts'

const RATIO_MIN = 0.95

/** The least work a request of Merx can be, so that telemetry weighs the most. */
export const bench: Bench = {
  summary:
    'What telemetry costs auth, answering a token issued before: metrics on, and metrics with one trace in a hundred sent to a collector, against the same service with everything off.',
  run: async ({ defer, say }) => {
    const collector = await startOtlpCollector()
    defer(() => collector.close())
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const traced = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    }
    const start = async (
      name: string,
      telemetry: Readonly<Record<string, string>>,
      ratioMin?: number,
    ): Promise<Alternative> => {
      const target = await surroundings.start({ name, telemetry })
      const request = askAsIntegration(integrationOf(target, 0))
      await recordAnswer(target.url, request) // the token that is reused from here on
      return { name, target, callerOf: always(request), ...(ratioMin === undefined ? {} : { ratioMin }) }
    }
    const comparison = await compare({
      name: 'reused token',
      roundSeconds: 2,
      rounds: 9,
      alternatives: [
        await start('everything off', { OTEL_SDK_DISABLED: 'true' }),
        await start('metrics on', {}, RATIO_MIN),
        await start('metrics on, 1 % of traces', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.01' }, RATIO_MIN),
        await start('metrics on, every trace', { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }),
      ],
      say,
    })
    const spans = collector.spans.length
    return {
      comparisons: [comparison],
      checks: [{ name: 'traces reached the collector', found: `${spans} spans`, isMet: spans > 0 }],
    }
  },
}
