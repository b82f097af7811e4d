import { randomUUID } from 'node:crypto'
import type { Exchange } from '@merx/http/access-log'
import { measureRequests } from '@merx/http/measure-requests'
import type { Bench } from '@merx/load/bench'
import { toTraceId } from '@merx/telemetry/trace-ids'
import { isRecording, startServerSpan } from '@merx/telemetry/tracing'
import { recordSpans } from '@merx/testing/record-spans'

const CALLS = 500_000
const ROUNDS = 9
const NS_PER_US = 1_000
/** Of processor time, so that what else the machine does counts little. */
const METRICS_NS_MAX = 5_000
const UNSAMPLED_NS_MAX = 5_000

/** Nanoseconds of this process's processor time for one call, median of rounds. */
const costOf = (call: (index: number) => unknown): number => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (let index = 0; index < CALLS; index += 1) call(index)
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * NS_PER_US) / CALLS
  })
  return Math.round(rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN)
}

/** A request that was answered, as far as metrics read it. */
const answered = (): Exchange => {
  const req = {
    method: 'POST',
    baseUrl: '',
    originalUrl: '/oauth/token',
    route: { path: '/oauth/token' },
  }
  const res = { statusCode: 200, locals: {} }
  return { req, res, ms: 0.4, isAborted: false } as unknown as Exchange
}

export const bench: Bench = {
  summary:
    'What telemetry adds to one request, each part alone, in processor time: no other work of the machine is in it.',
  run: async ({ defer }) => {
    const ids = Array.from({ length: 1_024 }, () => toTraceId(randomUUID()))
    const idAt = (index: number): string => ids[index % ids.length] ?? ''
    const begin = (index: number) =>
      startServerSpan({ traceId: idAt(index), parent: undefined, tracestate: undefined }, 'POST')
    const off = costOf(begin)
    const recording = await recordSpans({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    defer(() => recording.stop())
    const unsampled = costOf(begin)
    const checked = costOf(isRecording)
    const exchange = answered()
    const measure = measureRequests('bench')
    const measured = costOf(() => measure(exchange))
    return {
      tables: [
        {
          title: 'One call',
          columns: ['part', 'ns'],
          rows: [
            ['a request while traces are off', String(off)],
            ['a request that is not recorded', String(unsampled)],
            ['a call of it: whether to make a span', String(checked)],
            ['metrics of a request', String(measured)],
          ],
        },
      ],
      checks: [
        { name: 'metrics of a request', found: `${measured} ns`, isMet: measured <= METRICS_NS_MAX },
        {
          name: 'a request that is not recorded',
          found: `${unsampled} ns`,
          isMet: unsampled <= UNSAMPLED_NS_MAX,
        },
      ],
    }
  },
}
