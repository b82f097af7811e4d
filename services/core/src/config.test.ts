import { readFile } from 'node:fs/promises'
import { describeConfig } from '@merx/config/describe-config'
import { coreConfigSchema, loadCoreConfig } from './config.ts'

const ENV = {
  CORE_DATABASE_URL: 'postgresql://localhost/merx_core',
  SERVICE_KEY: 'Zq3v9Lw2Xr7Tn5Kp',
  ID_SECRET: 'Hk4d8Rm1Vb6Yc0Pf3Jt7Ws2Qz5Ng9LxT',
}

describe('configuration of core', () => {
  it('needs a database and its secrets; everything else has a safe default', () => {
    expect(loadCoreConfig(ENV)).toMatchObject({
      port: 3002,
      internalPort: 3102,
      merxDomain: 'merx.localhost',
      authInternalUrl: 'http://127.0.0.1:3101',
      publicBaseUrl: undefined,
      redisUrl: undefined,
      trustProxy: 0,
      rateLimitScale: 1,
    })
  })

  it('names everything that is missing at once', () => {
    expect(() => loadCoreConfig({})).toThrow(/CORE_DATABASE_URL[^]*SERVICE_KEY[^]*ID_SECRET/)
  })

  it.each([
    ['PUBLIC_BASE_URL', 'ftp://x'],
    ['CORE_DATABASE_URL', 'mysql://localhost/x'],
    ['SERVICE_KEY', 'short'],
    ['ID_SECRET', ENV.ID_SECRET.slice(1)],
    ['STATEMENT_TIMEOUT_MS', '0'],
    ['RATE_LIMIT_SCALE', '0'],
    ['MERX_DOMAIN', '*.example.com'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadCoreConfig({ ...ENV, [name]: value })).toThrow(name)
  })

  it('never prints a secret', () => {
    const text = JSON.stringify(loadCoreConfig(ENV))
    for (const secret of [ENV.SERVICE_KEY, ENV.ID_SECRET]) expect(text).not.toContain(secret)
  })
})

describe('README.md', () => {
  it('shows the configuration as it is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(describeConfig(coreConfigSchema))
  })

  it('names files that exist', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const files = new Set([...readme.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, file]) => file ?? ''))
    expect(files.size).toBeGreaterThan(10)
    for (const file of files) await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
  })
})
