import { listen } from '@merx/http/listen'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { clientOf, oauthErrorOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'protocol' })
})
afterAll(() => system.close())

const FORM = 'application/x-www-form-urlencoded'

const expectError = (response: InProcessResponse, status: number, error: string, detail?: string) => {
  expect({ status: response.status, error: oauthErrorOf(response).error }).toEqual({ status, error })
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  const { errors, error_description: description } = oauthErrorOf(response)
  expect(errors[0]).toMatchObject({ title: error, status })
  if (detail !== undefined) expect(description).toContain(detail)
}

describe.each(['/oauth/token', '/oauth/revoke'])('POST %s', (path) => {
  it('answers OPTIONS with 204 and Allow', async () => {
    const { status, text, headers } = await system.api.request('OPTIONS', path)
    expect([status, text, headers['allow']]).toEqual([204, '', 'POST, OPTIONS'])
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('refuses %s with 405 and Allow', async (method) => {
    const response = await system.api.request(method, path)
    expectError(response, 405, 'method_not_allowed', 'allowed: POST')
    expect(response.headers['allow']).toBe('POST')
  })

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/vnd.api+json'])(
    'refuses a body of type %s with 415',
    async (type) => {
      const response = await system.api.post(path, {
        body: 'grant_type=password',
        headers: { 'Content-Type': type },
      })
      expectError(response, 415, 'unsupported_media_type')
    },
  )

  it.each(['{', '', '{"grant_type":', 'grant_type=password', '{"a":1}}'])(
    'refuses the malformed JSON %j',
    async (body) => {
      const response = await system.api.post(path, { body, headers: { 'Content-Type': 'application/json' } })
      expectError(response, 400, 'invalid_request')
    },
  )

  it.each(['null', '[]', '"text"', '1', '[{"grant_type":"password"}]'])(
    'refuses the JSON %s, which is no object',
    async (body) => {
      expectError(await system.api.post(path, { body }), 400, 'invalid_request', 'one object')
    },
  )

  it('refuses a body beyond 128 KB with 413', async () => {
    const body = { grant_type: 'password', fill: 'x'.repeat(131_072) }
    expectError(await system.api.post(path, { body }), 413, 'payload_too_large')
  })

  it('refuses a request without body', async () => {
    expectError(await system.api.post(path), 400, 'invalid_request')
  })

  it('refuses nesting, NUL and prototype keys before it looks at them', async () => {
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
    for (const body of [deep, '{"scope":"a\\u0000b"}', '{"__proto__":{"grant_type":"password"}}']) {
      expectError(await system.api.post(path, { body }), 400, 'invalid_request')
    }
  })

  it('refuses a form parameter that is given twice (RFC 6749 3.2)', async () => {
    const body = 'client_id=a&client_id=b&grant_type=password&token=x'
    const response = await system.api.post(path, { body, headers: { 'Content-Type': FORM } })
    expectError(response, 400, 'invalid_request', 'client_id is given more than once')
  })
})

describe('a JSON parameter that is given twice', () => {
  const bodyOf = (more: string): string => {
    const right = { grant_type: 'client_credentials', ...clientOf(system.credentials.integration) }
    return JSON.stringify(right).replace(/}$/, `,${more}}`)
  }

  it.each([
    ['scope', '"scope":"market:code:europe","scope":"market:code:usa"'],
    ['scope', '"scope":"market:code:europe","sc\\u006fpe":"market:code:usa"'],
    ['scope', '"scope":{"a":"b"}, "scope" : "market:code:usa"'],
    ['grant_type', '"grant_type":"client_credentials"'],
    ['client_id', `"client_id":"${'x'.repeat(43)}"`],
  ])('is refused as in a form (RFC 6749 3.2): %s in …%s', async (name, more) => {
    const response = await system.api.post('/oauth/token', { body: bodyOf(more) })
    expectError(response, 400, 'invalid_request', `${name} is given more than once`)
  })

  it.each(['/oauth/revoke', '/oauth/introspect'])('is refused by %s too', async (path) => {
    const body = bodyOf('"token":"a","token":"b"')
    expectError(
      await system.api.post(path, { body }),
      400,
      'invalid_request',
      'token is given more than once',
    )
  })

  it.each([
    '"domain":"a","domain":"b"',
    '"deep":{"scope":"a","list":["scope","scope:"],"scope":"b"}',
    '"said":"\\"scope\\":\\"a\\"","scope":"market:code:europe"',
  ])('is none in %s', async (more) => {
    const response = await system.api.post('/oauth/token', { body: bodyOf(more) })
    expect(response.status).toBe(200)
  })
})

describe('the grant type', () => {
  it('is required', async () => {
    const response = await system.token(clientOf(system.credentials.integration))
    expectError(response, 400, 'invalid_request', 'Missing required parameter: grant_type.')
  })

  it.each(['implicit', 'CLIENT_CREDENTIALS', 'client_credentials client_credentials'])(
    '%j is not supported',
    async (grantType) => {
      const response = await system.token({
        grant_type: grantType,
        ...clientOf(system.credentials.integration),
      })
      expectError(
        response,
        400,
        'unsupported_grant_type',
        'allowed: client_credentials, password, authorization_code',
      )
    },
  )

  it('must be a string, like every parameter, and all violations are returned at once', async () => {
    const response = await system.token({ grant_type: 1, client_id: {}, scope: ['a'] })
    expectError(response, 400, 'invalid_request')
    expect(oauthErrorOf(response).errors.map(({ detail }) => detail)).toEqual([
      'The parameter grant_type must be a string.',
      'The parameter client_id must be a string.',
      'The parameter scope is given more than once; allowed: once.',
    ])
  })
})

describe('other paths', () => {
  it.each([
    '/',
    '/oauth',
    '/oauth/tokens',
    '/OAuth/Token',
    '/internal/access-state',
    '/health/ready',
    '/%2e%2e/x',
  ])('%s is answered with 404 in the same form', async (path) => {
    expectError(await system.api.get(path), 404, 'not_found')
  })

  it('of broken percent-encoding are answered with 400', async () => {
    expectError(await system.api.get('/oauth/%zz'), 400, 'invalid_request')
  })
})

describe('GET /.well-known/jwks.json', () => {
  it('gives the keys, to any origin, for caches too', async () => {
    const { status, headers, body } = await system.api.get('/.well-known/jwks.json')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
    expect(body).toEqual({
      keys: [
        {
          kty: 'RSA',
          n: expect.any(String) as unknown,
          e: 'AQAB',
          kid: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
          alg: 'RS512',
          use: 'sig',
        },
      ],
    })
  })

  it('refuses other methods', async () => {
    const response = await system.api.post('/.well-known/jwks.json', { body: {} })
    expect(response.status).toBe(405)
    expect(response.headers['allow']).toBe('GET, HEAD')
  })
})

describe('a body that is not valid UTF-8', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')

  it.each([
    ['JSON', 'application/json', latin1('{"grant_type":"password","password":"secret-\u00fc"}')],
    ['a form', 'application/x-www-form-urlencoded', latin1('grant_type=password&password=secret-\u00fc')],
    [
      'escapes of a form',
      'application/x-www-form-urlencoded',
      latin1('grant_type=password&password=secret-%FC'),
    ],
  ])('is refused with 400 as %s', async (_name, type, bytes) => {
    const server = await listen(system.auth.app, { host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: bytes,
    })
    const body: unknown = await answer.json()
    await server.close()
    expect([answer.status, body]).toMatchObject([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining('not valid UTF-8') as unknown },
    ])
  })
})
