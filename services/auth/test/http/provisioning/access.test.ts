/** Who may provision over HTTP, what they leave in the audit log, and that organizations never meet. */
import { eventually } from '@merx/testing/eventually'
import fc from 'fast-check'
import { provisionedResources } from '../../../src/provisioning/resources/index.ts'
import { provisionedIds } from '../../../src/store/public-ids.ts'
import {
  assertionOf,
  claimsOf,
  clientOf,
  REDIRECT_URI,
  startTestSystem,
  type TestSystem,
} from '../../support/auth-system.ts'
import { createTestBrowser } from '../../support/browser.ts'
import {
  clientWith,
  dataOf,
  JSON_API,
  listOf,
  PASSWORD,
  provisionOther,
  refusalOf,
  signIn,
  type Client,
} from '../../support/provisioning.ts'
import { runSql } from '../../support/sql.ts'

let system: TestSystem
let other: Awaited<ReturnType<typeof provisionOther>>
let token: string
let admin: Client
beforeAll(async () => {
  system = await startTestSystem({ name: 'provisioning_access' })
  other = await provisionOther(system, 'other')
  token = await signIn(system, { email: 'owner@shop.example' })
  admin = clientWith(system, token)
})
afterAll(() => system.close())

const tokenOf = async (body: Record<string, unknown>): Promise<string> => {
  const response = await system.token(body)
  if (response.status !== 200) throw new Error(response.text)
  return (response.body as { access_token: string }).access_token
}

const makeUser = async (email: string, kind: 'admin' | 'read_only' | 'custom') => {
  const { provisioning } = system.auth
  const { organizationId } = system
  const role = kind === 'admin' ? 'Admin' : kind
  const { id: roleId } = await provisioning.createRole({ organizationId, name: role, kind })
  return provisioning.createUser({ organizationId, email, password: PASSWORD, roleId })
}

const DENIED = { status: 401, errors: [['UNAUTHORIZED', undefined]] }
const INVALID = { status: 401, errors: [['INVALID_TOKEN', undefined]] }

describe('access', () => {
  it('needs a token that is valid now', async () => {
    const without = await system.api.get('/provisioning/users')
    expect(refusalOf(without)).toEqual(INVALID)
    expect(without.headers['www-authenticate']).toBe('Bearer realm="merx"')
    expect(without.headers['content-type']).toBe(JSON_API)
    for (const bad of ['nonsense', `${token.slice(0, -8)}AAAAAAAA`, 'a.b.c'])
      expect(refusalOf(await clientWith(system, bad).get('users'))).toEqual(INVALID)
    expect(refusalOf(await system.api.get('/provisioning/nothing'))).toEqual(INVALID)
  })

  it.each([
    ['a sign of percent that encodes nothing', '/provisioning/%zz'],
    ['bytes that are no UTF-8', '/provisioning/users/%ff'],
    ['a null character', '/provisioning/users/%00?page[size]=5'],
  ])('is refused in JSON:API for an address with %s, whoever asks', async (_what, address) => {
    for (const options of [{}, { token }]) {
      const refused = await system.api.get(address, options)
      expect(refused.headers['content-type']).toBe(JSON_API)
      expect(refusalOf(refused)).toEqual({ status: 400, errors: [['BAD_REQUEST', undefined]] })
    }
  })

  it('other paths of the host answer in the format of OAuth', async () => {
    const refused = await system.api.get('/provisioning%zz')
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_request' }])
  })

  it('is for nobody but administrators who signed in themselves', async () => {
    const { salesChannel, integration, webapp } = system.credentials
    await makeUser('reader@shop.example', 'read_only')
    await makeUser('desk@shop.example', 'custom')
    const delegated = assertionOf({ owner: { type: 'User', id: system.userId } })
    const jwtBearer = {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...clientOf(webapp),
      assertion: delegated,
    }
    const refused = {
      'a sales channel': await tokenOf({
        ...{ grant_type: 'client_credentials', client_id: salesChannel.clientId, scope: 'market:code:usa' },
      }),
      'an integration with the admin role': await tokenOf({
        ...{ grant_type: 'client_credentials', ...clientOf(integration) },
      }),
      'a reader': await signIn(system, { email: 'reader@shop.example' }),
      'a custom role': await signIn(system, { email: 'desk@shop.example' }),
      'an administrator whom a webapp names without having asked': await tokenOf(jwtBearer),
    }
    for (const [who, theirs] of Object.entries(refused)) {
      const client = clientWith(system, theirs)
      const denied = await client.get('users')
      expect([who, refusalOf(denied)]).toEqual([who, DENIED])
      expect(denied.headers['www-authenticate']).toBe('Bearer realm="merx", error="insufficient_scope"')
      expect([who, refusalOf(await client.post('roles', { attributes: { name: who } }))]).toEqual([
        who,
        DENIED,
      ])
    }
  })

  it('is named on the consent page of an administrator', async () => {
    const browser = createTestBrowser(system.api)
    const { clientId } = system.credentials.webapp
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
    })
    const page = await browser.open(`/oauth/authorize?${query.toString()}`)
    const login = { action: 'sign_in', email: 'owner@shop.example', password: PASSWORD }
    const { headers } = await browser.submit(page, login)
    const consent = await browser.open(headers['location'] ?? '')
    expect(consent.text).toContain('users and credentials of test and live too')
  })

  it('lasts through a refresh', async () => {
    const webapp = clientOf(system.credentials.webapp)
    const refresh_token = await signIn(system, { email: 'owner@shop.example', answer: 'refresh_token' })
    const renewed = await tokenOf({ grant_type: 'refresh_token', ...webapp, refresh_token })
    expect((await clientWith(system, renewed).get('users')).status).toBe(200)
  })

  it('ends with the role, with the user, with the webapp and with the token', async () => {
    const { id } = await makeUser('second@shop.example', 'admin')
    const { id: readOnly } = await system.auth.provisioning.createRole({
      ...{ organizationId: system.organizationId, name: 'read_only', kind: 'read_only' },
    })
    const second = clientWith(system, await signIn(system, { email: 'second@shop.example' }))
    expect((await second.get('users')).status).toBe(200)
    const role = (roleId: string) => ({ relationships: { role: { data: { type: 'roles', id: roleId } } } })
    await admin.patch('users', id, role(readOnly))
    expect(refusalOf(await second.get('users'))).toEqual(DENIED)
    await admin.patch('users', id, role(system.adminRoleId))
    expect((await second.get('users')).status).toBe(200)
    await admin.patch('users', id, { attributes: { _disable: true } })
    expect((await second.get('users')).status).toBe(401)

    const attributes = { name: 'Second', kind: 'webapp', redirect_uri: 'https://app.example/callback' }
    const made = dataOf(await admin.post('api_credentials', { attributes }))
    const webapp = {
      id: made.id,
      clientId: String(made.attributes['client_id']),
      clientSecret: String(made.attributes['client_secret']),
    }
    const through = clientWith(system, await signIn(system, { email: 'owner@shop.example', webapp }))
    expect((await through.get('users')).status).toBe(200)
    await admin.remove('api_credentials', webapp.id)
    const isOver = async () => (await through.get('users')).status === 401
    await eventually(isOver)
  })

  it('is limited by address', async () => {
    const few = await startTestSystem({ name: 'provisioning_limits', rateLimitScale: 0.05 })
    try {
      const statuses: number[] = []
      for (let count = 0; count < 3; count += 1)
        statuses.push((await few.api.get('/provisioning/users')).status)
      expect(statuses).toEqual([401, 401, 429])
      expect(refusalOf(await few.api.get('/provisioning/roles')).errors).toBeDefined()
    } finally {
      await few.close()
    }
  })
})

describe('an organization', () => {
  it('sees nothing of another', async () => {
    const mine = new Set<string>()
    for (const { type } of provisionedResources.definitions) {
      for (const { id } of listOf(await admin.get(`${type}?page[size]=25`))) mine.add(id)
    }
    const theirs = clientWith(system, await signIn(system, { email: other.email, webapp: other.webapp }))
    for (const { type } of provisionedResources.definitions) {
      const found = listOf(await theirs.get(`${type}?page[size]=25`))
      expect(found.length).toBeGreaterThan(0)
      expect(found.filter(({ id }) => mine.has(id))).toEqual([])
      for (const { id } of found) {
        expect((await admin.get(`${type}/${id}`)).status).toBe(404)
        const { operations } = provisionedResources.require(type)
        const changed = await admin.patch(type, id, { attributes: {} })
        expect(changed.status).toBe(operations.includes('update') ? 404 : 405)
        const ended = await admin.remove(type, id)
        expect(ended.status).toBe(operations.includes('delete') ? 404 : 405)
        expect(listOf(await admin.get(`${type}?filter[q][id_eq]=${id}`))).toEqual([])
      }
    }
  })

  it('links nothing of another', async () => {
    const links = [
      ['users', { email: 'x@shop.example', password: PASSWORD }, other.adminRoleId],
      ['api_credentials', { name: 'x', kind: 'integration' }, other.adminRoleId],
      ['permissions', { subject: 'orders' }, other.customRoleId],
    ] as const
    for (const [type, attributes, id] of links) {
      const relationships = { role: { data: { type: 'roles', id } } }
      expect(refusalOf(await admin.post(type, { attributes, relationships }))).toEqual({
        status: 422,
        errors: [['VALIDATION_ERROR', '/data/relationships/role']],
      })
    }
    const organization = { organization: { data: { type: 'organizations', id: other.organizationId } } }
    const foreign = await admin.post('roles', { attributes: { name: 'x' }, relationships: organization })
    expect(refusalOf(foreign).errors).toEqual([['VALIDATION_ERROR', '/data/relationships/organization']])
  })
})

describe('the audit log', () => {
  it('names the person and the address', async () => {
    const made = dataOf(await admin.post('roles', { attributes: { name: 'Audited' } }))
    const [event] = await runSql(
      system.databaseUrl,
      `SELECT actor_kind, actor, action, organization_id, request_id IS NOT NULL AS has_request, origin
       FROM audit_events WHERE subject_id = '${made.id}'`,
    )
    expect(event).toMatchObject({
      ...{ actor_kind: 'user', actor: 'owner@shop.example', action: 'role.create', has_request: true },
      organization_id: system.organizationId,
      origin: expect.stringMatching(/127\.0\.0\.1/) as unknown,
    })
  })

  it('is read like everything else, newest first, and only grows', async () => {
    const made = dataOf(await admin.post('roles', { attributes: { name: 'Read in the log' } }))
    await admin.patch('roles', made.id, { attributes: { name: 'Renamed in the log' } })
    const query = `filter[q][subject_id_eq]=${made.id}&sort=-id`
    const events = listOf(await admin.get(`audit_events?${query}`))
    expect(events.map(({ attributes }) => attributes['action'])).toEqual(['role.update', 'role.create'])
    expect(events[0]?.attributes).toMatchObject({
      ...{ actor_kind: 'user', actor: 'owner@shop.example', subject_type: 'roles', subject_id: made.id },
      origin: expect.stringMatching(/127\.0\.0\.1/) as unknown,
      created_at: expect.stringMatching(/^\d{4}-/) as unknown,
    })
    const one = await admin.get(`audit_events/${events[0]?.id ?? ''}`)
    expect(dataOf(one).attributes).toEqual(events[0]?.attributes)
    const post = await admin.post('audit_events', { attributes: { action: 'role.create' } })
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it('shows nothing of another organization', async () => {
    const [foreign] = await runSql<{ id: string; subject_id: string }>(
      system.databaseUrl,
      `SELECT id, subject_id FROM audit_events WHERE organization_id = '${other.organizationId}' LIMIT 1`,
    )
    const list = await admin.get(`audit_events?filter[q][subject_id_eq]=${foreign?.subject_id ?? ''}`)
    expect(list.body).toMatchObject({ meta: { record_count: 0 } })
    const id = provisionedIds.encode('audit_events', BigInt(foreign?.id ?? 0))
    expect((await admin.get(`audit_events/${id}`)).status).toBe(404)
  })
})

describe('whatever is sent', () => {
  it('is answered with a 4xx of the documented form', async () => {
    const types = provisionedResources.definitions.map(({ type }) => type)
    const member = fc.oneof(
      fc.string(),
      fc.constantFrom('type', 'id', 'attributes', 'relationships', 'name', 'role'),
    )
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(member, fc.jsonValue()).map((data) => ({ data })),
      fc
        .record({ attributes: fc.dictionary(member, fc.jsonValue()), relationships: fc.jsonValue() })
        .map((data) => ({ data: { type: 'roles', ...data } })),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), body, async (type, sent) => {
        const response = await system.api.post(`/provisioning/${type}`, {
          token,
          body: JSON.stringify(sent),
          headers: { 'Content-Type': JSON_API },
        })
        if (response.status === 201) return
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.status).toBeLessThan(500)
        expect(refusalOf(response).errors.length).toBeGreaterThan(0)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps secrets, passwords and tokens out of the log', () => {
    expect(claimsOf({ body: { access_token: token } } as never)).toMatchObject({ owner: { type: 'User' } })
    const text = JSON.stringify(system.logs.lines)
    expect(text).not.toContain(PASSWORD)
    expect(text).not.toContain(token)
  })
})
