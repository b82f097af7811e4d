/** One trace through two services and into a collector, over real HTTP. */
import { Secret } from '@merx/config/secret'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { silentLogger } from '@merx/testing/silent-logger'
import { trace } from '@opentelemetry/api'
import { raw } from 'express'
import { createInternalClient } from '../../src/internal-client.ts'
import { listen } from '../../src/listen.ts'
import { testApp } from './test-app.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const HOST = { host: '127.0.0.1', port: 0 }

describe('a trace', () => {
  it('goes on from the caller, through the internal call, to the collector', async () => {
    const received: Buffer[] = []
    const collectorApp = testApp((app) => {
      app.post('/v1/traces', raw({ type: () => true }), (req, res) => {
        received.push(req.body as Buffer)
        res.end()
      })
    })
    const collector = await listen(collectorApp.app, HOST)
    const backApp = testApp((app) => {
      app.get('/internal/things/:id', (req, res) => {
        res.json({ traceparent: req.get('traceparent') })
      })
    })
    const back = await listen(backApp.app, HOST)
    const key = new Secret('an-internal-key-of-some-length')
    const client = createInternalClient({ url: back.url, key, timeoutMs: 5_000, log: silentLogger })
    const frontApp = testApp((app) => {
      app.get('/things/:id', async (req, res) => {
        res.json(await client.get(`/internal/things/${req.params.id}`))
      })
    })
    const front = await listen(frontApp.app, HOST)

    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
    try {
      const telemetry = await startTelemetry({ service: 'merx-try', env: process.env, log: silentLogger })
      const headers = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` }
      const answer: unknown = await (await fetch(`${front.url}/things/7?secret=hunter2`, { headers })).json()
      expect(answer).toEqual({ traceparent: expect.stringContaining(`00-${TRACE_ID}-`) as string })
      expect(answer).not.toEqual(headers)
      await Promise.all([front.close(), back.close()])
      await telemetry.close()
      const sent = Buffer.concat(received)
      expect(sent.includes(Buffer.from(TRACE_ID, 'hex'))).toBe(true)
      expect(sent.toString('latin1')).toContain('GET /things/:id')
      expect(sent.toString('latin1')).toContain('GET /internal/things/:id')
      expect(sent.toString('latin1')).not.toContain('hunter2')
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
      trace.disable()
      await Promise.all([front.close(), back.close(), collector.close()])
    }
  })
})
