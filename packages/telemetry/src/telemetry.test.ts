/** Spans, sent to a collector over HTTP. */
import { loadConfig } from '@merx/config/load-config'
import { startOtlpCollector } from '@merx/testing/otlp-collector'
import { context } from '@opentelemetry/api'
import { createLogger } from './logger.ts'
import { runWithContext } from './request-context.ts'
import { withSpan } from './span.ts'
import { startTelemetry } from './start-telemetry.ts'
import { telemetryFields } from './telemetry-config.ts'
import { parseTraceparent, toTraceId } from './trace-ids.ts'
import { isTracing, startServerSpan } from './tracing.ts'

const log = createLogger({ service: 'try', level: 'silent' })
const REQUEST_ID = '0af76519-16cd-43dd-8448-eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'

/** Runs `work` with telemetry on. @returns the collector */
const collect = async (env: Record<string, string>, work: () => Promise<unknown>) => {
  const collector = await startOtlpCollector()
  const config = loadConfig(telemetryFields, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    ...env,
  })
  const telemetry = await startTelemetry({ service: 'merx-try', config, log })
  try {
    await work()
  } finally {
    await telemetry.close()
    await collector.close()
  }
  return collector
}

/** What an HTTP server does with a request. */
const serve = (traceparent: string | undefined, work: () => unknown): void => {
  const parent = parseTraceparent(traceparent)
  const traceId = parent?.traceId ?? toTraceId(REQUEST_ID)
  runWithContext({ requestId: REQUEST_ID }, () => {
    const started = startServerSpan({ traceId, parent, tracestate: 'vendor=1' }, 'GET')
    if (started === undefined) work()
    else context.with(started, work)
  })
}

describe('withSpan', () => {
  it('returns what the work returns, with or without a collector', async () => {
    expect(await withSpan('x', {}, () => 1)).toBe(1)
    expect(await withSpan('x', { rows: 2 }, async () => Promise.resolve(2))).toBe(2)
  })

  it('lets the error of the work through unchanged', async () => {
    const error = new Error('mine')
    await expect(
      withSpan('x', {}, async () => {
        throw error
      }),
    ).rejects.toBe(error)
  })
})

describe('startTelemetry', () => {
  it.each<[string, Record<string, string>]>([
    ['no endpoint', {}],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['the switch', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
  ])('stays off with %s: no span is recorded', async (_name, env) => {
    const config = loadConfig(telemetryFields, env)
    const telemetry = await startTelemetry({ service: 'try', config, log })
    expect(telemetry.isTracing).toBe(false)
    expect(isTracing()).toBe(false)
    await withSpan('off', {}, (span) => {
      expect(span.isRecording()).toBe(false)
    })
    await telemetry.close()
  })

  it('sends spans, their service and their errors to the collector, the last of them at close', async () => {
    const { spans, requestHeaders } = await collect(
      { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key', OTEL_RESOURCE_ATTRIBUTES: 'service.name=renamed' },
      async () => {
        await withSpan('engine.run', { 'merx.kind': 'breakdown' }, async () => Promise.resolve())
        const failing = withSpan('engine.fail', {}, () => {
          throw new Error('postgres://u:hunter2@h refused')
        })
        await expect(failing).rejects.toThrow('refused')
      },
    )
    expect(spans).toMatchObject([
      { service: 'renamed', name: 'engine.run', attributes: { 'merx.kind': 'breakdown' }, hasFailed: false },
      { service: 'renamed', name: 'engine.fail', hasFailed: true },
    ])
    expect(JSON.stringify(spans)).not.toContain('hunter2')
    expect(requestHeaders[0]).toMatchObject({ 'x-key': 'a key' })
  })

  it('makes the id of a request the id of its trace, and spans below it children', async () => {
    const { spans } = await collect({}, async () => {
      serve(undefined, () => void withSpan('inner', {}, () => withSpan('call', {}, () => 1)))
      await new Promise((resolve) => setImmediate(resolve))
    })
    const [call, inner] = spans
    expect(spans.map(({ name }) => name)).toEqual(['call', 'inner'])
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([toTraceId(REQUEST_ID)]))
    expect(call?.parentSpanId).toBe(inner?.spanId)
  })

  it('continues the trace of the caller below the span of the caller', async () => {
    const traceId = 'b'.repeat(32)
    const { spans } = await collect({}, async () => {
      serve(`00-${traceId}-${PARENT_ID}-01`, () => void withSpan('call', {}, () => 1))
      await new Promise((resolve) => setImmediate(resolve))
    })
    expect(spans).toMatchObject([{ name: 'call', traceId }])
    expect(spans[0]?.parentSpanId).not.toBe(PARENT_ID) // it is below the server's own span
  })

  it.each([
    ['the caller does not record', {}, `00-${'b'.repeat(32)}-${PARENT_ID}-00`],
    ['the sampler leaves it out', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, undefined],
    ['the share is 0', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, undefined],
  ])('makes no span anywhere in a request when %s', async (_name, env, traceparent) => {
    const { spans } = await collect(env, async () => {
      serve(traceparent, () => {
        void withSpan('inner', {}, (span) => expect(span.isRecording()).toBe(false))
      })
      await new Promise((resolve) => setImmediate(resolve))
    })
    expect(spans).toEqual([])
  })

  it('decides by the id alone, so that every service records the same requests', async () => {
    const kept: boolean[] = []
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
    const ids = Array.from({ length: 2_000 }, () => toTraceId(crypto.randomUUID()))
    const { spans } = await collect(env, async () => {
      for (const traceId of [...ids, ...ids]) {
        kept.push(startServerSpan({ traceId, parent: undefined, tracestate: undefined }, 'GET') !== undefined)
      }
      await new Promise((resolve) => setImmediate(resolve))
    })
    expect(spans).toEqual([]) // none of them was ended
    expect(kept.slice(0, ids.length)).toEqual(kept.slice(ids.length))
    const share = kept.filter(Boolean).length / kept.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.3)
  })

  it('does not hold up the end of the process for a collector that is unavailable', async () => {
    const config = loadConfig(telemetryFields, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_TRACES_SAMPLER: 'always_on',
    })
    const telemetry = await startTelemetry({ service: 'merx-try', config, log })
    await withSpan('lost', {}, () => 1)
    await expect(telemetry.close()).resolves.toBeUndefined()
  })
})
