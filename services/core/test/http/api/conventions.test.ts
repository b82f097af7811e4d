/** core-conventions.md 1 and 9: methods, headers, addresses, limits and the errors of each. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { createLimiter } from '@merx/rate-limit/create-limiter'
import {
  customer,
  errorsOf,
  listOf,
  MEDIA_TYPE,
  NOW,
  openCore,
  salesChannel,
  singleOf,
} from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore
const sku = encodeId('skus', 1)

beforeAll(async () => {
  core = await openCore('conventions', {
    findApplication: (id) =>
      Promise.resolve({
        id,
        name: 'My shop',
        kind: 'integration',
        public_access: false,
        redirect_uri: null,
        scopes: 'market:all',
        created_at: new Date('2026-01-02T03:04:05.678Z'),
        updated_at: new Date('2026-02-03T04:05:06.789Z'),
        metadata: { a: 1 },
      }),
  })
})
afterAll(() => core.close())

const admin = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
) =>
  core.client.request(method, path, {
    token: core.tokens.admin,
    headers,
    ...(body === undefined ? {} : { body }),
  })

describe('addresses', () => {
  it('accept a trailing slash', async () => {
    expect(listOf(await core.get('/api/skus/?page[size]=25', core.tokens.admin)).data).toHaveLength(6)
    expect(singleOf(await core.get(`/api/skus/${sku}/`, core.tokens.admin)).data.id).toBe(sku)
  })

  it.each([
    '/api/nope',
    '/api/nope/x',
    '/api',
    '/api/skus/x/y/z',
    '/API/skus',
    '/api/Skus',
    '/',
    '/api/organization/x',
    '/api/organizations',
    // Only the lists of records have event stores (core-conventions.md 3).
    '/api/event_stores',
  ])('%s is 404', async (path) => {
    const response = await core.get(path, core.tokens.admin)
    expect(response.status).toBe(404)
    expect(errorsOf(response)[0]?.code).toBe('NOT_FOUND')
    expect(response.headers['content-type']).toMatch(/^application\/vnd\.api\+json/)
  })

  it('need a token, known or not', async () => {
    expect((await core.client.get('/api/nope')).status).toBe(401)
  })

  it('beyond the limit are 414', async () => {
    const response = await core.get(`/api/skus?filter[code]=${'x'.repeat(8200)}`, core.tokens.admin)
    expect(response.status).toBe(414)
    expect(errorsOf(response)[0]?.code).toBe('URI_TOO_LONG')
  })

  it('that are not valid percent-encoding are 400', async () => {
    expect((await core.get('/api/skus/%zz', core.tokens.admin)).status).toBe(400)
    expect(errorsOf(await core.get('/api/skus?sort=%zz', core.tokens.admin))[0]?.code).toBe('BAD_REQUEST')
  })
})

describe('methods', () => {
  it.each([
    ['PUT', '/api/skus', 'GET, POST, HEAD'],
    ['DELETE', '/api/skus', 'GET, POST, HEAD'],
    ['PUT', `/api/skus/${sku}`, 'GET, PATCH, DELETE, HEAD'],
    ['POST', `/api/skus/${sku}`, 'GET, PATCH, DELETE, HEAD'],
    ['POST', '/api/payment_gateways', 'GET, HEAD'],
    ['POST', '/api/versions', 'GET, HEAD'],
    ['PATCH', '/api/organization', 'GET, HEAD'],
    ['PATCH', `/api/skus/${sku}/relationships/prices`, 'GET, HEAD'],
    ['DELETE', `/api/skus/${sku}/prices`, 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const response = await admin(method, path)
    expect(response.status).toBe(405)
    expect(response.headers['allow']).toBe(allow)
    expect(errorsOf(response)[0]?.code).toBe('METHOD_NOT_ALLOWED')
  })

  it('HEAD is GET without a body', async () => {
    const response = await admin('HEAD', '/api/skus')
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe(MEDIA_TYPE)
    expect(response.text).toBe('')
  })
})

describe('media types', () => {
  it.each([
    'application/json',
    'text/html',
    'application/vnd.api+json; version=1',
    'application/vnd.api.v1+json',
  ])('Accept: %s is 406', async (accept) => {
    const response = await admin('GET', '/api/skus', { Accept: accept })
    expect(response.status).toBe(406)
    expect(errorsOf(response)[0]).toMatchObject({ code: 'NOT_ACCEPTABLE', source: { header: 'Accept' } })
  })

  it.each(['*/*', 'application/*', 'application/vnd.api+json', 'text/html, application/vnd.api+json'])(
    'Accept: %s is fine',
    async (accept) => {
      expect((await admin('GET', '/api/skus', { Accept: accept })).status).toBe(200)
    },
  )

  it('tolerates a Content-Type on GET', async () => {
    expect((await admin('GET', '/api/skus', { 'Content-Type': MEDIA_TYPE })).status).toBe(200)
    expect((await admin('GET', '/api/skus', { 'Content-Type': 'text/plain' })).status).toBe(200)
  })

  it.each(['application/json', 'application/vnd.api+json; charset=utf-8', 'text/plain'])(
    'Content-Type: %s on a write is 415',
    async (type) => {
      const response = await admin('POST', '/api/merchants', { 'Content-Type': type }, '{}')
      expect(response.status).toBe(415)
      expect(errorsOf(response)[0]).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        source: { header: 'Content-Type' },
      })
    },
  )

  it('refuses malformed JSON and bodies that are too large', async () => {
    const type = { 'Content-Type': MEDIA_TYPE }
    expect(errorsOf(await admin('POST', '/api/merchants', type, '{"data":'))[0]).toMatchObject({
      code: 'BAD_REQUEST',
      status: '400',
    })
    const large = await admin('POST', '/api/merchants', type, `"${'x'.repeat(1_100_000)}"`)
    expect(large.status).toBe(413)
  })
})

describe('singletons', () => {
  it('organization is the one of the token, with its own type', async () => {
    const { data } = singleOf(
      await core.get('/api/organization?fields[organizations]=name,slug', core.tokens.admin),
    )
    expect(data).toMatchObject({
      id: 'enWoxFMOnp',
      type: 'organizations',
      links: { self: 'http://localhost:8080/api/organization' },
      attributes: { name: 'The Blue Brand', slug: 'the-blue-brand' },
    })
  })

  it('application is the credential of the token', async () => {
    const response = await core.get('/api/application', core.tokens.admin)
    expect(singleOf(response).data).toMatchObject({
      id: 'DNOPYiZYpn',
      type: 'applications',
      attributes: {
        name: 'My shop',
        kind: 'integration',
        created_at: '2026-01-02T03:04:05.678Z',
        updated_at: '2026-02-03T04:05:06.789Z',
        metadata: { a: 1 },
      },
    })
    expect(response.headers['x-ratelimit-limit']).toBeDefined()
  })

  const webapp = { id: 'aPPwebapps', client_id: 'w', kind: 'webapp', public: false, confidential: true }
  it.each([
    ['an integration whose role permits nothing', { role: { id: 'rPermitsNothing', kind: 'custom' } }],
    ['an integration without a role', { role: undefined }],
    ['a webapp', { application: webapp, role: undefined, owner: { id: 'uSeRsOwner', type: 'User' } }],
    ['a sales channel', salesChannel([1])],
    ['a customer', customer(1, [1])],
  ])('tell %s whom its token is for', async (_who, claims) => {
    core.roles.set('rPermitsNothing', { kind: 'custom', permissions: [] })
    const token = await core.tokens.mint(claims)
    const organization = singleOf(await core.get('/api/organization', token)).data
    expect(organization).toMatchObject({ id: 'enWoxFMOnp', attributes: { slug: 'the-blue-brand' } })
    expect(singleOf(await core.get('/api/application', token)).data.type).toBe('applications')
    expect((await core.get('/api/merchants', token)).status).toBe(401)
    expect((await core.get('/api/organization/event_stores', token)).status).toBe(401)
  })
})

describe('errors', () => {
  it('tell of all violations of a request at once, each with its own source', async () => {
    const response = await core.get(
      '/api/skus?page[size]=26&sort=nope&filter[q][nope_eq]=1&foo=bar',
      core.tokens.admin,
    )
    expect(response.status).toBe(400)
    expect(errorsOf(response).map(({ code, source }) => [code, source?.parameter])).toEqual([
      ['PARAM_NOT_ALLOWED', 'foo'],
      ['FILTER_NOT_ALLOWED', 'filter[q][nope_eq]'],
      ['INVALID_SORT_CRITERIA', 'sort'],
      ['INVALID_PAGE_VALUE', 'page[size]'],
    ])
  })

  it('tell of the violations of query and document together', async () => {
    const response = await core.send(
      'POST',
      '/api/skus?include=nope&fields[skus]=nope&page[size]=1',
      core.tokens.admin,
      {
        data: {
          type: 'prices',
          attributes: { colour: 'red', created_at: NOW },
          relationships: { owner: { data: null } },
        },
      },
    )
    expect(response.status).toBe(400)
    expect(
      errorsOf(response).map(({ code, source }) => [code, source?.parameter ?? source?.pointer]),
    ).toEqual([
      ['PARAM_NOT_ALLOWED', 'page[size]'],
      ['INVALID_INCLUDE', 'include'],
      ['INVALID_FIELD', 'fields[skus]'],
      ['TYPE_MISMATCH', '/data/type'],
      ['PARAM_NOT_ALLOWED', '/data/attributes/colour'],
      ['PARAM_NOT_ALLOWED', '/data/attributes/created_at'],
      ['PARAM_NOT_ALLOWED', '/data/relationships/owner'],
    ])
    const update = await core.send('PATCH', `/api/skus/${sku}?sort=id`, core.tokens.admin, { data: [] })
    expect(errorsOf(update).map(({ code }) => code)).toEqual(['PARAM_NOT_ALLOWED', 'INVALID_DATA_FORMAT'])
  })

  it('tell of both headers that are wrong', async () => {
    const headers = { Accept: 'text/html', 'Content-Type': 'text/plain' }
    const response = await admin('POST', '/api/merchants', headers, 'x')
    expect(response.status).toBe(400)
    expect(errorsOf(response).map(({ status, source }) => [status, source?.header])).toEqual([
      ['406', 'Accept'],
      ['415', 'Content-Type'],
    ])
  })

  it('carry a request id', async () => {
    expect((await core.get('/api/nope', core.tokens.admin)).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })
})

describe('rate limits', () => {
  it.each([
    ['skus', 'GET', '500'],
    ['merchants', 'GET', '100'],
    ['skus', 'POST', '100'],
  ])('%s %s has its budget of 60 seconds, then 429 with Retry-After', async (path, method, limit) => {
    const limited = await openCore(`limits_${path}_${method.toLowerCase()}`, {
      limiter: createLimiter({ clock: core.clock }),
    })
    const call = () => limited.send(method, `/api/${path}`, limited.tokens.admin)
    const first = await call()
    expect(first.headers['x-ratelimit-limit']).toBe(limit)
    expect(first.headers['x-ratelimit-interval']).toBe('60')
    expect(first.headers['x-ratelimit-remaining']).toBe(String(Number(limit) - 1))
    const burst = Number(limit) / 4
    for (let count = 1; count < burst; count += 1) expect((await call()).status).not.toBe(429)
    const refused = await call()
    expect(refused.status).toBe(429)
    expect(errorsOf(refused)[0]?.code).toBe('TOO_MANY_REQUESTS')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await limited.close()
  })
})
