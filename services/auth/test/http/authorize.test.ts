import { createHash } from 'node:crypto'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { REDIRECT_URI, claimsOf, clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import {
  createTestBrowser,
  csrfTokenOf,
  formActionOf,
  headingOf,
  type TestBrowser,
} from '../support/browser.ts'
import { runSql } from '../support/sql.ts'

const EMAIL = 'owner@shop.example'
const PASSWORD = 'a good password'
const ISSUER = 'https://auth.merx.localhost'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

let system: TestSystem
let browser: TestBrowser
beforeAll(async () => {
  system = await startTestSystem({ name: 'authorize', env: { TRUST_PROXY: '1' } })
})
beforeEach(() => {
  browser = createTestBrowser(system.api)
})
afterAll(() => system.close())

type Parameters = Record<string, string | string[] | undefined>

const addressOf = (changes: Parameters = {}): string => {
  const query = new URLSearchParams()
  const all: Parameters = {
    response_type: 'code',
    client_id: system.credentials.webapp.clientId,
    redirect_uri: REDIRECT_URI,
    ...changes,
  }
  for (const [name, value] of Object.entries(all)) {
    for (const each of [value ?? []].flat()) query.append(name, each)
  }
  return `/oauth/authorize?${query.toString()}`
}

const signIn = async (page: InProcessResponse, fields: Record<string, string | undefined> = {}) =>
  browser.submit(page, { action: 'sign_in', email: EMAIL, password: PASSWORD, ...fields })

/** As a user does it: opens, signs in, arrives at the consent page. */
const consentPage = async (changes: Parameters = {}): Promise<InProcessResponse> => {
  const signedIn = await signIn(await browser.open(addressOf(changes)))
  return browser.open(signedIn.headers['location'] ?? '')
}

const answerOf = (response: InProcessResponse) => {
  const url = new URL(response.headers['location'] ?? '')
  return { target: `${url.origin}${url.pathname}`, ...Object.fromEntries(url.searchParams) } as Record<
    string,
    string
  >
}

const exchange = (code: string | undefined, changes: Record<string, unknown> = {}) =>
  system.token({
    grant_type: 'authorization_code',
    ...clientOf(system.credentials.webapp),
    code,
    redirect_uri: REDIRECT_URI,
    ...changes,
  })

describe('a user who signs in and consents', () => {
  it('gives the webapp a code for a token with the user and the user’s role', async () => {
    const parameters = { state: 'a b&c=ü', scope: 'market:code:usa', code_challenge: CHALLENGE }
    const page = await consentPage({ ...parameters, code_challenge_method: 'S256' })
    expect(headingOf(page)).toBe('Allow Dashboard to act for you?')
    const answered = await browser.submit(page, { action: 'allow' })
    expect(answered.status).toBe(303)
    const { code, ...rest } = answerOf(answered)
    expect(rest).toEqual({ target: REDIRECT_URI, state: 'a b&c=ü', iss: ISSUER })
    const token = await exchange(code, { code_verifier: VERIFIER })
    expect(token.status).toBe(200)
    expect(token.body).toMatchObject({ scope: 'market:code:usa', owner_id: system.userId })
    expect(claimsOf(token)).toMatchObject({
      application: { kind: 'webapp' },
      owner: { id: system.userId, type: 'User' },
      role: { id: system.adminRoleId, kind: 'admin' },
      market: { id: ['marketUsAA'] },
    })
    expect((await exchange(code, { code_verifier: VERIFIER })).status).toBe(400)
  })

  it('may refuse, at either page', async () => {
    const denied = await browser.submit(await consentPage({ state: 's' }), { action: 'deny' })
    const answer = {
      target: REDIRECT_URI,
      error: 'access_denied',
      error_description: 'The resource owner denied the request.',
      state: 's',
      iss: ISSUER,
    }
    expect(answerOf(denied)).toEqual(answer)
    const page = await createTestBrowser(system.api).open(addressOf({ state: 's' }))
    expect(page.text).toContain(`href="${REDIRECT_URI}?error=access_denied&amp;`)
  })

  it('stays signed in, and may use another account', async () => {
    const page = await consentPage()
    expect(headingOf(await browser.open(addressOf({ state: 'later' })))).toMatch(/^Allow/)
    const out = await browser.submit(page, { action: 'sign_out' })
    expect(headingOf(await browser.open(out.headers['location'] ?? ''))).toBe('Sign in to The Shop')
  })

  it('is signed out after eight hours', async () => {
    await consentPage()
    system.clock.advance(8 * 3600 - 1)
    expect(headingOf(await browser.open(addressOf()))).toMatch(/^Allow/)
    system.clock.advance(1)
    expect(headingOf(await browser.open(addressOf()))).toMatch(/^Sign in/)
  })

  it('may write the email in any case and with spaces around it', async () => {
    const page = await browser.open(addressOf())
    expect((await signIn(page, { email: ' OWNER@shop.Example ' })).status).toBe(303)
  })
})

describe('a request that cannot be answered to the application', () => {
  it.each([
    ['no client_id', { client_id: undefined }, 'Missing required parameter: client_id.'],
    ['an unknown client', { client_id: 'x'.repeat(43) }, 'names no application'],
    ['a client id of another shape', { client_id: '<script>' }, 'names no application'],
    ['no redirect_uri', { redirect_uri: undefined }, 'Missing required parameter: redirect_uri.'],
    ['a longer redirect_uri', { redirect_uri: `${REDIRECT_URI}/` }, 'differs from the one'],
    ['another host', { redirect_uri: 'https://evil.example/callback' }, 'differs from the one'],
    ['another case', { redirect_uri: REDIRECT_URI.toUpperCase() }, 'differs from the one'],
    ['two clients', { client_id: ['a', 'b'] }, 'client_id is given more than once'],
    ['two redirect_uris', { redirect_uri: [REDIRECT_URI, 'https://evil.example'] }, 'given more than once'],
  ])('is shown: %s', async (_name, changes, text) => {
    const response = await browser.open(addressOf({ state: 's', ...changes }))
    expect(response.status).toBe(400)
    expect(response.headers['location']).toBeUndefined()
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.text).toContain(text)
    expect(response.text).not.toContain('<script>')
  })

  it('is shown: a disabled application', async () => {
    const { organizationId, auth } = system
    const { clientId, id } = await auth.provisioning.createCredential({
      organizationId,
      mode: 'test',
      kind: 'webapp',
      name: 'Gone',
      redirectUri: REDIRECT_URI,
    })
    await runSql(system.databaseUrl, `UPDATE credentials SET disabled_at = now() WHERE client_id = $1`, [
      clientId,
    ])
    expect(id).toBeDefined()
    expect((await browser.open(addressOf({ client_id: clientId }))).status).toBe(400)
  })
})

describe('a faulty request of a known application', () => {
  const plain = 'The code_challenge_method %s is not supported; allowed: S256'
  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request', 'Missing required parameter'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type', 'allowed: code.'],
    ['two scopes', { scope: ['a', 'b'] }, 'invalid_request', 'scope is given more than once'],
    ['a fragment mode', { response_mode: 'fragment' }, 'invalid_request', 'allowed: query.'],
    ['an unknown market', { scope: 'market:code:mars' }, 'invalid_scope', "'market:code:mars'"],
    ['a disabled market', { scope: 'market:code:closed' }, 'invalid_scope', 'disabled'],
    ['a private market', { scope: 'market:code:club' }, 'invalid_scope', 'private'],
    ['nonsense as scope', { scope: 'everything' }, 'invalid_scope', 'malformed'],
    [
      'plain PKCE',
      { code_challenge: CHALLENGE, code_challenge_method: 'plain' },
      'invalid_request',
      plain.replace('%s', "'plain'"),
    ],
    ['PKCE without method', { code_challenge: CHALLENGE }, 'invalid_request', 'which must be stated'],
    ['a method alone', { code_challenge_method: 'S256' }, 'invalid_request', 'send both or neither'],
    [
      'a challenge of another length',
      { code_challenge: 'short', code_challenge_method: 'S256' },
      'invalid_request',
      '43 characters',
    ],
  ])('goes back to it: %s', async (_name, changes, error, description) => {
    const response = await browser.open(addressOf({ state: 'st', ...changes }))
    expect(response.status).toBe(303)
    const answer = answerOf(response)
    expect(answer).toMatchObject({ target: REDIRECT_URI, error, state: 'st', iss: ISSUER })
    expect(answer['error_description']).toContain(description)
    expect(answer).not.toHaveProperty('code')
  })

  it.each([
    ['too long', 'x'.repeat(2_049), 'longer than 2048'],
    ['with a control character', 'a\nb', 'control character'],
    ['given twice', ['a', 'b'], 'more than once'],
  ])('goes back without its state when that is %s', async (_name, state, description) => {
    const answer = answerOf(await browser.open(addressOf({ state })))
    expect(answer).toMatchObject({ error: 'invalid_request' })
    expect(answer['error_description']).toContain(description)
    expect(answer).not.toHaveProperty('state')
  })

  it('goes back as unauthorized_client from a kind that has no such grant', async () => {
    const { organizationId, auth } = system
    const { clientId } = await auth.provisioning.createCredential({
      organizationId,
      mode: 'test',
      kind: 'sales_channel',
      name: 'Storefront',
      redirectUri: 'https://shop.example/cb?lang=en',
    })
    const redirect = 'https://shop.example/cb?lang=en'
    const response = await browser.open(addressOf({ client_id: clientId, redirect_uri: redirect }))
    expect(response.headers['location']).toMatch(
      /^https:\/\/shop\.example\/cb\?lang=en&error=unauthorized_client&/,
    )
  })

  it('goes back as temporarily_unavailable while core is unavailable', async () => {
    system.core.failWith = 500
    const response = await browser.open(addressOf({ scope: 'store:code:milan' }))
    system.core.failWith = undefined
    expect(answerOf(response)).toMatchObject({ error: 'temporarily_unavailable' })
  })
})

describe('the page', () => {
  it('admits no script, no frame and no form to elsewhere, and is never stored', async () => {
    const page = await browser.open(addressOf())
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy.replace(/sha256-[\w+/=]+/, '…')).toBe(
      "default-src 'none'; style-src '…'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(page.text).not.toContain('<script')
    expect((await consentPage()).headers['content-security-policy']).toContain("form-action 'self' https:;")
  })

  it('admits exactly its own style sheet', async () => {
    const page = await browser.open(addressOf())
    const style = /<style>([^]*?)<\/style>/.exec(page.text)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    expect(page.headers['content-security-policy']).toContain(`'sha256-${digest}'`)
  })

  it('keeps its session in a cookie that scripts and other sites do not get', async () => {
    const plain = await browser.open(addressOf())
    const [cookie] = plain.headers['set-cookie'] as unknown as string[]
    expect(cookie).toMatch(/^merx_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/)
    const secure = await createTestBrowser(system.api).open(addressOf(), { 'X-Forwarded-Proto': 'https' })
    const [secureCookie] = secure.headers['set-cookie'] as unknown as string[]
    expect(secureCookie).toMatch(/^__Host-merx_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  })

  it('escapes what it shows', async () => {
    const page = await browser.open(addressOf({ state: '"><script>alert(1)</script>' }))
    const refused = await signIn(page, { email: '"><img src=x>@y', password: 'wrong' })
    for (const { text } of [page, refused]) expect(text).not.toMatch(/<script|<img/)
  })

  it('answers HEAD, and no other method', async () => {
    expect((await system.api.request('HEAD', addressOf())).status).toBe(200)
    const response = await system.api.request('DELETE', addressOf())
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, POST, HEAD'])
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

describe('a form', () => {
  const refused = async (response: InProcessResponse) => {
    expect(response.status).toBe(403)
    expect(headingOf(response)).toBe('Please start again')
    expect(response.headers['location']).toBeUndefined()
  }

  it.each(['sign_in', 'allow', 'deny', 'sign_out'])('"%s" is refused without its token', async (action) => {
    const page = await consentPage()
    await refused(
      await browser.submit(page, { action, csrf_token: undefined, email: EMAIL, password: PASSWORD }),
    )
    await refused(await browser.submit(page, { action, csrf_token: 'x'.repeat(43) }))
  })

  it('is refused with the token of another session, of before signing in, or of another request', async () => {
    const before = await browser.open(addressOf())
    const page = await consentPage()
    const otherCaller = await createTestBrowser(system.api).open(addressOf())
    const other = await browser.open(addressOf({ scope: 'market:code:usa' }))
    for (const each of [before, otherCaller, other]) {
      await refused(await browser.submit(page, { action: 'allow', csrf_token: csrfTokenOf(each) }))
    }
  })

  it('is refused without cookies, with a changed one and with one of another purpose', async () => {
    const page = await consentPage()
    const session = browser.cookies.get('merx_session') ?? ''
    for (const value of ['', `x${session}`, `${session}x`, browser.cookies.get('merx_browser') ?? '']) {
      browser.cookies.set('merx_session', value)
      await refused(await browser.submit(page, { action: 'allow' }))
    }
  })

  it('is refused when nobody knows its action, or its body is no form', async () => {
    const page = await consentPage()
    await refused(await browser.submit(page, { action: 'other' }))
    await refused(await browser.submit(page, {}))
    const options = { headers: { 'Content-Type': 'application/json' }, body: '{}' }
    await refused(await system.api.post(formActionOf(page), options))
    const large = await browser.submit(page, { action: 'sign_in', email: 'x'.repeat(20_000) })
    expect(large.status).toBe(413)
  })

  it('"allow" leads to signing in again once the session, the user or the password is gone', async () => {
    const page = await consentPage()
    await runSql(
      system.databaseUrl,
      `UPDATE users SET password_hash = password_hash || 'x' WHERE email = $1`,
      [EMAIL],
    )
    const answered = await browser.submit(page, { action: 'allow' })
    await runSql(
      system.databaseUrl,
      `UPDATE users SET password_hash = rtrim(password_hash, 'x') WHERE email = $1`,
      [EMAIL],
    )
    expect(answered.headers['location']).toMatch(/^\/oauth\/authorize\?/)
    await runSql(system.databaseUrl, `UPDATE users SET disabled_at = now() WHERE email = $1`, [EMAIL])
    const page2 = await browser.open(addressOf())
    await runSql(system.databaseUrl, `UPDATE users SET disabled_at = NULL WHERE email = $1`, [EMAIL])
    expect(headingOf(page2)).toMatch(/^Sign in/)
  })
})

describe('signing in', () => {
  const problemOf = (page: InProcessResponse): string =>
    /<h2 id="problem">([^<]*)<\/h2>/.exec(page.text)?.[1] ?? ''
  /** The page but for what differs by design: the token and the email that was typed. */
  const bare = (page: InProcessResponse): string =>
    page.text.replace(/value="[^"]*"/g, '').replace(/<style>[^]*<\/style>/, '')

  it('says of a wrong password and of an unknown user the same', async () => {
    const page = await browser.open(addressOf())
    const wrong = await signIn(page, { password: 'wrong password' })
    const unknown = await signIn(page, { email: 'nobody@shop.example' })
    expect([wrong.status, unknown.status]).toEqual([422, 422])
    expect(problemOf(wrong)).toBe('You are not signed in')
    expect(bare(wrong)).toBe(bare(unknown))
  })

  it('keeps a user of another organization out', async () => {
    const { provisioning } = system.auth
    const { id: organizationId } = await provisioning.createOrganization({ slug: 'other', name: 'Other' })
    const { id: roleId } = await provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
    await provisioning.createUser({ organizationId, email: 'x@other.example', password: PASSWORD, roleId })
    const page = await browser.open(addressOf())
    expect((await signIn(page, { email: 'x@other.example' })).status).toBe(422)
  })

  it('names what is missing next to its field and in the summary, and keeps the email', async () => {
    const page = await browser.open(addressOf())
    const nothing = await signIn(page, { email: ' ', password: '' })
    expect([nothing.status, problemOf(nothing)]).toEqual([422, 'Something is missing'])
    expect(nothing.text).toMatch(/<a href="#email">Enter your email address<\/a>/)
    expect(nothing.text).toContain('aria-describedby="password-violation"')
    const half = await signIn(page, { password: '' })
    expect(half.text).toContain(`value="${EMAIL}"`)
    expect(half.text).not.toContain('email-violation')
  })
})
