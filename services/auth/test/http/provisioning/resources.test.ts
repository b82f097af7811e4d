/** {auth_url}/provisioning as an organization's administrator uses it: every resource, read and written. */
import { toPublicId } from '../../../src/store/public-ids.ts'
import { startTestSystem, type TestSystem } from '../../support/auth-system.ts'
import {
  clientWith,
  dataOf,
  documentOf,
  JSON_API,
  listOf,
  refusalOf,
  signIn,
  type Client,
} from '../../support/provisioning.ts'
import { runSql } from '../../support/sql.ts'

let system: TestSystem
let token: string
let admin: Client
beforeAll(async () => {
  system = await startTestSystem({ name: 'provisioning_http' })
  token = await signIn(system, { email: 'owner@shop.example' })
  admin = clientWith(system, token)
})
afterAll(() => system.close())

const roleLink = (id: string) => ({ role: { data: { type: 'roles', id } } })

describe('organizations', () => {
  it('are the own one, with what it has', async () => {
    const response = await admin.get('organizations?include=roles,users,api_credentials')
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe(JSON_API)
    expect(response.headers['cache-control']).toBe('no-store')
    const [organization] = listOf(response)
    expect(organization).toMatchObject({
      id: system.organizationId,
      type: 'organizations',
      attributes: { name: 'The Shop', slug: 'shop', enterprise: false, region: 'eu-west-1', metadata: {} },
    })
    expect(organization?.links.self).toMatch(/^http:\/\/[^/]+\/provisioning\/organizations\/\w{10}$/)
    const types = (documentOf(response).included ?? []).map(({ type }) => type)
    expect(new Set(types)).toEqual(new Set(['roles', 'users', 'api_credentials']))
  })

  it('are renamed, in core too', async () => {
    system.core.calls.length = 0
    const attributes = { name: 'The New Shop', reference: 'shop-1', metadata: { tier: 2 } }
    const response = await admin.patch('organizations', system.organizationId, { attributes })
    expect(dataOf(response).attributes).toMatchObject({ ...attributes, slug: 'shop' })
    expect(system.core.calls.map(({ path, body }) => [path, (body as { name: string }).name])).toEqual([
      ['/internal/environments', 'The New Shop'],
      ['/internal/environments', 'The New Shop'],
    ])
  })

  it.each(['1e500', '1e-400', '9007199254740993'])('refuse %s in metadata', async (text) => {
    const id = system.organizationId
    const response = await system.api.request('PATCH', `/provisioning/organizations/${id}`, {
      token,
      headers: { 'Content-Type': JSON_API },
      body: `{"data":{"type":"organizations","id":"${id}","attributes":{"metadata":{"tier":${text}}}}}`,
    })
    expect(refusalOf(response)).toEqual({
      status: 422,
      errors: [['VALIDATION_ERROR', '/data/attributes/metadata']],
    })
  })

  it('are neither made nor ended here, and keep their slug', async () => {
    expect((await admin.post('organizations', { attributes: { name: 'x' } })).status).toBe(405)
    expect((await admin.remove('organizations', system.organizationId)).status).toBe(405)
    const refused = await admin.patch('organizations', system.organizationId, { attributes: { slug: 'x' } })
    expect(refusalOf(refused)).toEqual({
      status: 400,
      errors: [['PARAM_NOT_ALLOWED', '/data/attributes/slug']],
    })
  })
})

describe('roles and permissions', () => {
  it('are made, changed and ended, and running services hear of it', async () => {
    const versionOf = async () =>
      (await runSql<{ version: string }>(system.databaseUrl, 'SELECT version FROM access_state'))[0]?.version
    const role = dataOf(await admin.post('roles', { attributes: { name: 'Desk' } }))
    expect(role.attributes).toMatchObject({ name: 'Desk', kind: 'custom' })
    const made = await admin.post('permissions', {
      attributes: { subject: 'orders', can_read: true, can_update: true },
      relationships: roleLink(role.id),
    })
    expect(made.status).toBe(201)
    expect(made.headers['location']).toBe(dataOf(made).links.self)
    expect(dataOf(made).attributes).toMatchObject({
      ...{ subject: 'orders', can_create: false, can_read: true, can_update: true, can_destroy: false },
      restrictions: {},
    })
    const before = await versionOf()
    const { id } = dataOf(made)
    const changed = await admin.patch('permissions', id, { attributes: { can_update: false } })
    expect(dataOf(changed).attributes).toMatchObject({ can_read: true, can_update: false })
    expect(await versionOf()).not.toBe(before)
    const shown = await admin.get(`roles/${role.id}?include=permissions`)
    expect(documentOf(shown).included?.map(({ id: included }) => included)).toEqual([id])
    expect((await admin.remove('permissions', id)).status).toBe(204)
    expect((await admin.get(`permissions/${id}`)).status).toBe(404)
    expect(
      dataOf(await admin.patch('roles', role.id, { attributes: { name: 'Front' } })).attributes,
    ).toMatchObject({ name: 'Front' })
    expect((await admin.remove('roles', role.id)).status).toBe(204)
  })

  it('are refused where they make no sense', async () => {
    const role = dataOf(await admin.post('roles', { attributes: { name: 'Once' } }))
    expect(refusalOf(await admin.post('roles', { attributes: { name: 'Once' } }))).toEqual({
      status: 409,
      errors: [['RECORD_NOT_UNIQUE', '/data/attributes/name']],
    })
    const permission = (roleId: string) =>
      admin.post('permissions', { attributes: { subject: 'skus' }, relationships: roleLink(roleId) })
    expect((await permission(role.id)).status).toBe(201)
    expect(refusalOf(await permission(role.id)).errors).toEqual([
      ['RECORD_NOT_UNIQUE', '/data/attributes/subject'],
    ])
    expect(refusalOf(await permission(system.adminRoleId)).errors).toEqual([
      ['VALIDATION_ERROR', '/data/relationships/role'],
    ])
    expect(refusalOf(await admin.remove('roles', system.adminRoleId))).toMatchObject({ status: 423 })
  })

  it('are those of the id in the address, whatever the names of others are', async () => {
    const make = async (name: string) => dataOf(await admin.post('roles', { attributes: { name } }))
    const namesake = await make('Namesake')
    const { id } = await make('Meant')
    // Names like this were allowed once.
    await runSql(system.databaseUrl, `UPDATE roles SET name = '${id}' WHERE name = 'Namesake'`)
    const changed = await admin.patch('roles', id, { attributes: { name: 'Renamed' } })
    expect(dataOf(changed)).toMatchObject({ id, attributes: { name: 'Renamed' } })
    expect((await admin.remove('roles', id)).status).toBe(204)
    expect((await admin.get(`roles/${id}`)).status).toBe(404)
    expect(dataOf(await admin.get(`roles/${namesake.id}`)).attributes).toMatchObject({ name: id })
  })

  it('are not named like the id of a role', async () => {
    const refused = { status: 422, errors: [['VALIDATION_ERROR', '/data/attributes/name']] }
    const attributes = { name: system.adminRoleId }
    expect(refusalOf(await admin.post('roles', { attributes }))).toEqual(refused)
    const { id } = dataOf(await admin.post('roles', { attributes: { name: 'Well named' } }))
    expect(refusalOf(await admin.patch('roles', id, { attributes }))).toEqual(refused)
    // A word of ten letters that is the id of a number no role has.
    const word = toPublicId('roles', 2n ** 41n)
    expect(dataOf(await admin.post('roles', { attributes: { name: word } })).attributes).toMatchObject({
      name: word,
    })
  })
})

describe('restrictions of a permission', () => {
  const restrictions = {
    rows: { all: { market_code_in: ['eu'] } },
    fields: { read: ['number', 'status', 'market'] },
  }

  it('are given, replaced and taken away, and are checked against what core has', async () => {
    const role = dataOf(await admin.post('roles', { attributes: { name: 'Restricted' } }))
    const give = (attributes: object) =>
      admin.post('permissions', {
        attributes: { subject: 'orders', can_read: true, ...attributes },
        relationships: roleLink(role.id),
      })
    const refused = {
      status: 422,
      errors: [['VALIDATION_ERROR', '/data/attributes/restrictions']],
    }
    for (const wrong of [
      { columns: [] },
      { rows: { all: { no_such_thing_eq: 1 } } },
      { fields: { read: ['x'] } },
    ])
      expect(refusalOf(await give({ restrictions: wrong }))).toEqual(refused)
    const { id, attributes } = dataOf(await give({ restrictions }))
    expect(attributes).toMatchObject({ restrictions })
    const change = (value: unknown) => admin.patch('permissions', id, { attributes: { restrictions: value } })
    expect(refusalOf(await change({ fields: { read: ['nothing_of_an_order'] } }))).toEqual(refused)
    const kept = await admin.patch('permissions', id, { attributes: { can_update: true } })
    expect(dataOf(kept).attributes).toMatchObject({ can_update: true, restrictions })
    const less = { fields: { read: ['number'] } }
    expect(dataOf(await change(less)).attributes['restrictions']).toEqual(less)
    expect(dataOf(await change(null)).attributes['restrictions']).toEqual({})
  })
})

describe('users', () => {
  it('are made, changed, disabled, enabled and ended', async () => {
    const attributes = { email: 'Ann@shop.example', password: 'another password', first_name: 'Ann' }
    const made = await admin.post('users', { attributes, relationships: roleLink(system.adminRoleId) })
    expect(made.status).toBe(201)
    const { id } = dataOf(made)
    expect(dataOf(made).attributes).toMatchObject({
      ...{ email: 'ann@shop.example', first_name: 'Ann', last_name: '', time_zone: 'UTC', owner: false },
      disabled_at: null,
    })
    expect(made.text).not.toContain('another password')
    const moved = await admin.patch('users', id, {
      attributes: { first_name: null, time_zone: 'Europe/Rome', _disable: true },
    })
    expect(dataOf(moved).attributes).toMatchObject({ first_name: '', time_zone: 'Europe/Rome' })
    expect(dataOf(moved).attributes['disabled_at']).toEqual(expect.any(String))
    const enabled = await admin.patch('users', id, { attributes: { _enable: true } })
    expect(dataOf(enabled).attributes['disabled_at']).toBeNull()
    expect((await admin.remove('users', id)).status).toBe(204)
    expect((await admin.remove('users', id)).status).toBe(404)
  })

  it('tell everything that is wrong at once', async () => {
    const response = await admin.post('users', {
      attributes: { email: 'nobody', password: 'short', time_zone: 'Mars/Base', first_name: 'x'.repeat(121) },
      relationships: roleLink('xxxxxxxxxx'),
    })
    expect(refusalOf(response).status).toBe(422)
    expect(response.text).toContain('is too short (minimum is 8 characters)')
    expect(response.text).not.toContain('"short"')
    expect(
      refusalOf(response)
        .errors.map(([, pointer]) => pointer)
        .toSorted(),
    ).toEqual([
      '/data/attributes/email',
      '/data/attributes/first_name',
      '/data/attributes/password',
      '/data/attributes/time_zone',
      '/data/relationships/role',
    ])
    expect(
      refusalOf(await admin.post('users', {}))
        .errors.map(([, pointer]) => pointer)
        .toSorted(),
    ).toEqual(['/data/attributes/email', '/data/attributes/password', '/data/relationships/role'])
  })

  it('have an email of their own', async () => {
    const attributes = { email: 'OWNER@shop.example', password: 'another password' }
    const taken = { status: 409, errors: [['RECORD_NOT_UNIQUE', '/data/attributes/email']] }
    const relationships = roleLink(system.adminRoleId)
    expect(refusalOf(await admin.post('users', { attributes, relationships }))).toEqual(taken)
    const made = await admin.post('users', {
      attributes: { ...attributes, email: 'b@shop.example' },
      relationships,
    })
    const change = { attributes: { email: 'owner@shop.example' } }
    expect(refusalOf(await admin.patch('users', dataOf(made).id, change))).toEqual(taken)
  })
})

describe('api_credentials', () => {
  const make = (attributes: object, relationships: object = {}) =>
    admin.post('api_credentials', { attributes, relationships })

  it('show their secret when they are made and when it is replaced, and never again', async () => {
    const made = await make({ name: 'App', kind: 'sales_channel' })
    const { id, attributes } = dataOf(made)
    expect(attributes).toMatchObject({
      ...{ name: 'App', kind: 'sales_channel', mode: 'test', confidential: false, custom: false },
      ...{ redirect_uri: null, expires_in: 14_400, scopes: 'market:all', disabled_at: null },
      client_id: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      client_secret: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    })
    const again = await admin.get(`api_credentials/${id}`)
    expect(dataOf(again).attributes).not.toHaveProperty('client_secret')
    expect((await admin.get('api_credentials')).text).not.toContain('client_secret')
    const rotated = await admin.patch('api_credentials', id, { attributes: { _rotate_secret: true } })
    const secret = dataOf(rotated).attributes['client_secret']
    expect(secret).not.toBe(attributes['client_secret'])
    const ask = (client_secret: unknown) =>
      system.token({
        grant_type: 'client_credentials',
        client_id: attributes['client_id'],
        client_secret,
        scope: 'market:code:usa',
      })
    expect((await ask(secret)).status).toBe(200)
    expect((await ask(attributes['client_secret'])).status).toBe(401)
  })

  it('show a secret that was made whatever fields are asked for', async () => {
    const query = '?fields[api_credentials]=name'
    const send = async (method: string, path: string, data: object) => {
      const body = { data: { type: 'api_credentials', ...data } }
      const headers = { 'Content-Type': JSON_API }
      const options = { token, body, headers }
      return dataOf(await system.api.request(method, `/provisioning/${path}${query}`, options))
    }
    const attributes = { name: 'Lean', kind: 'webapp', redirect_uri: 'https://a.example/' }
    const made = await send('POST', 'api_credentials', { attributes })
    const path = `api_credentials/${made.id}`
    const rotated = await send('PATCH', path, { id: made.id, attributes: { _rotate_secret: true } })
    const renamed = await send('PATCH', path, { id: made.id, attributes: { name: 'Leaner' } })
    const secret = expect.stringMatching(/^\S{43}$/) as unknown
    expect(made.attributes).toEqual({ name: 'Lean', client_secret: secret })
    expect(rotated.attributes).toEqual({ name: 'Lean', client_secret: secret })
    expect(rotated.attributes['client_secret']).not.toBe(made.attributes['client_secret'])
    expect(renamed.attributes).toEqual({ name: 'Leaner' })
  })

  it('change everything that may change, in one act', async () => {
    const { id } = dataOf(
      await make(
        { name: 'ERP', kind: 'integration', mode: 'live', expires_in: 7_200 },
        roleLink(system.adminRoleId),
      ),
    )
    const changed = await admin.patch('api_credentials', id, {
      attributes: { name: 'New ERP', expires_in: 86_400, redirect_uri: 'https://a.example/', _disable: true },
    })
    expect(dataOf(changed).attributes).toMatchObject({
      ...{ name: 'New ERP', expires_in: 86_400, redirect_uri: 'https://a.example/', mode: 'live' },
      disabled_at: expect.any(String) as unknown,
    })
    const reset = await admin.patch('api_credentials', id, {
      attributes: { expires_in: null, redirect_uri: null },
    })
    expect(dataOf(reset).attributes).toMatchObject({ expires_in: 7_200, redirect_uri: null })
    expect((await admin.remove('api_credentials', id)).status).toBe(204)
  })

  it.each([
    ['no name and no kind', {}, {}, ['attributes/kind', 'attributes/name']],
    ['an integration without role', { name: 'x', kind: 'integration' }, {}, ['relationships/role']],
    ['a webapp without redirect URI', { name: 'x', kind: 'webapp' }, {}, ['attributes/redirect_uri']],
    ['another kind', { name: 'x', kind: 'dashboard' }, {}, ['attributes/kind']],
    [
      'a life of 7199 s and a URI that is none',
      { name: 'x', kind: 'sales_channel', expires_in: 7_199, redirect_uri: '/here' },
      {},
      ['attributes/expires_in', 'attributes/redirect_uri'],
    ],
    ['another mode', { name: 'x', kind: 'sales_channel', mode: 'prod' }, {}, ['attributes/mode']],
    [
      'a number as name and a text that is no number',
      { name: 1, kind: 'sales_channel', expires_in: '2 hours' },
      {},
      ['attributes/expires_in', 'attributes/name'],
    ],
  ])('are refused with %s', async (_name, attributes, relationships, pointers) => {
    const { status, errors } = refusalOf(await make(attributes, relationships))
    expect([status, errors.map(([, pointer]) => pointer).toSorted()]).toEqual([
      422,
      pointers.map((pointer) => `/data/${pointer}`),
    ])
  })

  it('refuse changes their kind does not take', async () => {
    const { webapp, integration } = system.credentials
    const pointersOf = async (id: string, members: object) =>
      refusalOf(await admin.patch('api_credentials', id, members)).errors.map(([, pointer]) => pointer)
    expect(await pointersOf(webapp.id, { attributes: { redirect_uri: null } })).toEqual([
      '/data/attributes/redirect_uri',
    ])
    expect(await pointersOf(webapp.id, { relationships: roleLink(system.adminRoleId) })).toEqual([
      '/data/relationships/role',
    ])
    expect(await pointersOf(integration.id, { relationships: { role: { data: null } } })).toEqual([
      '/data/relationships/role',
    ])
    expect(await pointersOf(integration.id, { attributes: { _enable: true, _disable: true } })).toEqual([
      '/data/attributes/_enable',
    ])
    expect(
      await pointersOf(integration.id, { attributes: { kind: 'webapp', client_id: 'x', nothing: 1 } }),
    ).toEqual(['/data/attributes/kind', '/data/attributes/client_id', '/data/attributes/nothing'])
  })
})
