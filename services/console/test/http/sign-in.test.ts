import { createHash } from 'node:crypto'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import {
  cookiesOf,
  ISSUER,
  ORIGIN,
  refusal,
  startConsole,
  type TestConsole,
} from '../support/console-system.ts'

let system: TestConsole
beforeEach(async () => {
  system = await startConsole()
})
afterEach(() => system.close())

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

describe('signing in', () => {
  it('sends the browser to auth with a state and a PKCE challenge of its own', async () => {
    const [one, other] = [await system.openBrowser().begin(), await system.openBrowser().begin()]
    expect(Object.fromEntries(one)).toEqual({
      response_type: 'code',
      client_id: 'client-test',
      redirect_uri: `${ORIGIN}/console/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    })
    expect(one.get('state')).not.toBe(other.get('state'))
    expect(one.get('code_challenge')).not.toBe(other.get('code_challenge'))
  })

  it('exchanges the code with the verifier of the challenge and the secret of the client', async () => {
    const browser = system.openBrowser()
    const asked = await browser.begin()
    const answer = await browser.comeBack({ code: 'abc', state: asked.get('state') ?? '', iss: ISSUER })
    expect([answer.status, answer.headers['location']]).toEqual([303, '/console/'])
    const [exchange] = system.auth.asked
    expect(exchange?.path).toBe('/oauth/token')
    expect(exchange?.authorization).toBe(`Basic ${btoa('client%2Dtest:secret%2Dof%2Dthe%2Dclient%2Dtest')}`)
    expect(exchange?.parameters).toMatchObject({ grant_type: 'authorization_code', code: 'abc' })
    expect(sha256(exchange?.parameters['code_verifier'] ?? '')).toBe(asked.get('code_challenge'))
  })

  it('gives a session cookie that no script reads and no other site sends', async () => {
    const cookies = cookiesOf(await system.openBrowser().signIn())
    expect(cookies).toMatch(/merx_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200/)
    expect(cookies).not.toContain('Secure')
  })

  it('names the cookie __Host- and makes it Secure over https', async () => {
    const secure = await startConsole({
      TRUST_PROXY: '1',
      CONSOLE_APPLICATIONS: JSON.stringify([
        {
          ...{ organization: 'shop', mode: 'live', client_id: 'client', client_secret: 'secret' },
          redirect_uri: 'https://shop.example/console/callback',
        },
      ]),
    })
    try {
      const answer = await secure.openBrowser().send('GET', '/console/sign-in?organization=shop&mode=live', {
        Host: 'shop.example',
        'X-Forwarded-Proto': 'https',
      })
      expect(cookiesOf(answer)).toMatch(
        /^__Host-merx_console_sign_in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=900$/,
      )
    } finally {
      await secure.close()
    }
  })

  /** A question to metrics, as its address has it. */
  const LONGEST = `/console/metrics?filters=%5B%22*${'a'.repeat(2_016)}`

  it('goes back to where the browser was, within the console only', async () => {
    const places = {
      '/console/orders?status=placed': '/console/orders?status=placed',
      [LONGEST]: LONGEST,
      [`${LONGEST}x`]: '/console/',
      'https://evil.example/': '/console/',
      '//evil.example/': '/console/',
      '/console//evil.example': '/console/',
      '/console/\\evil.example': '/console/',
    }
    for (const [asked, expected] of Object.entries(places)) {
      const browser = system.openBrowser()
      const query = new URLSearchParams({ organization: 'shop', mode: 'test', return_to: asked })
      const state = (await browser.begin(query.toString())).get('state') ?? ''
      const answer = await browser.comeBack({ code: 'code', state, iss: ISSUER })
      expect([asked, answer.headers['location']]).toEqual([asked, expected])
    }
  })

  it('moves to the origin of the redirect URI first, where the cookie is needed', async () => {
    const answer = await system
      .openBrowser()
      .send('GET', '/console/sign-in?organization=shop&mode=test', { Host: 'localhost:8080' })
    expect([answer.status, answer.headers['location'], answer.headers['set-cookie']]).toEqual([
      303,
      `${ORIGIN}/console/sign-in?organization=shop&mode=test`,
      undefined,
    ])
  })

  it('knows no other environments', async () => {
    const answer = await system.openBrowser().send('GET', '/console/sign-in?organization=other&mode=test')
    expect(answer.status).toBe(404)
  })
})

describe('a sign-in that is not the browser’s own', () => {
  const noSession = (answer: InProcessResponse) => expect(cookiesOf(answer)).not.toMatch(/merx_console=[\w-]/)

  it.each([
    ['another state', { state: 'another' }],
    ['no state', { state: '' }],
    ['another issuer (mix-up)', { iss: 'https://evil.example' }],
    ['no issuer', { iss: '' }],
    ['an error of the server', { code: '', error: 'server_error' }],
  ])('is refused with %s, and no code is exchanged', async (_name, changes) => {
    const browser = system.openBrowser()
    const state = (await browser.begin()).get('state') ?? ''
    const all = { code: 'code', state, iss: ISSUER, ...changes }
    const answer = await browser.comeBack(
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    )
    expect([answer.status, answer.headers['location']]).toEqual([303, '/console/?sign_in=failed'])
    noSession(answer)
    expect(system.auth.asked).toEqual([])
  })

  it('is refused without its cookie, with one that was changed, and after 15 minutes', async () => {
    const state = (await system.openBrowser().begin()).get('state') ?? ''
    const stranger = await system.openBrowser().comeBack({ code: 'code', state, iss: ISSUER })
    const changed = system.openBrowser()
    const changedState = (await changed.begin()).get('state') ?? ''
    const cookie = changed.jar.cookies.get('merx_console_sign_in') ?? ''
    changed.jar.cookies.set(
      'merx_console_sign_in',
      `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`,
    )
    const late = system.openBrowser()
    const lateState = (await late.begin()).get('state') ?? ''
    const answers = [stranger, await changed.comeBack({ code: 'code', state: changedState, iss: ISSUER })]
    system.clock.advance(900)
    answers.push(await late.comeBack({ code: 'code', state: lateState, iss: ISSUER }))
    for (const answer of answers) {
      expect(answer.headers['location']).toBe('/console/?sign_in=expired')
      noSession(answer)
    }
    expect(system.auth.asked).toEqual([])
  })

  it('ends once: the cookie of the attempt goes with the first answer', async () => {
    const browser = system.openBrowser()
    const state = (await browser.begin()).get('state') ?? ''
    await browser.comeBack({ code: 'code', state, iss: ISSUER })
    const again = await browser.comeBack({ code: 'code', state, iss: ISSUER })
    expect(again.headers['location']).toBe('/console/?sign_in=expired')
  })

  it('tells apart who cancelled, and a code that auth refuses', async () => {
    const browser = system.openBrowser()
    const cancelledState = (await browser.begin()).get('state') ?? ''
    const cancelled = await browser.comeBack({ error: 'access_denied', state: cancelledState, iss: ISSUER })
    expect(cancelled.headers['location']).toBe('/console/?sign_in=cancelled')
    system.auth.answers.splice(0, 1, refusal)
    const refused = await browser.signIn()
    expect(refused.headers['location']).toBe('/console/?sign_in=failed')
    noSession(refused)
  })
})
