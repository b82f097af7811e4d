import { startTestSystem, type TestSystem } from '../support/auth-system.ts'

const PATH = '/.well-known/oauth-authorization-server'

const systems: TestSystem[] = []
const start = async (name: string, env?: Record<string, string>): Promise<TestSystem> => {
  const system = await startTestSystem({ name, ...(env === undefined ? {} : { env }) })
  systems.push(system)
  return system
}
afterEach(async () => {
  for (const system of systems.splice(0)) await system.close()
})

describe('server metadata (RFC 8414)', () => {
  it('says what is supported, at the address that was asked', async () => {
    const { api } = await start('metadata')
    const response = await api.get(PATH, { headers: { Host: 'localhost:8081', Origin: 'https://a.example' } })
    expect(response.status).toBe(200)
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.body).toEqual({
      issuer: 'https://auth.merx.localhost',
      authorization_endpoint: 'http://localhost:8081/oauth/authorize',
      token_endpoint: 'http://localhost:8081/oauth/token',
      jwks_uri: 'http://localhost:8081/.well-known/jwks.json',
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        ...['client_credentials', 'password', 'authorization_code', 'refresh_token'],
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint: 'http://localhost:8081/oauth/revoke',
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint: 'http://localhost:8081/oauth/introspect',
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
  })

  it('names only addresses that answer', async () => {
    const { api } = await start('metadata_endpoints')
    const { body } = await api.get(PATH, { headers: { Host: 'localhost' } })
    for (const [name, url] of Object.entries(body as Record<string, unknown>)) {
      if (!/_(endpoint|uri)$/.test(name)) continue
      expect([name, (await api.get(new URL(String(url)).pathname)).status]).not.toContain(404)
    }
  })

  it('says the configured address whatever the Host header is', async () => {
    const { api } = await start('metadata_url', { PUBLIC_AUTH_URL: 'https://auth.shop.example/' })
    const { body } = await api.get(PATH, { headers: { Host: 'evil.example' } })
    expect(body).toMatchObject({ token_endpoint: 'https://auth.shop.example/oauth/token' })
  })

  it.each(['a.example/evil', 'evil@a.example', '"><script>'])(
    'refuses an invalid Host header: %s',
    async (host) => {
      const { api } = await start('metadata_host')
      const { status, body, text } = await api.get(PATH, { headers: { Host: host } })
      expect([status, body]).toMatchObject([400, { error: 'invalid_request' }])
      expect(text).not.toContain(host)
    },
  )

  it('is a GET', async () => {
    const response = await (await start('metadata_method')).api.post(PATH)
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})
