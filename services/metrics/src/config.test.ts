import { readFile } from 'node:fs/promises'
import { describeConfig } from '@merx/config/describe-config'
import { loadMetricsConfig, metricsConfigSchema } from './config.ts'

const ENV = { SERVICE_KEY: 'k3y-of-services-123456' }

describe('loadMetricsConfig', () => {
  it('needs nothing but the service key', () => {
    expect(loadMetricsConfig(ENV)).toMatchObject({
      port: 3003,
      internalPort: 3103,
      metricsDialect: 'strict',
      clickhouseUrl: undefined,
    })
  })

  it.each([
    ['SERVICE_KEY', 'short'],
    ['METRICS_DIALECT', 'loose'],
    ['CLICKHOUSE_URL', 'ftp://x'],
    ['QUERY_TIMEOUT_MS', '1'],
    ['RATE_LIMIT_SCALE', '0'],
    ['METRICS_INGEST', 'maybe'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadMetricsConfig({ ...ENV, [name]: value })).toThrow(name)
  })

  it('never prints a secret', () => {
    expect(JSON.stringify(loadMetricsConfig(ENV))).not.toContain(ENV.SERVICE_KEY)
  })
})

describe('what is written about the service', () => {
  it('README.md shows the configuration as it is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(describeConfig(metricsConfigSchema))
  })

  it('README.md and the recipe name only files that exist', async () => {
    const root = new URL('../../../', import.meta.url)
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const recipe = await readFile(new URL('docs/how-to/add-a-metric-field.md', root), 'utf8')
    const paths = [
      ...[...readme.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path]) => `services/metrics/${path ?? ''}`),
      ...[...recipe.matchAll(/`((?:packages|services|docs)\/[\w./-]+)`/g)].map(([, path]) => path ?? ''),
    ]
    expect(paths.length).toBeGreaterThan(15)
    const { existsSync } = await import('node:fs')
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })

  it('docs/reference/metrics-fields.md is what the catalogue says', async () => {
    const { REFERENCE, renderReference } = await import('../gen/metrics-fields-reference.ts')
    expect(await readFile(REFERENCE, 'utf8')).toBe(renderReference())
  })
})
