import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { integrationTokenRequest } from '@merx/auth/load/token-requests'
import { recordAnswer } from '@merx/load/bare-express'
import type { Bench, Check } from '@merx/load/bench'
import { always } from '@merx/load/closed-loop'
import { compare, type Alternative, type ComparedAlternative } from '@merx/load/compare'
import { spreadOf } from '@merx/load/spread'
import { startOtlpCollector } from '@merx/testing/otlp-collector'
import { integrationOf } from '../auth/token-callers.ts'

/** Processor time of a request over that with everything off, in the same round. */
const COST_MAX = 1.05

/** Median over the rounds: what else the machine does disturbs rates by more than telemetry costs, processor time by less. */
const costCheck = ({ name, rounds }: ComparedAlternative, off: ComparedAlternative): Check => {
  const ratios = rounds.map(
    ({ cpuMsPerRequest }, index) => cpuMsPerRequest / (off.rounds[index]?.cpuMsPerRequest ?? NaN),
  )
  const { median, min, max } = spreadOf(ratios)
  return {
    name: `${name}: processor time of a request at most ${COST_MAX} times that with everything off`,
    found: `${median.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)})`,
    isMet: median <= COST_MAX,
  }
}

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
    const start = async (name: string, telemetry: Readonly<Record<string, string>>): Promise<Alternative> => {
      const target = await surroundings.start({ name, telemetry })
      const request = integrationTokenRequest(integrationOf(target, 0))
      await recordAnswer(target.url, request) // the token that is reused from here on
      return { name, target, callerOf: always(request) }
    }
    const comparison = await compare({
      name: 'reused token',
      roundSeconds: 2,
      rounds: 9,
      alternatives: [
        await start('everything off', { OTEL_SDK_DISABLED: 'true' }),
        await start('metrics on', {}),
        await start('metrics on, 1 % of traces', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.01' }),
        await start('metrics on, every trace', { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }),
      ],
      say,
    })
    const [off, metrics, sampled] = comparison.alternatives
    if (off === undefined || metrics === undefined || sampled === undefined) throw new Error('one is missing')
    const costs = [costCheck(metrics, off), costCheck(sampled, off)]
    const spans = collector.spans.length
    return {
      comparisons: [comparison],
      checks: [...costs, { name: 'traces reached the collector', found: `${spans} spans`, isMet: spans > 0 }],
    }
  },
}
