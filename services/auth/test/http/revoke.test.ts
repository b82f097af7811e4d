import type { InProcessResponse } from '@merx/testing/in-process-client'
import {
  assertionOf,
  clientOf,
  oauthErrorOf,
  startTestSystem,
  type TestSystem,
} from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'revoke' })
})
afterAll(() => system.close())

const revoke = (body: Record<string, unknown>) => system.api.post('/oauth/revoke', { body })

const guest = async (): Promise<string> => {
  const { clientId: client_id } = system.credentials.salesChannel
  return accessOf(
    await system.token({ grant_type: 'client_credentials', client_id, scope: 'market:code:europe' }),
  )
}

const integrationToken = async (): Promise<string> =>
  accessOf(
    await system.token({ grant_type: 'client_credentials', ...clientOf(system.credentials.integration) }),
  )

const signIn = () =>
  system.token({
    grant_type: 'password',
    client_id: system.credentials.salesChannel.clientId,
    username: 'ann@example.com',
    password: 'correct horse',
    scope: 'market:code:europe',
  })

const accessOf = ({ body }: InProcessResponse) => (body as { access_token: string }).access_token
const refreshOf = ({ body }: InProcessResponse) => (body as { refresh_token: string }).refresh_token

const revokedIds = async () => {
  const { body } = await system.internal.get('/internal/access-state', { token: 'Zq3v9Lw2Xr7Tn5Kp' })
  return (body as { revocations: { jti: string }[] }).revocations.map(({ jti }) => jti)
}

const idOf = (token: string) => (JSON.parse(atob(token.split('.')[1] ?? '')) as { jti: string }).jti

const expectDone = (response: InProcessResponse) => {
  expect(response.status).toBe(200)
  expect(response.body).toEqual({})
}

const expectForbidden = (response: InProcessResponse) => {
  expect(response.status).toBe(403)
  expect(response.body).toEqual({
    error: 'unauthorized_client',
    error_description: 'You are not authorized to revoke this token',
    errors: [
      {
        title: 'unauthorized_client',
        detail: 'You are not authorized to revoke this token',
        code: 'FORBIDDEN',
        status: 403,
      },
    ],
  })
}

describe('revocation', () => {
  it('of an integration’s token ends it, and the next identical request gets another', async () => {
    const token = await integrationToken()
    expectDone(await revoke({ ...clientOf(system.credentials.integration), token }))
    expect(await revokedIds()).toContain(idOf(token))
    const next = await integrationToken()
    expect(next).not.toBe(token)
    expect(await integrationToken()).toBe(next)
  })

  it('of a customer’s token needs no secret', async () => {
    const token = accessOf(await signIn())
    expectDone(await revoke({ client_id: system.credentials.salesChannel.clientId, token }))
    expect(await revokedIds()).toContain(idOf(token))
  })

  it('of a guest’s token needs no secret, and the next guest gets another token', async () => {
    const token = await guest()
    expectDone(await revoke({ client_id: system.credentials.salesChannel.clientId, token }))
    expect(await revokedIds()).toContain(idOf(token))
    expect(await guest()).not.toBe(token)
  })

  it('of a refresh token ends the whole family with its access tokens', async () => {
    const first = await signIn()
    const second = await system.token({
      grant_type: 'refresh_token',
      client_id: system.credentials.salesChannel.clientId,
      refresh_token: refreshOf(first),
    })
    expectDone(
      await revoke({ client_id: system.credentials.salesChannel.clientId, token: refreshOf(second) }),
    )
    expect(await revokedIds()).toEqual(
      expect.arrayContaining([idOf(accessOf(first)), idOf(accessOf(second))]),
    )
    const third = await system.token({
      grant_type: 'refresh_token',
      client_id: system.credentials.salesChannel.clientId,
      refresh_token: refreshOf(second),
    })
    expect(oauthErrorOf(third)).toMatchObject({ error: 'invalid_grant' })
    expect(accessOf(await signIn())).not.toBe(accessOf(first))
  })

  it('of a refresh token without owner needs no secret', async () => {
    const response = await system.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...clientOf(system.credentials.salesChannel),
      assertion: assertionOf({ custom_claim: { a: 1 } }),
    })
    expectDone(
      await revoke({ client_id: system.credentials.salesChannel.clientId, token: refreshOf(response) }),
    )
  })

  it('can be repeated', async () => {
    const token = await integrationToken()
    for (let time = 0; time < 2; time += 1) {
      expectDone(await revoke({ ...clientOf(system.credentials.integration), token }))
    }
  })

  it('takes HTTP Basic and forms, and ignores token_type_hint', async () => {
    const { clientId, clientSecret } = system.credentials.integration
    const response = await system.api.post('/oauth/revoke', {
      body: new URLSearchParams({
        token: await integrationToken(),
        token_type_hint: 'access_token',
      }).toString(),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
    })
    expectDone(response)
  })

  it.each([
    ['an unknown token', () => 'unknown'],
    ['a JWT somebody else signed', () => assertionOf({ owner: { type: 'User', id: 'a' } })],
    [
      'a token with a changed payload',
      (token: string) => token.replace(/\.[^.]*\./, `.${btoa('{"jti":"x"}')}.`),
    ],
  ])('of %s succeeds without doing anything (RFC 7009 2.2)', async (_name, make) => {
    const before = await revokedIds()
    expectDone(
      await revoke({ ...clientOf(system.credentials.integration), token: make(await integrationToken()) }),
    )
    expect(await revokedIds()).toEqual(before)
  })

  it('of an expired token succeeds without doing anything', async () => {
    const token = await integrationToken()
    system.clock.advance(7_200)
    expectDone(await revoke({ ...clientOf(system.credentials.integration), token }))
    expect(await revokedIds()).not.toContain(idOf(token))
  })

  it('is refused without client_id', async () => {
    expectForbidden(await revoke({ token: await integrationToken() }))
  })

  it('is refused for the token of another client', async () => {
    const token = await integrationToken()
    expectForbidden(await revoke({ ...clientOf(system.credentials.webapp), token }))
    const { refresh_token: refreshToken } = (await signIn()).body as { refresh_token: string }
    expectForbidden(await revoke({ ...clientOf(system.credentials.webapp), token: refreshToken }))
  })

  it('is refused with 401 for a wrong secret, an unknown client, or a confidential client without secret', async () => {
    const token = await integrationToken()
    const { clientId } = system.credentials.integration
    for (const client of [
      { client_id: clientId, client_secret: 'x' },
      { client_id: 'A'.repeat(43) },
      { client_id: clientId },
    ]) {
      const response = await revoke({ ...client, token })
      expect(response.status).toBe(401)
      expect(oauthErrorOf(response)).toMatchObject({ error: 'invalid_client' })
    }
  })

  it('needs a token', async () => {
    const response = await revoke(clientOf(system.credentials.integration))
    expect(response.status).toBe(400)
    expect(oauthErrorOf(response)).toMatchObject({
      error: 'invalid_request',
      error_description: 'Missing required parameter: token.',
    })
  })
})
