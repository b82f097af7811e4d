/** One trace through two services and into a collector, over real HTTP. */
import { loadConfig } from '@merx/config/load-config'
import { Secret } from '@merx/config/secret'
import { AppError } from '@merx/errors/app-error'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { telemetryFields } from '@merx/telemetry/telemetry-config'
import { startOtlpCollector, type CollectedSpan } from '@merx/testing/otlp-collector'
import { silentLogger } from '@merx/testing/silent-logger'
import supertest from 'supertest'
import { createInternalClient } from '../../src/internal-client.ts'
import { listen } from '../../src/listen.ts'
import { testApp } from './test-app.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const REQUEST_ID = '0af76519-16cd-43dd-8448-eb211c80319c'
/** OTLP SpanKind. */
const CLIENT = 3
const CALLER = 'b7ad6b7169203331'
const HOST = { host: '127.0.0.1', port: 0 }

/** A service that calls another, which returns what it was sent or fails. */
const startPair = async () => {
  const back = testApp((app) => {
    app.get('/internal/things/broken', () => {
      throw new AppError('internal_server_error', { cause: 'hunter2' })
    })
    app.get('/internal/things/:id', (req, res) => {
      res.json({ traceparent: req.get('traceparent'), requestId: req.get('x-request-id') })
    })
  })
  const backServer = await listen(back.app, HOST)
  const key = new Secret('an-internal-key-of-some-length')
  const client = createInternalClient({ url: backServer.url, key, timeoutMs: 5_000, log: silentLogger })
  const front = testApp((app) => {
    app.get('/things/:id', async (req, res) => {
      res.json(await client.get(`/internal/things/${req.params.id}`))
    })
  })
  const frontServer = await listen(front.app, HOST)
  const close = async () => Promise.all([frontServer.close(), backServer.close()])
  return { url: frontServer.url, lines: front.lines, close }
}

/** Makes one request. @returns its answer and the spans that reached the collector */
const request = async (path: string, headers: Record<string, string>, env: Record<string, string> = {}) => {
  const collector = await startOtlpCollector()
  const config = loadConfig(telemetryFields, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    ...env,
  })
  const telemetry = await startTelemetry({ service: 'merx-try', config, log: silentLogger })
  const pair = await startPair()
  try {
    // Not fetch, which is traced here.
    const response = await supertest(pair.url).get(path).set(headers)
    const answer = response.body as Record<string, string>
    await pair.close()
    await telemetry.close()
    const id = response.headers['x-request-id']
    return { answer, status: response.status, id, spans: collector.spans, lines: pair.lines }
  } finally {
    await pair.close()
    await telemetry.close()
    await collector.close()
  }
}

/** In this order, whichever ended first: the server that was called, the call, the server that answered. */
const inOrder = (spans: readonly CollectedSpan[]) => [
  spans.find(({ name }) => name.startsWith('GET /internal/')),
  spans.find(({ kind }) => kind === CLIENT),
  spans.find(({ name }) => name.startsWith('GET /things/')),
]

const traceparent = (flags: string) => `00-${TRACE_ID}-${CALLER}-${flags}`

describe('a trace', () => {
  it('continues from the caller, through the internal call, to the collector', async () => {
    const { answer, id, spans, lines } = await request('/things/7?secret=hunter2', {
      traceparent: traceparent('01'),
    })
    const [backSpan, call, frontSpan] = inOrder(spans)
    expect(spans).toHaveLength(3)
    expect([backSpan, call, frontSpan].map((span) => [span?.name, span?.kind])).toEqual([
      ['GET /internal/things/:id', 2],
      ['GET', 3],
      ['GET /things/:id', 2],
    ])
    expect(spans.map(({ traceId }) => traceId)).toEqual([TRACE_ID, TRACE_ID, TRACE_ID])
    expect([backSpan, call, frontSpan].map((span) => span?.parentSpanId)).toEqual([
      call?.spanId,
      frontSpan?.spanId,
      CALLER,
    ])
    expect(answer).toEqual({ traceparent: `00-${TRACE_ID}-${call?.spanId}-01`, requestId: REQUEST_ID })
    expect(id).toBe(REQUEST_ID)
    expect(lines.at(-1)).toMatchObject({ msg: 'request', request_id: REQUEST_ID, trace_id: TRACE_ID })
    expect(JSON.stringify(spans)).not.toContain('hunter2')
  })

  it('has the id that errors name, and shows where it failed', async () => {
    const { status, spans, id } = await request('/things/broken', { traceparent: traceparent('01') })
    expect(status).toBe(500)
    expect(id).toBe(REQUEST_ID)
    const inTurn = inOrder(spans)
    expect(inTurn.filter((span) => span?.hasFailed).map((span) => span?.name)).toEqual([
      'GET /internal/things/broken',
      'GET',
      'GET /things/:id',
    ])
    expect(inTurn.at(-1)?.attributes).toMatchObject({
      'http.response.status_code': 500,
      'error.type': 'internal_server_error',
      'merx.request_id': REQUEST_ID,
    })
    expect(JSON.stringify(spans)).not.toContain('hunter2')
  })

  it('begins here with the id of the request when none came', async () => {
    const { spans, id } = await request(
      '/things/7',
      { 'x-request-id': REQUEST_ID },
      { OTEL_TRACES_SAMPLER: 'parentbased_always_on' },
    )
    expect(id).toBe(REQUEST_ID)
    expect(spans.map(({ traceId }) => traceId)).toEqual([TRACE_ID, TRACE_ID, TRACE_ID])
    expect(inOrder(spans).at(-1)?.parentSpanId).toBeUndefined()
  })

  it('does not start in the middle: when a caller or sampler leaves it out, all services do', async () => {
    const followed = await request('/things/7', { traceparent: traceparent('00') })
    expect(followed.spans).toEqual([])
    expect(followed.answer.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[\\da-f]{16}-00$`))
    expect(followed.lines.at(-1)).not.toHaveProperty('trace_id')
    const sampled = await request('/things/7', { 'x-request-id': REQUEST_ID })
    expect(sampled.spans).toEqual([])
    expect(sampled.answer.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[\\da-f]{16}-00$`))
  })

  it('passes through unchanged while telemetry is off', async () => {
    const { answer, spans, id } = await request(
      '/things/7',
      { traceparent: traceparent('01') },
      { OTEL_SDK_DISABLED: 'true' },
    )
    expect(spans).toEqual([])
    expect(answer).toEqual({ traceparent: traceparent('01'), requestId: REQUEST_ID })
    expect(id).toBe(REQUEST_ID)
  })

  it('ignores an invalid traceparent, and uses X-Request-Id', async () => {
    const { id } = await request('/things/7', { traceparent: 'nonsense', 'x-request-id': REQUEST_ID })
    expect(id).toBe(REQUEST_ID)
  })
})
