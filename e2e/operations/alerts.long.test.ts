/** Alerts in Prometheus's own hands: each calls on series on which it should, and on no other. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { requirePromtool } from '@merx/embedded/src/install-promtool.ts'
import { alerts, type Alert } from '@merx/observability/alerts'
import { renderAlerts } from '@merx/observability/render'
import { renderAlertTests } from '@merx/observability/render-alert-tests'

const TELEMETRY = path.resolve(import.meta.dirname, '../../infra/telemetry')
const TIMEOUT_MS = 60_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'merx-alerts-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const promtool = (...args: readonly string[]): { status: number | null; said: string } => {
  const tool = requirePromtool((line) => void process.stderr.write(`${line}\n`))
  if ('missing' in tool) throw new Error(tool.missing)
  const { status, stdout, stderr } = spawnSync(tool.program, args, { encoding: 'utf8', timeout: TIMEOUT_MS })
  return { status, said: `${stdout}${stderr}` }
}

const tryAlerts = (of: readonly Alert[], rules = renderAlerts()): { status: number | null; said: string } => {
  writeFileSync(path.join(folder, 'rules.yaml'), rules)
  writeFileSync(path.join(folder, 'tests.yaml'), renderAlertTests('rules.yaml', of))
  return promtool('test', 'rules', path.join(folder, 'tests.yaml'))
}

describe('an alert', () => {
  it.each(alerts.map((alert) => [alert.name, alert] as const))(
    '%s calls when it should, in words that can be read, and is quiet otherwise',
    (_name, alert) => {
      const { status, said } = tryAlerts([alert])
      expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')])
    },
    TIMEOUT_MS,
  )

  it.each([
    ['does not call', 'merx_redis_up == 0', 'merx_redis_up == 7'],
    ['always calls', 'merx_redis_up == 0', 'merx_redis_up >= 0'],
    ['calls too early', 'for: 2m', 'for: 0m'],
  ])('that %s is found out', (_what, text, instead) => {
    const redisUnavailable = alerts.filter(({ name }) => name === 'RedisUnavailable')
    const { status, said } = tryAlerts(redisUnavailable, renderAlerts().replaceAll(text, instead))
    expect([status, said]).toEqual([1, expect.stringContaining('FAILED')])
  })
})

describe('Prometheus', () => {
  it.each([
    ['rules', 'alerts.yaml'],
    ['config', 'prometheus.yaml'],
    ['config', 'prometheus.local.yaml'],
  ])('takes our %s', (kind, file) => {
    const { status, said } = promtool('check', kind, path.join(TELEMETRY, file))
    expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})
