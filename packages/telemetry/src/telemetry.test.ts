/** Spans against a real collector: an HTTP server that keeps what it is sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { trace } from '@opentelemetry/api'
import { createLogger } from './logger.ts'
import { withSpan } from './span.ts'
import { startTelemetry } from './start-telemetry.ts'

const log = createLogger({ service: 'try', level: 'silent' })

const startCollector = async () => {
  const received: { path: string; bytes: Buffer }[] = []
  const server = createServer((req, res) => {
    void buffer(req).then((bytes) => {
      received.push({ path: req.url ?? '', bytes })
      res.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${port}`, received, close }
}

describe('withSpan', () => {
  it('gives what the work gives, with or without a collector', async () => {
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
  it.each([
    ['no endpoint', {}],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['the switch', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
  ])('stays off with %s: no span is recorded', async (_name, env) => {
    const telemetry = await startTelemetry({ service: 'try', env, log })
    expect(telemetry.isOn).toBe(false)
    await withSpan('off', {}, (span) => {
      expect(span.isRecording()).toBe(false)
    })
    await telemetry.close()
  })

  it('sends spans, their service and their errors to the collector, the last of them at close', async () => {
    const collector = await startCollector()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
    try {
      const telemetry = await startTelemetry({ service: 'merx-try', env: process.env, log })
      expect(telemetry.isOn).toBe(true)
      await withSpan('engine.run', { 'merx.kind': 'breakdown' }, async () => Promise.resolve())
      const failing = withSpan('engine.fail', {}, () => {
        throw new Error('postgres://u:hunter2@h refused')
      })
      await expect(failing).rejects.toThrow('refused')
      await telemetry.close()
      const sent = Buffer.concat(collector.received.map(({ bytes }) => bytes)).toString('latin1')
      expect(collector.received.map(({ path }) => path)).toContain('/v1/traces')
      for (const text of ['merx-try', 'engine.run', 'breakdown', 'engine.fail', 'refused']) {
        expect(sent).toContain(text)
      }
      expect(sent).not.toContain('hunter2')
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
      trace.disable()
      await collector.close()
    }
  })
})
