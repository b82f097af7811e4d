/** The one-command system is monitored as the services are: its prometheus-targets.json leads to all that dashboards show. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { alerts } from '@merx/observability/alerts'
import { dashboards } from '@merx/observability/dashboards'
import { readPromql } from '@merx/observability/read-promql'
import { eventually } from '@merx/testing/eventually'
import { accessToken, clientCredentials, connect } from './support/connect.ts'
import { dataDir, demo, environment, first } from './support/demo.ts'
import type { CollectionDocument, TokenBody } from './support/wire.ts'

interface TargetGroup {
  readonly targets: readonly string[]
  readonly labels: { readonly job: string }
}

const SERVICES = ['auth', 'core', 'metrics', 'console']

const groups = (): readonly TargetGroup[] =>
  JSON.parse(readFileSync(path.join(dataDir(), 'prometheus-targets.json'), 'utf8')) as TargetGroup[]

const ask = async (job: string, where: string, init: RequestInit = {}): Promise<Response> => {
  const target = groups().find(({ labels }) => labels.job === job)?.targets[0]
  return fetch(`http://${target}${where}`, init)
}

/** Suffixes of the samples of a metric of this type. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = { histogram: ['_bucket', '_sum', '_count'] }

const shown = async (job: string): Promise<ReadonlySet<string>> => {
  const text = await (await ask(job, '/metrics')).text()
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type = '']) =>
      (SUFFIXES[type] ?? ['']).map((suffix) => name + suffix),
    ),
  )
}

const askedBy = (expression: string): string[] =>
  readPromql(expression)
    .selections.map(({ metric }) => metric)
    .filter((metric) => metric !== 'up') // Prometheus's own

const BREAKDOWN = {
  breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' },
  filter: {
    order: { date_from: '2026-01-01T00:00:00Z', date_to: '2026-12-31T00:00:00Z', date_field: 'created_at' },
  },
}

/** Counters and histograms are shown once they have a value. */
const useEverything = async (): Promise<void> => {
  const { auth, core, metrics } = connect()
  const json = { 'Content-Type': 'application/json' }
  // A scope that no other test uses: a token that is revoked must not be reused there.
  const place = { mode: 'live', organization: 1 } as const
  const open = environment(place.mode, place.organization).markets.filter((market) => !market.private)
  const scope = open.map(({ id }) => `market:id:${id}`).join(' ')
  const fields = clientCredentials('sales_channel', { ...place, scope })
  const issued = await auth('POST', '/oauth/token', json, fields)
  const { access_token } = issued.json<TokenBody>()
  await auth('POST', '/oauth/token', json, { ...fields, client_id: 'nobody' })
  const revoked = await auth('POST', '/oauth/revoke', json, {
    client_id: fields.client_id,
    token: access_token,
  })

  const token = await accessToken('integration')
  const { id } = first((await core('orders', { token })).json<CollectionDocument>().data, 'order')
  const data = { type: 'orders', id, attributes: { reference: 'changed' } }
  const changed = await core(`orders/${id}`, { token, method: 'PATCH', body: { data } })
  const read = await metrics('orders/breakdown', BREAKDOWN, { token })
  expect([issued, revoked, changed, read].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await fetch(`${demo().base_url}/console/sign-in?organization=nobody`)
  // Nobody began it, so it is `expired`.
  await fetch(`${demo().base_url}/console/callback?code=nothing`, { redirect: 'manual' })
  await eventually(async () => (await shown('metrics')).has('merx_metrics_ingest_batch_entries_count'))
}

describe('the one-command system', () => {
  it('lists the address of each service for Prometheus', () => {
    expect(groups().map(({ labels }) => labels.job)).toEqual(SERVICES)
    for (const { targets } of groups()) expect(targets).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)])
  })

  it.each(SERVICES)('reports the health of %s and of its dependencies', async (job) => {
    expect((await ask(job, '/health/live')).status).toBe(200)
    const ready = await ask(job, '/health/ready')
    const { checks } = (await ready.json()) as { readonly checks: Readonly<Record<string, string>> }
    // The console depends on nothing: without Redis sessions end, and that is all.
    const expected = job === 'console' ? [] : ['ok']
    expect([ready.status, [...new Set(Object.values(checks))]]).toEqual([200, expected])
  })

  it('shows every metric that dashboards and alerts query', async () => {
    await useEverything()
    const byService = new Map(
      await Promise.all(SERVICES.map(async (job) => [job, await shown(job)] as const)),
    )
    const everywhere = new Set([...byService.values()].flatMap((names) => [...names]))
    const missing = [
      ...dashboards.flatMap(({ service, panels }) =>
        panels
          .flatMap(({ lines }) => lines.flatMap(([expression]) => askedBy(expression)))
          .filter((metric) => byService.get(service)?.has(metric) !== true)
          .map((metric) => `${service}: ${metric}`),
      ),
      ...alerts.flatMap(({ expression }) => askedBy(expression)).filter((metric) => !everywhere.has(metric)),
    ]
    expect([everywhere.size > 0, missing]).toEqual([true, []])
  })

  it('counts a request to the public address for the service that answered it', async () => {
    const count = async (): Promise<number> => {
      const text = await (await ask('core', '/metrics')).text()
      const lines = text.matchAll(
        /^http_server_request_duration_seconds_count\{(?=.*listener="public")(?=.*status_class="4xx").*\} (\d+)/gm,
      )
      return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
    }
    const before = await count()
    await fetch(`${demo().base_url}/api/skus`)
    expect(await count()).toBeGreaterThan(before)
  })

  it('opens nothing else on those addresses: internal calls need the key, and public addresses serve none of them', async () => {
    for (const [job, where, method] of [
      ['auth', '/internal/access-state', 'GET'],
      ['core', '/internal/order-feed', 'GET'],
      ['metrics', '/internal/ingest/rebuild', 'POST'],
    ] as const)
      expect([where, (await ask(job, where, { method })).status]).toEqual([where, 401])
    const { base_url: base, auth_url: auth } = demo()
    for (const url of [`${base}/health/ready`, `${auth}/health/ready`, `${auth}/metrics`])
      expect([url, (await fetch(url)).status]).toEqual([url, 404])
  })
})
