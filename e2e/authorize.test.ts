/** The authorize page as a person sees it: real Chromium, the whole system, and an application that waits for the answer. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readDemoUsers, type DemoUser } from '@merx/embedded/src/demo-users.ts'
import { eventually } from '@merx/testing/eventually'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from './support/browser.ts'
import { connect } from './support/connect.ts'
import { dataDir, demo, environment, first, organization, publicMarket } from './support/demo.ts'
import type { TokenBody } from './support/wire.ts'

const TIMEOUT_MS = 10_000

let browser: Browser
let context: BrowserContext
let page: Page
/** Cookie by which a browser is known to have signed in before; from then on its tries count apart. */
let knownBrowser: Awaited<ReturnType<BrowserContext['cookies']>> = []
const consoleProblems: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const openContext = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
  context = await browser.newContext(options)
  context.setDefaultTimeout(TIMEOUT_MS)
  await context.addCookies(knownBrowser)
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) consoleProblems.push(message.text())
  })
}

beforeEach(async () => {
  consoleProblems.length = 0
  await openContext({ javaScriptEnabled: false })
})
afterEach(async () => {
  const cookies = await context.cookies()
  knownBrowser = cookies.filter(({ name }) => name === 'merx_browser')
  await context.close()
})

/**
 * Does what sends the browser to the application's callback. It lives on example.com, where nobody is asked: the
 * request that leaves the browser is the answer.
 */
const arrivalAfter = async (act: () => Promise<unknown>): Promise<URLSearchParams> => {
  const arrival = page.waitForRequest(/^https:\/\/example\.com\/callback\?/)
  await Promise.all([arrival, act()])
  return new URL((await arrival).url()).searchParams
}

const owner = (): DemoUser =>
  first(readDemoUsers(dataDir()), 'owner', (user) => user.organization === organization().slug)

const authorizeUrl = (changes: Record<string, string> = {}): string => {
  const { client_id, redirect_uri } = environment().credentials.webapp
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, ...changes })
  return `${demo().auth_url}/oauth/authorize?${query.toString()}`
}

const signIn = async (password = owner().password): Promise<void> => {
  await page.getByLabel('Email address').fill(owner().email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const untilRefused = (token: string): Promise<true> =>
  eventually(async () => (await connect().core('orders', { token })).status === 401)

/** As text, because these tests are not compiled for a browser. */
const FOCUSED = '(document.activeElement.id || document.activeElement.textContent).trim()'
const LAYOUT = `({
  scroll: document.documentElement.scrollWidth,
  client: document.documentElement.clientWidth,
  ground: getComputedStyle(document.body).backgroundColor,
})`

interface Layout {
  readonly scroll: number
  readonly client: number
  readonly ground: string
}

describe('signing in and consenting, without script', () => {
  it('ends in a token that reads what the user’s role may read, and a replayed code ends it', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const { client_id, client_secret, redirect_uri } = environment().credentials.webapp
    const scope = `market:code:${publicMarket().code}`
    await page.goto(
      authorizeUrl({
        scope,
        state: 'state 1&2',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
    )
    await signIn()
    await page.getByText(scope).waitFor()
    const answer = await arrivalAfter(() =>
      page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true }),
    )
    expect([answer.get('state'), answer.get('iss')]).toEqual(['state 1&2', `https://auth.${demo().domain}`])

    const connection = connect()
    const exchange = () =>
      connection.token({
        grant_type: 'authorization_code',
        client_id,
        client_secret,
        redirect_uri,
        code: answer.get('code'),
        code_verifier: verifier,
      })
    const reply = await exchange()
    expect(reply.status).toBe(200)
    const { access_token: token, owner_type } = reply.json<TokenBody & { owner_type: string }>()
    expect(owner_type).toBe('user')
    expect((await connection.collection('orders', { token })).data.length).toBeGreaterThan(0)
    const info = await connection.raw('GET', `${demo().base_url}/oauth/tokeninfo`, {
      Authorization: `Bearer ${token}`,
    })
    expect(info.json()).toMatchObject({ owner: { email: owner().email }, role: { kind: 'admin' } })

    expect((await exchange()).status).toBe(400)
    await untilRefused(token)
    expect(consoleProblems).toEqual([])
  })

  it('can be done with the keyboard alone, in the order of reading', async () => {
    await page.goto(authorizeUrl())
    const focused = () => page.evaluate<string>(FOCUSED)
    expect(await focused()).toBe('email')
    await page.keyboard.type(owner().email)
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('password')
    await page.keyboard.type(owner().password)
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Sign in')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Cancel')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Allow Dashboard/ }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Allow')
    expect((await arrivalAfter(() => page.keyboard.press('Enter'))).has('code')).toBe(true)
  })

  it('tells the application when the user cancels, at either page', async () => {
    await page.goto(authorizeUrl({ state: 'x' }))
    const first = await arrivalAfter(() =>
      page.getByRole('link', { name: 'Cancel' }).click({ noWaitAfter: true }),
    )
    page = await context.newPage()
    await page.goto(authorizeUrl({ state: 'y' }))
    await signIn()
    const second = await arrivalAfter(() =>
      page.getByRole('button', { name: 'Cancel' }).click({ noWaitAfter: true }),
    )
    expect([first, second].map((answer) => [answer.get('error'), answer.get('state')])).toEqual([
      ['access_denied', 'x'],
      ['access_denied', 'y'],
    ])
  })

  it('asks again after a wrong password, with the problem first and focused', async () => {
    await page.goto(authorizeUrl())
    await signIn('wrong password')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert')
    expect(await page.getByLabel('Email address').inputValue()).toBe(owner().email)
    await alert.getByRole('link').click()
    expect(await page.locator(':focus').getAttribute('id')).toBe('email')
    await signIn()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
  })

  it('lets the user change to another account', async () => {
    await page.goto(authorizeUrl())
    await signIn()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await page.getByLabel('Email address').waitFor()
    await page.goto(authorizeUrl())
    await page.getByLabel('Email address').waitFor()
  })

  it('shows a wrong redirect_uri and leads nowhere', async () => {
    const response = await page.goto(authorizeUrl({ redirect_uri: 'https://example.com/other' }))
    expect(response?.status()).toBe(400)
    await page.getByRole('heading', { name: 'The application made a mistake' }).waitFor()
  })
})

describe('the page', () => {
  it.each([
    ['a desktop', { width: 1280, height: 800 }],
    ['a phone', { width: 320, height: 640 }],
  ])('fits %s without scrolling sideways, with its style applied', async (_name, viewport) => {
    await page.setViewportSize(viewport)
    await page.goto(authorizeUrl({ scope: `market:id:${publicMarket().id}` }))
    for (const step of ['sign-in', 'consent']) {
      const landmarks = await page.locator('header, main, footer').count()
      const { scroll, client, ground } = await page.evaluate<Layout>(LAYOUT)
      expect([step, landmarks, scroll <= client, ground]).toEqual([step, 3, true, 'rgb(244, 245, 242)'])
      if (step === 'sign-in') await signIn()
    }
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(consoleProblems).toEqual([])
  })

  it('is not shown in a frame', async () => {
    const server = await serve((url) => `<iframe src="${url}"></iframe>`)
    try {
      await page.goto(server.url)
      const frame = page.frames()[1]
      expect(await frame?.locator('form').count()).toBe(0)
    } finally {
      await server.close()
    }
  })
})

/** A page of another origin. */
const serve = async (render: (url: string) => string) => {
  const server: Server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html')
    res.end(render(authorizeUrl()))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
