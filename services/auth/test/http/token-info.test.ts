import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createAuthorizationCodes } from '../../src/grants/authorization-codes.ts'
import { RESOURCE_TYPES } from '../../src/roles/resource-shapes.ts'
import { clientOf, REDIRECT_URI, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
let keyValue: KeyValue
beforeAll(async () => {
  const open = (clock: Parameters<typeof createMemoryKeyValue>[0]['clock']) => {
    keyValue = createMemoryKeyValue({ clock })
    return keyValue
  }
  system = await startTestSystem({ name: 'token_info', keyValue: open })
})
afterAll(() => system.close())

interface TokenInfo {
  permissions?: Record<string, { actions: string[] }>
}

const tokenInfo = (token?: string, headers: Record<string, string> = {}) =>
  system.api.get('/oauth/tokeninfo', { headers, ...(token === undefined ? {} : { token }) })

const tokenOf = async (body: Record<string, unknown>): Promise<string> =>
  ((await system.token(body)).body as { access_token: string }).access_token

const integrationToken = (client = clientOf(system.credentials.integration), extra = {}) =>
  tokenOf({ grant_type: 'client_credentials', ...client, ...extra })

const webappToken = async (): Promise<string> => {
  const code = await createAuthorizationCodes(keyValue).create({
    clientId: system.credentials.webapp.clientId,
    userId: system.userId,
    redirectUri: REDIRECT_URI,
  })
  const client = clientOf(system.credentials.webapp)
  return tokenOf({ grant_type: 'authorization_code', ...client, code, redirect_uri: REDIRECT_URI })
}

const integrationWithRole = async (kind: 'read_only' | 'custom') => {
  const { organizationId, auth } = system
  const { id: roleId } = await auth.provisioning.createRole({
    organizationId,
    name: kind,
    kind,
    ...(kind === 'custom' ? { permissions: [{ subject: 'orders', actions: ['update', 'read'] }] } : {}),
  })
  return auth.provisioning.createCredential({
    organizationId,
    mode: 'test',
    kind: 'integration',
    name: kind,
    roleId,
  })
}

describe('tokeninfo', () => {
  it('describes the token of a user’s webapp with role, owner, permissions and apps', async () => {
    const response = await tokenInfo(await webappToken())
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    const everything = { actions: ['create', 'destroy', 'read', 'update'] }
    expect(response.body).toEqual({
      token: { test: true, market_ids: [], stock_location_ids: [], lifespan: 7_200 },
      application: { id: system.credentials.webapp.id, kind: 'webapp', name: 'Dashboard', core: false },
      owner: {
        id: system.userId,
        type: 'User',
        first_name: '',
        last_name: '',
        email: 'owner@shop.example',
        owner: true,
        time_zone: 'UTC',
      },
      role: { id: system.adminRoleId, kind: 'admin', name: 'Admin' },
      permissions: Object.fromEntries(RESOURCE_TYPES.map((type) => [type, everything])),
      accessible_apps: [{ name: 'Dashboard', kind: 'webapp', core: false }],
    })
  })

  it('lists reads for a read-only role and its own rows for a custom one', async () => {
    const readOnly = await tokenInfo(await integrationToken(clientOf(await integrationWithRole('read_only'))))
    const { permissions = {} } = readOnly.body as TokenInfo
    expect(Object.keys(permissions)).toEqual([...RESOURCE_TYPES])
    expect(Object.values(permissions).every(({ actions }) => actions.join() === 'read')).toBe(true)
    const custom = await tokenInfo(await integrationToken(clientOf(await integrationWithRole('custom'))))
    expect(custom.body).toMatchObject({ permissions: { orders: { actions: ['read', 'update'] } } })
    expect(custom.body).not.toHaveProperty('owner')
    expect(custom.body).toMatchObject({ accessible_apps: [] })
  })

  it('returns markets, stock locations and the seconds left', async () => {
    const token = await integrationToken(undefined, { scope: 'market:code:usa' })
    system.clock.advance(7)
    expect((await tokenInfo(token)).body).toMatchObject({
      token: { market_ids: ['marketUsAA'], stock_location_ids: ['usaStockAA'], lifespan: 7_193 },
    })
  })

  it('lists for a guest what core lets sales channels do', async () => {
    const token = await tokenOf({
      grant_type: 'client_credentials',
      client_id: system.credentials.salesChannel.clientId,
      scope: 'market:code:usa',
    })
    const { permissions = {} } = (await tokenInfo(token)).body as TokenInfo
    expect(permissions).toMatchObject({
      skus: { actions: ['read'] },
      orders: { actions: ['create', 'read', 'update'] },
      customers: { actions: ['create'] },
    })
    expect(permissions).not.toHaveProperty('markets')
    expect(permissions).not.toHaveProperty('merchants')
  })

  it('describes a customer’s token, which has no role', async () => {
    const token = await tokenOf({
      grant_type: 'password',
      client_id: system.credentials.salesChannel.clientId,
      username: 'ann@example.com',
      password: 'correct horse',
      scope: 'market:code:usa',
    })
    const { body } = await tokenInfo(token)
    expect(body).toMatchObject({ owner: { id: 'customerAA', type: 'Customer', email: 'ann@example.com' } })
    expect(body).not.toHaveProperty('role')
    expect(body).toMatchObject({
      permissions: { customers: { actions: ['create', 'destroy', 'read', 'update'] } },
    })
  })

  it.each([
    ['no token', async () => undefined, {}],
    ['another scheme', async () => undefined, { Authorization: 'Basic YTpi' }],
    ['nonsense', async () => 'nonsense', {}],
    ['a forged signature', async () => `${(await integrationToken()).replace(/\.[^.]+$/, '')}.c2ln`, {}],
  ])('refuses %s with the error of core', async (_name, token, headers) => {
    const response = await tokenInfo(await token(), headers)
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="merx"/)
    expect(response.headers['content-type']).toBe('application/vnd.api+json')
    expect(response.body).toMatchObject({
      errors: [{ title: 'Invalid token', code: 'INVALID_TOKEN', status: '401' }],
    })
  })

  it.each(['revoked', 'expired'])('refuses an %s token', async (how) => {
    const token = await integrationToken()
    const client = clientOf(system.credentials.integration)
    if (how === 'expired') system.clock.advance(7_200)
    else await system.api.post('/oauth/revoke', { body: { ...client, token } })
    expect((await tokenInfo(token)).status).toBe(401)
  })

  it.each([
    ['enterprise.merx.localhost', 401],
    ['nobody.merx.localhost:8080', 401],
    ['auth.merx.localhost:8081', 200],
    ['localhost:8080', 200],
  ])('compares the organization of the token with the host %s: %d', async (host, status) => {
    expect((await tokenInfo(await integrationToken(), { Host: host })).status).toBe(status)
  })

  it('is open to pages of any origin, and only a GET', async () => {
    const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' }
    const preflight = await system.api.request('OPTIONS', '/oauth/tokeninfo', { headers })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    const post = await system.api.post('/oauth/tokeninfo')
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(post.body).toMatchObject({ errors: [{ code: 'METHOD_NOT_ALLOWED', status: '405' }] })
  })

  it('answers invalid tokens with 401 up to the budget of the address, then with 429', async () => {
    const strict = await startTestSystem({ name: 'token_info_limits', rateLimitScale: 1 })
    const send = () => strict.api.get('/oauth/tokeninfo', { token: 'forged.token.x' })
    for (let sent = 0; sent < 25; sent += 1) expect((await send()).status).toBe(401)
    const refused = await send()
    await strict.close()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    expect(refused.body).toMatchObject({ errors: [{ code: 'TOO_MANY_REQUESTS' }] })
  })

  it('answers 503 in core’s dialect while core is unavailable', async () => {
    const token = await tokenOf({
      grant_type: 'password',
      client_id: system.credentials.salesChannel.clientId,
      username: 'ann@example.com',
      password: 'correct horse',
      scope: 'market:code:usa',
    })
    system.core.failWith = 500
    const response = await tokenInfo(token)
    system.core.failWith = undefined
    expect(response.status).toBe(503)
    expect(response.body).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE', status: '503' }] })
  })
})
