/** What /metrics shows of requests, and that it is no path while metrics are off. */
import { setTimeout as wait } from 'node:timers/promises'
import { loadConfig } from '@merx/config/load-config'
import { AppError } from '@merx/errors/app-error'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { startTelemetry, type Telemetry } from '@merx/telemetry/start-telemetry'
import { telemetryFields } from '@merx/telemetry/telemetry-config'
import { silentLogger } from '@merx/testing/silent-logger'
import express, { Router } from 'express'
import request from 'supertest'
import { createAdminApp, type Phase } from '../../src/admin-app.ts'
import { beginStream } from '../../src/begin-stream.ts'
import { createApp } from '../../src/create-app.ts'
import { finishApp } from '../../src/finish-app.ts'

const STREAM_MS = 300

const appOf = (service: string) => {
  const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
  const app = createApp({ service, log: silentLogger, trustProxy: 0, ...dialect })
  const api = Router()
  api.get('/skus/:id', (_req, res) => {
    res.json({})
  })
  api.get('/skus/:id/prices', () => {
    throw new AppError('record_not_found')
  })
  app.use('/api', api)
  app.get('/limited', () => {
    throw new AppError('too_many_requests')
  })
  app.all('/named', (_req, res) => {
    res.locals.route = '/named/by/itself'
    res.end()
  })
  app.get('/stream', async (_req, res) => {
    beginStream(res, 'text/event-stream')
    await wait(STREAM_MS)
    res.end()
  })
  finishApp(app, { notFound: 'not_found', log: silentLogger })
  return app
}

const serving: Phase = { name: 'serving', internalApp: express() }
const scrape = async (service: string): Promise<string> => {
  const { text } = await request(createAdminApp(service, () => serving, silentLogger)).get('/metrics')
  return text
}

const countOf = (labels: string) => `http_server_request_duration_seconds_count{listener="public",${labels}} `

const start = (env: Record<string, string> = {}): Promise<Telemetry> =>
  startTelemetry({
    service: 'counted',
    config: loadConfig(telemetryFields, env),
    log: silentLogger,
  })

describe('requests', () => {
  it('are counted by method, template and class, resources by one name, never by ids or unknown paths', async () => {
    const telemetry = await start()
    const app = appOf('counted')
    await request(app).get('/api/skus/a')
    await request(app).get('/api/skus/b?secret=hunter2')
    await request(app).get('/api/skus/c/prices')
    await request(app).get('/nowhere/hunter2')
    await request(app).post('/named')
    await request(app).get('/limited')
    await request(app).get('/stream')
    const text = await scrape('counted')
    await telemetry.close()
    expect(text).toContain(`${countOf('method="GET",route="/api/:type/:id",status_class="2xx"')}2`)
    expect(text).toContain(
      `${countOf('method="GET",route="/api/:type/:id/:relationship",status_class="4xx"')}1`,
    )
    expect(text).toContain(`${countOf('method="GET",route="none",status_class="4xx"')}1`)
    expect(text).toContain(`${countOf('method="POST",route="/named/by/itself",status_class="2xx"')}1`)
    expect(text).toContain('merx_rate_limited_total{route="/limited"} 1')
    expect(text).toContain('merx_errors_total{listener="public",code="record_not_found"} 1')
    const [, seconds = ''] = /_seconds_sum\{[^}]*route="\/stream"[^}]*\} (\S+)/.exec(text) ?? []
    expect(seconds).not.toBe('')
    expect(Number(seconds)).toBeLessThan(STREAM_MS / 1_000)
    expect(text).not.toContain('hunter2')
  })

  it('are not counted, and /metrics is no path, while metrics are off', async () => {
    const telemetry = await start({ OTEL_METRICS_EXPORTER: 'none' })
    const app = appOf('counted')
    await request(app).get('/api/skus/a')
    const { status } = await request(createAdminApp('counted', () => serving, silentLogger)).get('/metrics')
    expect(status).toBe(503)
    await telemetry.close()
  })
})

describe('the internal listener', () => {
  it.each<[string, Phase, unknown]>([
    [
      'starting',
      { name: 'starting', waitingFor: { database: 'PostgreSQL at db: refused' } },
      { status: 'starting', waiting_for: { database: 'PostgreSQL at db: refused' } },
    ],
    ['draining', { name: 'draining', internalApp: undefined }, { status: 'draining' }],
  ])('says that it is alive but not ready while %s, and why', async (_name, phase, body) => {
    const app = createAdminApp('phases', () => phase, silentLogger)
    const ready = await request(app).get('/health/ready')
    expect([ready.status, ready.body, ready.headers['cache-control']]).toEqual([503, body, 'no-store'])
    expect((await request(app).get('/health/live')).status).toBe(200)
  })
})
