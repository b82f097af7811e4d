import { ORIGIN, refusal, startConsole, tokenAnswer, type TestConsole } from '../support/console-system.ts'

let system: TestConsole
beforeEach(async () => {
  system = await startConsole()
})
afterEach(() => system.close())

type Browser = ReturnType<TestConsole['openBrowser']>

const signedIn = async (): Promise<Browser> => {
  const browser = system.openBrowser()
  await browser.signIn()
  return browser
}

const tokenOf = async (browser: Browser): Promise<unknown> => {
  const { body } = await browser.send('GET', '/console/session')
  return (body as { session: { access_token: string } | null }).session?.access_token
}

const refreshes = () =>
  system.auth.asked.filter(({ parameters }) => parameters['grant_type'] === 'refresh_token')

describe('the session', () => {
  it('gives the page its environment and an access token, and nothing that lives longer', async () => {
    const answer = await (await signedIn()).send('GET', '/console/session')
    expect(answer.body).toEqual({
      session: {
        organization: 'shop',
        mode: 'test',
        domain: 'merx.localhost',
        access_token: 'access-first',
        expires_at: '2026-11-27T10:00:00.000Z',
      },
      environments: [
        { organization: 'shop', mode: 'test' },
        { organization: 'shop', mode: 'live' },
      ],
    })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.text).not.toContain('refresh')
  })

  it('is none without a cookie, or with one that nobody was given', async () => {
    const browser = system.openBrowser()
    expect(await tokenOf(browser)).toBeUndefined()
    browser.jar.cookies.set('merx_console', 'A'.repeat(43))
    expect(await tokenOf(browser)).toBeUndefined()
    expect(browser.jar.cookies.size).toBe(0)
  })

  it('shows only the organization that the host names', async () => {
    const other = await system.openBrowser().send('GET', '/console/session', { Host: 'other.merx.localhost' })
    expect(other.body).toEqual({ session: null, environments: [] })
  })

  it('refreshes a token in its last five minutes, once for callers at the same time', async () => {
    const browser = await signedIn()
    system.auth.answers.splice(0, 1, tokenAnswer('second'))
    system.clock.advance(6_800)
    expect(await tokenOf(browser)).toBe('access-first')
    system.clock.advance(200)
    expect(await Promise.all([1, 2, 3].map(() => tokenOf(browser)))).toEqual(Array(3).fill('access-second'))
    expect(refreshes().map(({ parameters }) => parameters['refresh_token'])).toEqual(['refresh-first'])
  })

  it('ends when auth refuses the refresh token', async () => {
    const browser = await signedIn()
    system.auth.answers.splice(0, 1, refusal)
    system.clock.advance(7_000)
    expect(await tokenOf(browser)).toBeUndefined()
    system.auth.answers.splice(0, 1, tokenAnswer('second'))
    expect(await tokenOf(browser)).toBeUndefined()
  })

  it('goes on while auth fails, as long as the token lives; then it says that a part is unavailable', async () => {
    const browser = await signedIn()
    system.auth.answers.splice(0, 1, { status: 503, body: { error: 'temporarily_unavailable' } })
    system.clock.advance(7_000)
    expect(await tokenOf(browser)).toBe('access-first')
    system.clock.advance(300)
    expect((await browser.send('GET', '/console/session')).status).toBe(503)
    expect((await system.openBrowser().signIn()).status).toBe(503)
    system.auth.answers.splice(0, 1, tokenAnswer('second'))
    expect(await tokenOf(browser)).toBe('access-second')
  })

  it('ends after twelve hours, however often it was refreshed', async () => {
    const browser = await signedIn()
    for (let hour = 0; hour < 11; hour += 1) {
      system.clock.advance(3_600)
      expect(await tokenOf(browser)).toBe('access-first')
    }
    system.clock.advance(3_600)
    expect(await tokenOf(browser)).toBeUndefined()
  })

  it('is another after each sign-in, and the one before is over', async () => {
    const browser = await signedIn()
    const before = browser.jar.cookies.get('merx_console') ?? ''
    await browser.signIn()
    expect(browser.jar.cookies.get('merx_console')).not.toBe(before)
    const thief = system.openBrowser()
    thief.jar.cookies.set('merx_console', before)
    expect(await tokenOf(thief)).toBeUndefined()
  })

  it('is shown to no page of another origin', async () => {
    const browser = await signedIn()
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'http://127.0.0.1:9999' },
    ])
      expect((await browser.send('GET', '/console/session', headers)).status).toBe(400)
    expect(await tokenOf(browser)).toBe('access-first')
  })

  it('is written to no log', async () => {
    const browser = await signedIn()
    await tokenOf(browser)
    const text = JSON.stringify(system.lines)
    for (const secret of ['access-first', 'refresh-first', browser.jar.cookies.get('merx_console') ?? 'none'])
      expect(text).not.toContain(secret)
  })
})

describe('signing out', () => {
  it('ends the session here and its tokens at auth', async () => {
    const browser = await signedIn()
    const cookie = browser.jar.cookies.get('merx_console') ?? ''
    const answer = await browser.send('POST', '/console/sign-out', { Origin: ORIGIN })
    expect(answer.status).toBe(204)
    expect(browser.jar.cookies.size).toBe(0)
    expect(system.auth.asked.at(-1)).toMatchObject({
      path: '/oauth/revoke',
      parameters: { token: 'refresh-first' },
    })
    browser.jar.cookies.set('merx_console', cookie)
    expect(await tokenOf(browser)).toBeUndefined()
  })

  it.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['the same host at another port', { Origin: 'http://127.0.0.1:9999' }],
    ['no origin', {}],
  ])('is refused from %s (CSRF)', async (_name, headers) => {
    const browser = await signedIn()
    expect((await browser.send('POST', '/console/sign-out', headers)).status).toBe(400)
    expect(await tokenOf(browser)).toBe('access-first')
  })

  it('is no GET', async () => {
    const browser = await signedIn()
    const answer = await browser.send('GET', '/console/sign-out')
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
  })
})
