import { createHmac, createPublicKey } from 'node:crypto'
import { AppError } from '@merx/errors/app-error'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { FakeClock } from '@merx/testing/fake-clock'
import { createTokenMint } from '@merx/testing/mint-token'
import type { TokenMint } from '@merx/testing/mint-token'
import { TOKEN_BYTES_MAX, createVerifier } from './verifier.ts'
import type { AccessLookup, Verifier } from './verifier.ts'

const START = '2026-01-15T12:00:00.000Z'
let clock: FakeClock
let mint: TokenMint
let otherCaller: TokenMint
let verifier: Verifier

beforeAll(async () => {
  const fixed = createFakeClock(START)
  mint = await createTokenMint({ clock: fixed })
  otherCaller = await createTokenMint({ clock: fixed })
})

const open = (accessState?: AccessLookup, tokensMax?: number): Verifier =>
  createVerifier({ keySet: mint.keySet, issuer: mint.issuer, clock, accessState, tokensMax })

beforeEach(() => {
  clock = createFakeClock(START)
  verifier = open()
})

/** The error, its reason for the log included. */
const refusal = async (token: string, by = verifier): Promise<{ code: string; reason: string }> => {
  try {
    await by.verify(token)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, reason: error.cause instanceof Error ? error.cause.message : '' }
  }
  throw new Error('the token was accepted')
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a valid token', () => {
  it('gives the caller, claim by claim', async () => {
    const jti = '0B5E2E9C-5A3B-4E4E-9D6C-0C1B2A3D4E5F'
    const token = await mint.mint({
      jti,
      test: false,
      application: {
        id: 'DNOPYiZYpn',
        client_id: 'cid',
        kind: 'sales_channel',
        public: true,
        confidential: false,
      },
      role: undefined,
      owner: { id: 'cUsToMeRid', type: 'Customer' },
      market: {
        id: ['mArKeTiDxx'],
        stock_location_ids: ['sToCkLoCxx'],
        geocoder_id: null,
        allows_external_prices: false,
      },
      store: { id: 'sToReIdxxx' },
      stock_location: { id: 'sToCkLoCxx' },
      auth_time: Date.parse('2026-01-15T11:59:30.000Z') / 1000,
      custom_claim: { tier: 'gold' },
      scope: 'store:code:milan stock_location:id:sToCkLoCxx',
    })
    expect(await verifier.verify(token)).toEqual({
      tokenId: jti.toLowerCase(),
      organization: { id: 'enWoxFMOnp', slug: 'the-blue-brand' },
      mode: 'live',
      application: {
        id: 'DNOPYiZYpn',
        clientId: 'cid',
        kind: 'sales_channel',
        isPublic: true,
        isConfidential: false,
      },
      owner: { id: 'cUsToMeRid', type: 'Customer' },
      market: { ids: ['mArKeTiDxx'], stockLocationIds: ['sToCkLoCxx'] },
      store: { id: 'sToReIdxxx' },
      stockLocation: { id: 'sToCkLoCxx' },
      customClaim: { tier: 'gold' },
      scope: 'store:code:milan stock_location:id:sToCkLoCxx',
      issuedAt: new Date('2026-01-15T12:00:00.000Z'),
      signedInAt: new Date('2026-01-15T11:59:30.000Z'),
      expiresAt: new Date('2026-01-15T14:00:00.000Z'),
    })
  })

  it('is good until the second it expires, cached or not', async () => {
    const token = await mint.mint()
    clock.advance(7199.999)
    await verifier.verify(token)
    clock.advance(0.001)
    expect(await refusal(token)).toEqual({ code: 'invalid_token', reason: 'expired' })
    expect(await refusal(token, open())).toMatchObject({
      code: 'invalid_token',
      reason: expect.stringContaining('"exp"') as string,
    })
  })

  it('may carry claims unknown to this release', async () => {
    expect((await verifier.verify(await mint.mint({ news: [1, 2] }))).mode).toBe('test')
  })
})

describe('a token that is not ours', () => {
  it.each([
    ['', 'not a JWS in compact form'],
    ['abc', 'not a JWS in compact form'],
    ['a.b.c', 'not a JWS in compact form'],
    [`${base64('text')}.e30.eA`, 'Invalid Token or Protected Header formatting'],
  ])('refuses %j', async (token, reason) => {
    expect(await refusal(token)).toEqual({ code: 'invalid_token', reason })
  })

  it('refuses another signing key behind a kid of ours', async () => {
    const token = await otherCaller.mint({}, { kid: mint.kid })
    expect(await refusal(token)).toEqual({ code: 'invalid_token', reason: 'signature verification failed' })
  })

  it('refuses a kid nobody knows', async () => {
    expect(await refusal(await otherCaller.mint())).toMatchObject({
      reason: 'no applicable key found in the JSON Web Key Set',
    })
  })

  it.each([undefined, 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(31)}zz`, 'ab'.repeat(33)])(
    'refuses the kid %s',
    async (kid) => {
      const token = await mint.mint({}, { kid } as { kid: string })
      expect(await refusal(token)).toEqual({
        code: 'invalid_token',
        reason: 'kid is not 64 lower-case hex digits',
      })
    },
  )

  it('refuses alg none', async () => {
    const [, payload] = (await mint.mint()).split('.')
    const token = `${base64({ alg: 'none', typ: 'JWT', kid: mint.kid })}.${payload ?? ''}.`
    expect(await refusal(token)).toEqual({ code: 'invalid_token', reason: 'not a JWS in compact form' })
    expect(await refusal(`${token}eA`)).toEqual({ code: 'invalid_token', reason: 'alg is not RS512' })
  })

  it('refuses HS256 and HS512 signed with the public key as the secret', async () => {
    const [, payload] = (await mint.mint()).split('.')
    const jwk = mint.keySet.keys[0] ?? {}
    const secret = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const [alg, digest] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
    ] as const) {
      const signed = `${base64({ alg, typ: 'JWT', kid: mint.kid })}.${payload ?? ''}`
      const token = `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`
      expect(await refusal(token)).toEqual({ code: 'invalid_token', reason: 'alg is not RS512' })
    }
  })

  it('refuses a type other than JWT', async () => {
    expect(await refusal(await mint.mint({}, { typ: 'at+jwt' }))).toMatchObject({
      reason: 'unexpected "typ" JWT header value',
    })
  })

  it('refuses another issuer', async () => {
    const token = await mint.mint({ iss: 'https://auth.example.com' })
    expect(await refusal(token)).toEqual({ code: 'invalid_token', reason: 'unexpected "iss" claim value' })
  })

  it('refuses every change of a single character', async () => {
    const token = await mint.mint()
    const [header = '', payload = '', signature = ''] = token.split('.')
    const change = (part: string, at: number) =>
      `${part.slice(0, at)}${part[at] === 'A' ? 'B' : 'A'}${part.slice(at + 1)}`
    await verifier.verify(token)
    const changed = [
      `${change(header, 5)}.${payload}.${signature}`,
      `${header}.${change(payload, 40)}.${signature}`,
      `${header}.${payload}.${change(signature, 100)}`,
      `${header}.${payload}.${signature.slice(0, -4)}`,
      `${header}.${payload}.`,
    ]
    for (const bad of changed) expect((await refusal(bad)).code).toBe('invalid_token')
  })

  it('refuses every other spelling of a good token', async () => {
    const token = await mint.mint()
    await verifier.verify(token)
    const last = token.at(-1) ?? ''
    const sibling = String.fromCharCode(last.charCodeAt(0) + 1) // differs in bits that no byte uses
    for (const other of [
      `${token}=`,
      `${token}==`,
      token.replace('.', '=.'),
      `${token.slice(0, -1)}${sibling}`,
    ])
      expect(await refusal(other)).toEqual({ code: 'invalid_token', reason: 'not a JWS in compact form' })
  })

  it('refuses a token over the size limit before it looks at it, and takes one just below', async () => {
    const filled = async (bytes: number) => {
      const length = (await mint.mint({ custom_claim: { fill: '' } })).length
      return mint.mint({ custom_claim: { fill: 'x'.repeat(Math.floor(((bytes - length) * 3) / 4)) } })
    }
    expect((await verifier.verify(await filled(TOKEN_BYTES_MAX - 4))).customClaim).toBeDefined()
    expect(await refusal('a'.repeat(TOKEN_BYTES_MAX))).toMatchObject({ reason: 'not a JWS in compact form' })
    expect(await refusal(await filled(TOKEN_BYTES_MAX + 4))).toMatchObject({
      reason: `longer than ${TOKEN_BYTES_MAX} bytes`,
    })
  })
})

describe('a token with claims missing or wrong', () => {
  it.each(['organization', 'application', 'scope', 'exp', 'test', 'iat', 'jti'])(
    'refuses one without %s',
    async (claim) => {
      const { code, reason } = await refusal(await mint.mint({ [claim]: undefined }))
      expect(code).toBe('invalid_token')
      expect(reason).toContain(claim)
    },
  )

  it('refuses one without iss', async () => {
    expect(await refusal(await mint.mint({ iss: undefined }))).toMatchObject({
      reason: 'missing required "iss" claim',
    })
  })

  it.each([
    ['an organization without id', { organization: { slug: 'x' } }, '/organization/id'],
    ['an unknown owner type', { owner: { id: 'x', type: 'Robot' } }, '/owner/type'],
    ['an unknown role kind', { role: { id: 'x', kind: 'root' } }, '/role/kind'],
    ['a market without ids', { market: { id: [], stock_location_ids: [] } }, '/market/id'],
    ['a mode in words', { test: 'true' }, '/test'],
    ['a jti that is no UUID', { jti: 'abc' }, '/jti'],
    ['a custom claim that is no object', { custom_claim: 'gold' }, '/custom_claim'],
  ])('refuses %s', async (_title, claims, pointer) => {
    const { code, reason } = await refusal(await mint.mint(claims))
    expect(code).toBe('invalid_token')
    expect(reason).toContain(pointer)
  })

  it('refuses one that is not valid yet', async () => {
    const nbf = Math.floor(Date.parse(START) / 1000) + 60
    expect(await refusal(await mint.mint({ nbf }))).toMatchObject({
      reason: '"nbf" claim timestamp check failed',
    })
  })
})

describe('access state', () => {
  const state = (changes: Partial<AccessLookup>): AccessLookup => ({
    isLoaded: true,
    isRevoked: () => false,
    roleOf: () => undefined,
    ...changes,
  })

  it('refuses tokens from before their credential or user was disabled, also verified ones, and takes later ones', async () => {
    const cuts = new Map<string, Date>()
    const by = open(
      state({
        changeOf: (subject, id) => {
          const revokedBefore = cuts.get(`${subject}:${id}`)
          return revokedBefore === undefined ? undefined : { revokedBefore }
        },
      }),
    )
    const token = await mint.mint({ owner: { id: 'someUserId', type: 'User' } })
    const { application } = await by.verify(token)
    const issuedAt = Date.parse(START)
    for (const subject of [`application:${application.id}`, 'user:someUserId']) {
      cuts.set(subject, new Date(issuedAt))
      await expect(by.verify(token)).resolves.toBeDefined()
      cuts.set(subject, new Date(issuedAt + 1_000))
      expect(await refusal(token, by)).toEqual({
        code: 'invalid_token',
        reason: 'issued before its credential or user was disabled',
      })
      cuts.clear()
    }
  })

  it('gives the role that the credential has now; an unknown one permits nothing', async () => {
    let roleId: string | undefined
    const by = open(
      state({
        changeOf: (subject) => (subject === 'application' && roleId !== undefined ? { roleId } : undefined),
        roleOf: (id) => (id === 'newRoleIdx' ? { kind: 'admin', permissions: [] } : undefined),
      }),
    )
    const token = await mint.mint({ role: { id: 'oldRoleIdx', kind: 'read_only' } })
    expect((await by.verify(token)).role).toMatchObject({ id: 'oldRoleIdx', kind: 'read_only' })
    roleId = 'newRoleIdx'
    expect((await by.verify(token)).role).toEqual({ id: 'newRoleIdx', kind: 'admin', permissions: [] })
    roleId = 'unknownRol'
    expect((await by.verify(token)).role).toEqual({ id: 'unknownRol', kind: 'custom', permissions: [] })
  })

  it('refuses a revoked token, also one verified before', async () => {
    const revoked = new Set<string>()
    const by = open(state({ isRevoked: (id) => revoked.has(id) }))
    const token = await mint.mint()
    const { tokenId } = await by.verify(token)
    revoked.add(tokenId)
    expect(await refusal(token, by)).toEqual({ code: 'invalid_token', reason: 'revoked' })
    await by.verify(await mint.mint())
  })

  it('refuses every token of a withdrawn key, also one verified before', async () => {
    let isWithdrawn = false
    const token = await mint.mint()
    const by = open(state({ isKeyWithdrawn: (kid) => isWithdrawn && kid === mint.kid }))
    await by.verify(token)
    isWithdrawn = true
    for (const each of [token, await mint.mint()])
      expect(await refusal(each, by)).toEqual({
        code: 'invalid_token',
        reason: 'signed with a key that was withdrawn',
      })
  })

  it('gives the permissions a custom role has now, not those it had', async () => {
    let permissions = [{ subject: 'orders', actions: ['read'] as const }]
    const by = open(
      state({ roleOf: (id) => (id === 'cUsToMrOlE' ? { kind: 'custom', permissions } : undefined) }),
    )
    const token = await mint.mint({ role: { id: 'cUsToMrOlE', kind: 'custom' } })
    expect((await by.verify(token)).role?.permissions).toEqual([{ subject: 'orders', actions: ['read'] }])
    permissions = []
    expect((await by.verify(token)).role).toEqual({ id: 'cUsToMrOlE', kind: 'custom', permissions: [] })
  })

  it('follows a role that was turned from admin to read-only', async () => {
    const by = open(state({ roleOf: () => ({ kind: 'read_only', permissions: [] }) }))
    expect((await by.verify(await mint.mint())).role?.kind).toBe('read_only')
  })

  it('permits nothing to a custom role that it did not receive', async () => {
    const token = await mint.mint({ role: { id: 'uNkNoWnrol', kind: 'custom' } })
    expect((await open(state({})).verify(token)).role?.permissions).toEqual([])
  })

  it('accepts nothing as long as revocations are not known', async () => {
    const by = open(state({ isLoaded: false }))
    expect(await refusal(await mint.mint(), by)).toMatchObject({ code: 'service_unavailable' })
    await expect(by.verify('')).rejects.toMatchObject({
      detail: 'revocations of access tokens are not known yet; try again',
    })
  })

  it('knows of no sign-in and no role where a token has none', async () => {
    const caller = await open(state({})).verify(await mint.mint({ role: undefined, auth_time: undefined }))
    expect(Object.keys(caller)).not.toContain('signedInAt')
    expect(Object.keys(caller)).not.toContain('role')
  })

  it('gives the role that the user has now, where the credential has not changed its own', async () => {
    const changes = { application: { revokedBefore: new Date(0) }, user: { roleId: 'newRoleIdx' } }
    const by = open(
      state({
        changeOf: (subject) => changes[subject],
        roleOf: (id) => (id === 'newRoleIdx' ? { kind: 'read_only', permissions: [] } : undefined),
      }),
    )
    const token = await mint.mint({
      owner: { id: 'someUserId', type: 'User' },
      role: { id: 'oldRoleIdx', kind: 'admin' },
    })
    expect((await by.verify(token)).role).toEqual({ id: 'newRoleIdx', kind: 'read_only', permissions: [] })
  })

  it('leaves a role as it is that the credential still has', async () => {
    const token = await mint.mint({ role: { id: 'sAmErOlExx', kind: 'read_only' } })
    const by = open(state({ changeOf: () => ({ roleId: 'sAmErOlExx' }) }))
    expect((await by.verify(token)).role).toEqual({ id: 'sAmErOlExx', kind: 'read_only', permissions: [] })
  })

  it.each([undefined, state({})])('is not needed to take the token of a user: %j', async (none) => {
    const owner = { id: 'someUserId', type: 'User' }
    expect((await open(none).verify(await mint.mint({ owner }))).owner).toEqual(owner)
  })
})

test('without keys nobody knows whether a token is good', async () => {
  const by = createVerifier({ jwksUrl: 'http://127.0.0.1:1/jwks.json', issuer: mint.issuer, clock })
  await expect(by.verify(await mint.mint())).rejects.toMatchObject({
    code: 'service_unavailable',
    detail: 'access tokens cannot be checked at the moment; try again',
    cause: expect.any(Error) as Error,
  })
})
