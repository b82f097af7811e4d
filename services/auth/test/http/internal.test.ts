import { clientOf, SERVICE_KEY, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'internal' })
})
afterAll(() => system.close())

const get = (path: string, token = SERVICE_KEY) => system.internal.get(path, { token })

interface State {
  version: number
  revocations: { jti: string; expires_at: string }[]
  roles: { id: string; kind: string; permissions: { subject: string; actions: string[] }[] }[]
}

const state = async (query = '') => (await get(`/internal/access-state${query}`)).body as State

const revokeSomething = async () => {
  const { body } = await system.token({
    grant_type: 'client_credentials',
    ...clientOf(system.credentials.integration),
  })
  const { access_token: token } = body as { access_token: string }
  await system.api.post('/oauth/revoke', { body: { ...clientOf(system.credentials.integration), token } })
  return JSON.parse(atob(token.split('.')[1] ?? '')) as { jti: string; exp: number }
}

describe('GET /internal/access-state', () => {
  it('gives everything at first: revocations, roles with permissions, and the version', async () => {
    const { id } = await system.auth.provisioning.createRole({
      organizationId: system.organizationId,
      name: 'Catalogue',
      kind: 'custom',
      permissions: [
        { subject: 'skus', actions: ['create', 'read'] },
        { subject: 'orders', actions: ['read'], restrictions: { fields: { read: ['number'] } } },
      ],
    })
    const { jti, exp } = await revokeSomething()
    const { version, revocations, roles } = await state()
    expect(version).toBeGreaterThan(1)
    expect(revocations).toContainEqual({ jti, expires_at: new Date(exp * 1000).toISOString() })
    expect(roles).toContainEqual({ id: system.adminRoleId, kind: 'admin', permissions: [] })
    expect(roles).toContainEqual({
      id,
      kind: 'custom',
      permissions: [
        { subject: 'orders', actions: ['read'], restrictions: { fields: { read: ['number'] } } },
        { subject: 'skus', actions: ['create', 'read'], restrictions: {} },
      ],
    })
  })

  it('gives only what is new to who says what it has', async () => {
    const { version } = await state()
    const { jti } = await revokeSomething()
    const news = await state(`?after=${version}&wait_seconds=25`)
    expect(news).toMatchObject({ revocations: [{ jti }], roles: [] })
    expect(news.version).toBeGreaterThan(version)
    expect(await state(`?after=${news.version}`)).toEqual({
      version: news.version,
      revocations: [],
      roles: [],
      withdrawn_keys: [],
      applications: [],
      users: [],
    })
  })

  it('waits, and answers as soon as something is revoked', async () => {
    const { version } = await state()
    const waiting = state(`?after=${version}&wait_seconds=25`)
    const { jti } = await revokeSomething()
    expect((await waiting).revocations).toMatchObject([{ jti }])
  })

  it('sends a changed role', async () => {
    const { version } = await state()
    const role = { organizationId: system.organizationId, name: 'Changing', kind: 'custom' } as const
    const { id } = await system.auth.provisioning.createRole({
      ...role,
      permissions: [{ subject: 'skus', actions: ['read'] }],
    })
    const first = await state(`?after=${version}`)
    await system.auth.provisioning.createRole({
      ...role,
      permissions: [{ subject: 'prices', actions: ['read'] }],
    })
    const second = await state(`?after=${first.version}`)
    expect(first.roles).toMatchObject([{ id, permissions: [{ subject: 'skus' }] }])
    expect(second.roles).toMatchObject([{ id, permissions: [{ subject: 'prices' }] }])
  })

  it.each(['after=-1', 'after=x', 'after=1.5', 'wait_seconds=26', 'after=1&after=2'])(
    'refuses ?%s naming the range',
    async (query) => {
      const response = await get(`/internal/access-state?${query}`)
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({ errors: [{ code: 'INVALID_FIELD_VALUE' }] })
    },
  )
})

describe('GET /internal/applications/:id', () => {
  it('describes a credential without its secret', async () => {
    const { id } = system.credentials.webapp
    expect((await get(`/internal/applications/${id}`)).body).toEqual({
      id,
      name: 'Dashboard',
      kind: 'webapp',
      public_access: false,
      redirect_uri: 'https://app.example/callback',
      scopes: 'market:all',
      created_at: expect.stringMatching(INSTANT) as string,
      updated_at: expect.stringMatching(INSTANT) as string,
      reference: null,
      reference_origin: null,
      metadata: {},
    })
    expect((await get(`/internal/applications/${system.credentials.salesChannel.id}`)).body).toMatchObject({
      public_access: true,
      redirect_uri: null,
    })
  })

  it('shows the notes of administrators, but not to the shop front', async () => {
    const notes = "reference = 'r', reference_origin = 'o', metadata = '{\"a\":1}'"
    await runSql(system.databaseUrl, `UPDATE credentials SET ${notes}`)
    const { integration, salesChannel } = system.credentials
    expect((await get(`/internal/applications/${integration.id}`)).body).toMatchObject({
      reference: 'r',
      reference_origin: 'o',
      metadata: { a: 1 },
    })
    expect((await get(`/internal/applications/${salesChannel.id}`)).body).toMatchObject({
      reference: null,
      reference_origin: null,
      metadata: {},
      created_at: expect.stringMatching(INSTANT) as string,
    })
  })

  it.each(['aaaaaaaaaa', 'x', '1', '%00'])('answers %s with 400 or 404, never with 500', async (id) => {
    const { status } = await get(`/internal/applications/${id}`)
    expect([400, 404]).toContain(status)
  })
})

describe('the internal listener', () => {
  it.each(['/internal/access-state', '/internal/applications/aaaaaaaaaa', '/internal/else'])(
    'refuses %s without the key',
    async (path) => {
      for (const token of ['', 'wrong', `${SERVICE_KEY}x`]) expect((await get(path, token)).status).toBe(401)
    },
  )

  it('serves health and the key set to everybody', async () => {
    expect((await system.internal.get('/health/live')).status).toBe(200)
    expect((await system.internal.get('/health/ready')).body).toMatchObject({ checks: { database: 'ok' } })
    expect((await system.internal.get('/.well-known/jwks.json')).status).toBe(200)
  })

  it('has no public routes', async () => {
    expect((await system.internal.post('/oauth/token', { body: {} })).status).toBe(404)
  })

  it('refuses other methods', async () => {
    for (const path of ['/internal/access-state', '/internal/applications/aaaaaaaaaa']) {
      const response = await system.internal.request('DELETE', path, { token: SERVICE_KEY })
      expect(response.status).toBe(405)
    }
  })
})
