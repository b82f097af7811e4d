/**
 * The system as separate processes behind nginx, watched from outside: one request is one trace from the gateway to the
 * databases, every metric that dashboards and alerts query is there, and a rollout loses no request.
 */
import { readFileSync } from 'node:fs'
import { findFreePort } from '@merx/local-postgres/free-port'
import { alerts } from '@merx/observability/alerts'
import { dashboards } from '@merx/observability/dashboards'
import { readPromql } from '@merx/observability/read-promql'
import { eventually } from '@merx/testing/eventually'
import { startOtlpCollector, type CollectedSpan, type OtlpCollector } from '@merx/testing/otlp-collector'
import { openLab, type Lab } from '../faults/support/lab.ts'
import { createServiceProcess, type ServiceName } from '../faults/support/service-process.ts'
import { first } from '../support/demo.ts'
import { launchGateway } from '../support/launch-gateway.ts'
import { send, type Reply } from '../support/send.ts'

const FROM = '127.0.0.1'
const JSON_API = 'application/vnd.api+json'
const METRICS = 'application/vnd.api.v1+json'

let collector: OtlpCollector
let lab: Lab

beforeAll(async () => {
  collector = await startOtlpCollector()
  lab = await openLab({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      LOG_LEVEL: 'debug',
      DRAIN_DELAY_MS: '3000',
    },
  })
}, 240_000)
afterAll(async () => {
  await lab.close()
  await collector.close()
})

const shop = () => first(lab.demo.organizations, 'organization').environments.test

const askToken = (body: Record<string, string>): Promise<Reply> =>
  send({
    method: 'POST',
    url: `${lab.addresses.auth}/oauth/token`,
    from: FROM,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', ...body }),
  })

const tokenOf = (reply: Reply): string => reply.json<{ access_token: string }>().access_token

const integrationToken = async (): Promise<string> => {
  const { client_id, client_secret } = shop().credentials.integration
  return tokenOf(await askToken({ client_id, client_secret }))
}

const getList = (token: string, path = '/api/orders?page%5Bsize%5D=1'): Promise<Reply> =>
  send({
    url: `${lab.addresses.core}${path}`,
    from: FROM,
    headers: { Accept: JSON_API, Authorization: `Bearer ${token}` },
  })

const write = (token: string, type: string, attributes: object): Promise<Reply> =>
  send({
    method: 'POST',
    url: `${lab.addresses.core}/api/${type}`,
    from: FROM,
    headers: { Accept: JSON_API, 'Content-Type': JSON_API, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ data: { type, attributes } }),
  })

/** An event for a webhook whose receiver nobody runs. */
const failToDeliver = async (token: string): Promise<void> => {
  const webhook = { topic: 'customers.create', callback_url: 'http://127.0.0.1:1/' }
  for (const [type, attributes] of [
    ['webhooks', webhook],
    ['customers', { email: 'webhook@example.com' }],
  ] as const) {
    const reply = await write(token, type, attributes)
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  }
  await eventually(async () => (await scrape('core')).has('merx_core_webhook_failures'))
}

/** Changes an order, so that metrics has a batch to store. */
const changeOrder = async (token: string): Promise<void> => {
  const [order] = (await getList(token)).json<{ data: { id: string }[] }>().data
  const id = order?.id ?? ''
  const reply = await send({
    method: 'PATCH',
    url: `${lab.addresses.core}/api/orders/${id}`,
    from: FROM,
    headers: { Accept: JSON_API, 'Content-Type': JSON_API, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ data: { type: 'orders', id, attributes: { reference: 'changed' } } }),
  })
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
}

const askMetrics = (token: string, body: unknown): Promise<Reply> =>
  send({
    method: 'POST',
    url: `${lab.addresses.metrics}/metrics/orders/breakdown`,
    from: FROM,
    headers: { Accept: METRICS, 'Content-Type': JSON_API, Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

/** Kinds of spans (OTLP SpanKind). */
const SERVER = 2
const CLIENT = 3

const BREAKDOWN = {
  breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' },
  filter: {
    order: { date_from: '2026-01-01T00:00:00Z', date_to: '2026-12-31T00:00:00Z', date_field: 'created_at' },
  },
}

const idOf = ({ headers }: Reply): string => String(headers['x-request-id'])

/** The spans of one request, once the server spans of these services have come: each process sends its own, in its time. */
const traceOf = async (
  requestId: string,
  ...services: readonly ServiceName[]
): Promise<readonly CollectedSpan[]> => {
  const traceId = requestId.replaceAll('-', '')
  const found = () => collector.spans.filter((span) => span.traceId === traceId)
  const hasCome = (name: ServiceName): boolean =>
    found().some(({ service, kind }) => service === name && kind === SERVER)
  await eventually(() => Promise.resolve(services.every(hasCome)))
  return found()
}

const logOf = (name: ServiceName): readonly Record<string, unknown>[] =>
  readFileSync(lab.services[name].logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const systemsOf = (spans: readonly CollectedSpan[]) =>
  new Set(spans.map(({ attributes }) => attributes['db.system.name']).filter((name) => name !== undefined))

describe('one request is one trace', () => {
  it('from the gateway through auth to Redis, PostgreSQL and core', async () => {
    const { client_id } = shop().credentials.sales_channel
    const market = first(shop().markets, 'market', (candidate) => !candidate.private)
    const reply = await askToken({ client_id, scope: `market:code:${market.code}` })
    expect(reply.status).toBe(200)
    const spans = await traceOf(idOf(reply), 'auth', 'core')
    expect(systemsOf(spans)).toEqual(new Set(['redis', 'postgresql']))
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['auth', 'core']))
    const root = spans.find(({ parentSpanId }) => parentSpanId === undefined)
    expect(root).toMatchObject({ service: 'auth', kind: SERVER, name: 'POST /oauth/token' })
    const inCore = spans.find(({ service, kind }) => service === 'core' && kind === SERVER)
    const call = spans.find(({ spanId }) => spanId === inCore?.parentSpanId)
    expect(call).toMatchObject({ service: 'auth', kind: CLIENT })
    expect(call?.parentSpanId).toBe(root?.spanId)
  })

  it('from the gateway through core to PostgreSQL', async () => {
    const reply = await getList(await integrationToken())
    expect(reply.status).toBe(200)
    const spans = await traceOf(idOf(reply), 'core')
    expect(systemsOf(spans)).toContain('postgresql')
    expect(spans.map(({ name }) => name)).toContain('GET /api/orders')
  })

  it('from the gateway through metrics to ClickHouse, and the error has its id', async () => {
    const token = await integrationToken()
    const reply = await askMetrics(token, BREAKDOWN)
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
    const id = reply.json<{ meta: { trace_id: string } }>().meta.trace_id
    expect(id).toBe(idOf(reply))
    expect(systemsOf(await traceOf(id, 'metrics'))).toContain('clickhouse')

    const refused = await askMetrics(token, { breakdown: {} })
    const refusedId = refused.json<{ error: { meta: { trace_id: string } } }>().error.meta.trace_id
    expect(refusedId).toBe(idOf(refused))
    const spans = await traceOf(refusedId, 'metrics')
    expect(spans.find(({ kind }) => kind === SERVER)?.attributes).toMatchObject({
      'http.route': '/metrics/orders/breakdown',
      'http.response.status_code': refused.status,
      'error.type': expect.any(String) as string,
    })
    const lines = logOf('metrics').filter((line) => line['request_id'] === refusedId)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line['trace_id']).toBe(refusedId.replaceAll('-', ''))
  })
})

/** Metrics of one service by name, with the labels their samples have. */
const scrape = async (name: ServiceName): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { status, headers, text } = await send({ url: `${lab.internalUrls[name]}/metrics`, from: FROM })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const found = new Map<string, Set<string>>()
  for (const [, metric = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const suffix of suffixes) found.set(metric + suffix, new Set())
  }
  for (const [, metric = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(metric) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    found.set(metric, known)
  }
  return found
}

/** Added by Prometheus itself. */
const OF_PROMETHEUS = ['job', 'instance']

describe('metrics', () => {
  it('of every service include those that dashboards and alerts query, with their labels', async () => {
    const token = await integrationToken()
    await integrationToken()
    await askToken({ client_id: 'nobody', client_secret: 'wrong' })
    await send({
      method: 'POST',
      url: `${lab.addresses.auth}/oauth/revoke`,
      from: FROM,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...shop().credentials.integration, token }),
    })
    await changeOrder(await integrationToken())
    await failToDeliver(await integrationToken())
    await getList('nonsense')
    await askMetrics(await integrationToken(), BREAKDOWN)
    await eventually(async () => (await scrape('metrics')).has('merx_metrics_ingest_batch_entries_count'))
    const names = ['auth', 'core', 'metrics'] as const
    // A young process may not have collected garbage yet; what it answers meanwhile makes some.
    for (const name of names)
      await eventually(async () => (await scrape(name)).has('v8js_gc_duration_seconds_sum'))
    const exposed = new Map(await Promise.all(names.map(async (name) => [name, await scrape(name)] as const)))
    const of = (name: string) => exposed.get(name as ServiceName) ?? new Map<string, ReadonlySet<string>>()
    const everywhere = new Map(names.flatMap((name) => [...of(name)]))

    const asked = [
      // The console is no part of this lab; laptop-metrics.test.ts looks at its dashboard.
      ...names.flatMap((name) => {
        const { panels = [] } = dashboards.find(({ service }) => service === name) ?? {}
        return panels.flatMap(({ lines }) => lines.map(([expression]) => ({ expression, from: of(name) })))
      }),
      ...alerts.map(({ expression }) => ({ expression, from: everywhere })),
    ]
    const missing: string[] = []
    const unseen = new Set<string>()
    for (const { expression, from } of asked) {
      const { selections, grouping } = readPromql(expression)
      for (const { metric, labels } of selections) {
        const known = from.get(metric)
        const wanted = [...labels, ...grouping].filter((label) => !OF_PROMETHEUS.includes(label))
        if (metric === 'up') continue // made by Prometheus
        if (known === undefined) missing.push(`${metric} in ${expression}`)
        else if (known.size === 0 && wanted.length > 0) unseen.add(metric)
        else
          for (const label of wanted)
            if (!known.has(label)) missing.push(`${metric}{${label}} in ${expression}`)
      }
    }
    expect(missing).toEqual([])
    // Nothing of these happened here: no sample shows their labels.
    expect(
      [...unseen].filter((metric) => !/^merx_(rate_limited|metrics_failures)_total$/.test(metric)),
    ).toEqual([])
  })

  it('have labels of bounded number: templates, never ids or unknown paths', async () => {
    await getList(await integrationToken(), '/api/orders/abcdefghij/line_items')
    await getList(await integrationToken(), '/api/strange-1/strange-2')
    await send({ url: `${lab.addresses.auth}/strange-3`, from: FROM, method: 'PATCH' })
    const texts = await Promise.all(
      (['auth', 'core'] as const).map(async (name) =>
        send({ url: `${lab.internalUrls[name]}/metrics`, from: FROM }),
      ),
    )
    const text = texts.map((reply) => reply.text).join('\n')
    expect(text).not.toMatch(/strange|abcdefghij/)
    expect(text).toContain('route="/api/:type/:id/:relationship"')
  })

  it('are not reachable through the gateway', async () => {
    const reply = await send({ url: `${lab.addresses.core}/metrics`, from: FROM })
    expect(reply.status).not.toBe(200)
    expect(reply.text).not.toContain('# TYPE')
    expect((await send({ url: `${lab.addresses.auth}/metrics`, from: FROM })).status).toBe(404)
  })
})

const hostOf = (url: string): string => new URL(url).host

describe('a rollout', () => {
  it('of core under load, old and new side by side behind the gateway, loses no request', async () => {
    const { auth, core, metrics } = lab.services
    const places = { auth: hostOf(auth.url), metrics: hostOf(metrics.url) }
    const gateway = await launchGateway({ ...places, core: hostOf(core.url) })
    const next = createServiceProcess({
      name: 'core',
      port: await findFreePort(),
      internalPort: await findFreePort(),
      env: lab.environment.core,
      folder: lab.folder,
    })
    const token = await integrationToken()
    const statuses = new Map<number | string, number>()
    let isOver = false
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const outcome = await send({
          url: `${gateway.baseUrl}/api/orders?page%5Bsize%5D=1`,
          from: FROM,
          headers: { Accept: JSON_API, Authorization: `Bearer ${token}` },
        }).then(
          ({ status }) => status,
          (error: unknown) => String(error),
        )
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
      }
    }
    const asking = Array.from({ length: 8 }, ask)
    try {
      await next.start()
      await eventually(async () => {
        const reply = await send({ url: next.url, from: FROM }).catch(() => undefined)
        return reply !== undefined
      })
      await gateway.reload({ GATEWAY_CORE: hostOf(next.url) })
      const stopping = core.stop()
      let isStopped = false
      void stopping.then(() => (isStopped = true))
      const answers: string[] = []
      while (!isStopped && !answers.some((text) => text.includes('draining'))) {
        const reply = await send({ url: `${lab.internalUrls.core}/health/ready`, from: FROM }).catch(
          () => undefined, // it has closed
        )
        if (reply !== undefined) answers.push(`${reply.status} ${reply.text}`)
      }
      expect(answers.at(-1)).toBe('503 {"status":"draining"}')
      await stopping
      const before = statuses.get(200) ?? 0
      await eventually(() => Promise.resolve((statuses.get(200) ?? 0) > before + 50))
    } finally {
      isOver = true
      await Promise.all(asking)
      await gateway.stop()
      await next.stop()
      await core.start()
    }
    expect([...statuses.keys()]).toEqual([200])
    const said = logOf('core').map(({ msg }) => msg)
    expect(said).toContain('core is stopping')
    expect(said).not.toContain('core did not start or stop cleanly')
  }, 180_000)
})
