import { readFile } from 'node:fs/promises'
import { describeConfig } from '@merx/config/describe-config'
import { configSchema, loadAuthConfig } from './config.ts'

const ENV = {
  AUTH_DATABASE_URL: 'postgresql://localhost/merx_auth',
  CORE_INTERNAL_URL: 'http://localhost:3102',
  SERVICE_KEY: 'Zq3v9Lw2Xr7Tn5Kp',
}

describe('configuration of auth', () => {
  it('needs two addresses and a key; everything else has a safe default', () => {
    expect(loadAuthConfig(ENV)).toMatchObject({
      port: 3001,
      internalPort: 3101,
      merxDomain: 'merx.localhost',
      signingKeyBits: 4_096,
      trustProxy: 0,
      rateLimitScale: 1,
      redisUrl: undefined,
      keyEncryptionSecret: undefined,
    })
  })

  it('names everything that is missing at once', () => {
    expect(() => loadAuthConfig({})).toThrow(/AUTH_DATABASE_URL[^]*CORE_INTERNAL_URL[^]*SERVICE_KEY/)
  })

  it.each([
    ['SIGNING_KEY_BITS', '1024'],
    ['SERVICE_KEY', 'short'],
    ['MERX_DOMAIN', '*.example.com'],
    ['AUTH_DATABASE_URL', 'mysql://localhost/x'],
    ['TRUST_PROXY', 'true'],
    ['RATE_LIMIT_SCALE', '0'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadAuthConfig({ ...ENV, [name]: value })).toThrow(name)
  })

  it('never prints a secret', () => {
    expect(JSON.stringify(loadAuthConfig(ENV))).not.toContain(ENV.SERVICE_KEY)
  })
})

describe('README.md', () => {
  it('shows the configuration as it is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(describeConfig(configSchema))
  })
})
