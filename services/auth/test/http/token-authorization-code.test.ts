import { createHash } from 'node:crypto'
import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { createAuthorizationCodes, type AuthorizationCode } from '../../src/grants/authorization-codes.ts'
import {
  claimsOf,
  clientOf,
  oauthErrorOf,
  REDIRECT_URI,
  startTestSystem,
  type TestSystem,
} from '../support/auth-system.ts'

let system: TestSystem
let keyValue: KeyValue
beforeAll(async () => {
  const open = (clock: Parameters<typeof createMemoryKeyValue>[0]['clock']) => {
    keyValue = createMemoryKeyValue({ clock })
    return keyValue
  }
  system = await startTestSystem({ name: 'authorization_code', keyValue: open })
})
afterAll(() => system.close())

/** As the consent page will do it. */
const consent = (changes: Partial<AuthorizationCode> = {}) =>
  createAuthorizationCodes(keyValue).create({
    clientId: system.credentials.webapp.clientId,
    userId: system.userId,
    redirectUri: REDIRECT_URI,
    ...changes,
  })

const exchange = (code: string, changes: Record<string, unknown> = {}) =>
  system.token({
    grant_type: 'authorization_code',
    ...clientOf(system.credentials.webapp),
    code,
    redirect_uri: REDIRECT_URI,
    ...changes,
  })

describe('authorization_code', () => {
  it('gives a webapp a token of the user who gave consent, with the user’s role', async () => {
    const response = await exchange(await consent({ scope: 'market:code:usa' }))
    expect(response.status).toBe(200)
    expect(Object.keys(response.body as object)).toEqual([
      ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
      ...['created_at', 'owner_id', 'owner_type'],
    ])
    expect(response.body).toMatchObject({
      owner_id: system.userId,
      owner_type: 'user',
      scope: 'market:code:usa',
    })
    expect(claimsOf(response)).toMatchObject({
      role: { kind: 'admin' },
      owner: { type: 'User', id: system.userId },
    })
  })

  it('can be refreshed, role and owner included', async () => {
    const first = await exchange(await consent())
    const { refresh_token: refreshToken } = first.body as { refresh_token: string }
    const second = await system.token({
      grant_type: 'refresh_token',
      ...clientOf(system.credentials.webapp),
      refresh_token: refreshToken,
    })
    expect(second.body).toMatchObject({ owner_type: 'user', scope: 'market:all' })
    expect(claimsOf(second)).toMatchObject({ role: { id: system.adminRoleId } })
  })

  it('takes a code once', async () => {
    const code = await consent()
    expect((await exchange(code)).status).toBe(200)
    expect(oauthErrorOf(await exchange(code))).toMatchObject({ error: 'invalid_grant' })
  })

  const refresh = (answer: InProcessResponse) =>
    system.token({
      grant_type: 'refresh_token',
      ...clientOf(system.credentials.webapp),
      refresh_token: (answer.body as { refresh_token: string }).refresh_token,
    })
  const isLive = async (answer: InProcessResponse): Promise<boolean> => {
    const { access_token: token } = answer.body as { access_token: string }
    return (await system.api.get('/oauth/tokeninfo', { token })).status === 200
  }

  it('revokes what a code gave, refreshed or not, when the code comes again', async () => {
    const code = await consent()
    const first = await exchange(code)
    const second = await refresh(first)
    expect([await isLive(first), await isLive(second)]).toEqual([true, true])
    await exchange(code)
    expect([await isLive(first), await isLive(second)]).toEqual([false, false])
    expect(oauthErrorOf(await refresh(second))).toMatchObject({ error: 'invalid_grant' })
  })

  it('leaves it alone when another client presents the code', async () => {
    const { organizationId, auth } = system
    const other = await auth.provisioning.createCredential({
      organizationId,
      mode: 'test',
      kind: 'webapp',
      name: 'Other',
      redirectUri: REDIRECT_URI,
    })
    const code = await consent()
    const first = await exchange(code)
    expect((await exchange(code, clientOf(other))).status).toBe(400)
    expect(await isLive(first)).toBe(true)
  })

  it('gives nothing that lasts when a code is presented many times at once', async () => {
    const code = await consent()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    for (const answer of given) expect(await isLive(answer)).toBe(false)
  })

  it('takes a code for ten minutes', async () => {
    const code = await consent()
    system.clock.advance(600)
    expect(oauthErrorOf(await exchange(code))).toMatchObject({ error: 'invalid_grant' })
  })

  it('checks the PKCE verifier when the code has a challenge (RFC 7636 4.6)', async () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
    expect((await exchange(await consent({ codeChallenge }), { code_verifier: verifier })).status).toBe(200)
    const wrong = await exchange(await consent({ codeChallenge }), { code_verifier: `${verifier}x` })
    expect(oauthErrorOf(wrong)).toMatchObject({ error: 'invalid_grant' })
    const missing = await exchange(await consent({ codeChallenge }))
    expect(oauthErrorOf(missing)).toMatchObject({ error: 'invalid_request' })
  })

  it('refuses a verifier when the code has no challenge: somebody took it out (RFC 9700 4.8.2)', async () => {
    const response = await exchange(await consent(), { code_verifier: 'v'.repeat(43) })
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_grant' })
    expect(oauthErrorOf(response).error_description).toContain('had no code_challenge')
  })

  it.each(['short', 'v'.repeat(42), `${'v'.repeat(42)}+`, 'ü'.repeat(43)])(
    'refuses the verifier %j, which RFC 7636 4.1 does not allow, although its digest is right',
    async (verifier) => {
      const codeChallenge = createHash('sha256').update(verifier, 'ascii').digest('base64url')
      const response = await exchange(await consent({ codeChallenge }), { code_verifier: verifier })
      expect([response.status, oauthErrorOf(response).error]).toEqual([400, 'invalid_grant'])
    },
  )

  it.each([
    ['an unknown code', () => Promise.resolve('unknown'), {}],
    ['another redirect_uri', consent, { redirect_uri: `${REDIRECT_URI}/` }],
    ['a code of another client', () => consent({ clientId: 'other' }), {}],
    ['a user who no longer exists', () => consent({ userId: 'nobodyAAAA' }), {}],
  ])('refuses %s as invalid_grant', async (_name, make, changes) => {
    const response = await exchange(await make(), changes)
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_grant' })
  })

  it.each(['code', 'redirect_uri'])('needs %s', async (name) => {
    const response = await exchange('x', { [name]: undefined })
    expect(oauthErrorOf(response)).toMatchObject({
      error: 'invalid_request',
      error_description: `Missing required parameter: ${name}.`,
    })
  })

  it.each(['salesChannel', 'integration'] as const)('refuses a %s as unauthorized_client', async (kind) => {
    const response = await exchange('x', clientOf(system.credentials[kind]))
    expect(oauthErrorOf(response)).toMatchObject({ error: 'unauthorized_client' })
  })
})
