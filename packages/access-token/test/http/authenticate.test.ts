import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { createApp } from '@merx/http/create-app'
import { finishApp } from '@merx/http/finish-app'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { FakeClock } from '@merx/testing/fake-clock'
import { inProcessClient } from '@merx/testing/in-process-client'
import type { InProcessClient } from '@merx/testing/in-process-client'
import { createTokenMint } from '@merx/testing/mint-token'
import type { TokenMint } from '@merx/testing/mint-token'
import { silentLogger } from '@merx/testing/silent-logger'
import { authenticate, callerOf, verifyAgain } from '../../src/authenticate.ts'
import { createVerifier } from '../../src/verifier.ts'

const LATER_SECONDS = 60

let clock: FakeClock
let mint: TokenMint
let client: InProcessClient
let isLoaded: boolean

beforeAll(async () => {
  clock = createFakeClock()
  mint = await createTokenMint({ clock })
  const app = createApp({
    service: 'test',
    log: silentLogger,
    trustProxy: 0,
    encodeError: encodeJsonApi,
    internalError: 'internal_server_error',
  })
  const accessState = {
    get isLoaded() {
      return isLoaded
    },
    isRevoked: () => false,
    roleOf: () => undefined,
  }
  const verifier = createVerifier({ keySet: mint.keySet, issuer: mint.issuer, clock, accessState })
  app.get('/open', (_request, response) => void response.json(callerOf(response)))
  app.use(authenticate({ verifier, missing: 'unauthorized', invalid: 'invalid_token' }))
  app.get('/me', (_request, response) => void response.json(callerOf(response)))
  app.get('/later', async (_request, response) => {
    clock.advance(LATER_SECONDS)
    response.json(await verifyAgain(response))
  })
  finishApp(app, { notFound: 'not_found', log: silentLogger })
  client = inProcessClient(app)
})
beforeEach(() => {
  isLoaded = true
})

const withHeader = (value: string) => client.get('/me', { headers: { Authorization: value } })

describe('authenticate', () => {
  it('verifies the token again for an answer that goes on', async () => {
    expect((await client.get('/later', { token: await mint.mint() })).body).toMatchObject({ mode: 'test' })
    const exp = Math.floor(clock.now().getTime() / 1000) + LATER_SECONDS
    const { status, body } = await client.get('/later', { token: await mint.mint({ exp }) })
    expect(status).toBe(401)
    expect(body).toMatchObject({ errors: [{ code: 'INVALID_TOKEN' }] })
  })

  it('gives the route its caller', async () => {
    const { status, body } = await client.get('/me', { token: await mint.mint() })
    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'test', organization: { id: 'enWoxFMOnp' }, role: { kind: 'admin' } })
  })

  it('takes the scheme in any case, as RFC 9110 asks', async () => {
    expect((await withHeader(`bearer ${await mint.mint()}`)).status).toBe(200)
    expect((await withHeader(`BEARER  ${await mint.mint()} `)).status).toBe(200)
  })

  it.each(['', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Token abc'])(
    'challenges a request without a bearer token (%j) and names no error, as RFC 6750 asks',
    async (value) => {
      const { status, headers, body } = await withHeader(value)
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toBe('Bearer realm="merx"')
      expect(body).toMatchObject({ errors: [{ code: 'UNAUTHORIZED', status: '401' }] })
    },
  )

  it.each([
    'Bearer abc',
    'Bearer a b',
    'Bearer {}',
    `Bearer ${'x'.repeat(9000)}`,
    'Bearer a.b.c, Bearer d.e.f',
  ])('refuses %.20s as invalid, with the error of RFC 6750', async (value) => {
    const { status, headers, body } = await withHeader(value)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('error="invalid_token"')
    expect(body).toMatchObject({ errors: [{ code: 'INVALID_TOKEN', title: 'Invalid token' }] })
  })

  it('says nothing about why a token is not valid', async () => {
    const { body, text } = await client.get('/me', {
      token: await mint.mint({ iss: 'https://auth.example.com' }),
    })
    expect(body).toMatchObject({ errors: [{ detail: 'The access token you provided is invalid.' }] })
    expect(text).not.toContain('iss')
  })

  it('answers 503 with Retry-After while validity cannot be known', async () => {
    isLoaded = false
    const { status, headers, body } = await client.get('/me', { token: await mint.mint() })
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('1')
    expect(headers['www-authenticate']).toBeUndefined()
    expect(body).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] })
  })

  it('turns a route that forgot to authenticate into an error of ours, not an open door', async () => {
    expect((await client.get('/open')).status).toBe(500)
  })
})
