/** The one-command system is watched as the services are: its prometheus-targets.json leads to all that dashboards show. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { alerts } from '@merx/observability/alerts'
import { dashboards } from '@merx/observability/dashboards'
import { readPromql } from '@merx/observability/read-promql'
import { dataDir, demo } from '../support/demo.ts'

interface TargetGroup {
  readonly targets: readonly string[]
  readonly labels: { readonly job: string }
}

const SERVICES = ['auth', 'core', 'metrics']

const groups = (): readonly TargetGroup[] =>
  JSON.parse(readFileSync(path.join(dataDir(), 'prometheus-targets.json'), 'utf8')) as TargetGroup[]

const ask = async (job: string, where: string, init: RequestInit = {}): Promise<Response> => {
  const target = groups().find(({ labels }) => labels.job === job)?.targets[0]
  return fetch(`http://${target}${where}`, init)
}

/** Names of the samples that a metric of this type is shown as. */
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

describe('the one-command system', () => {
  it('says where each service is, for Prometheus', () => {
    expect(groups().map(({ labels }) => labels.job)).toEqual(SERVICES)
    for (const { targets } of groups()) expect(targets).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)])
  })

  it.each(SERVICES)('tells how %s is, with what it needs', async (job) => {
    expect((await ask(job, '/health/live')).status).toBe(200)
    const ready = await ask(job, '/health/ready')
    const { checks } = (await ready.json()) as { readonly checks: Readonly<Record<string, string>> }
    expect([ready.status, [...new Set(Object.values(checks))]]).toEqual([200, ['ok']])
  })

  it('shows every metric that dashboards and alerts ask for', async () => {
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

  it('counts what comes through the public address, for the service that answered', async () => {
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

  it('opens nothing else on those addresses: internal calls need the key, and the public side has none of it', async () => {
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
