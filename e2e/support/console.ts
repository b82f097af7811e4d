/** The console in a real Chromium: a browser that is signed in, and the checks that every screen passes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { readDemoUsers } from '@merx/embedded/src/demo-users.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { dataDir, demo, first, organization } from './demo.ts'

/** Longer than a page waits when too much was asked of an interface: all browsers of a run are one address. */
const TIMEOUT_MS = 75_000
export const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }
/** As text, because these tests are not compiled for a browser. */
const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Would be a script if anybody let it. */
export const SCRIPT =
  '"><img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script>'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface SignIn {
  readonly user?: Credentials
  readonly mode?: 'Test' | 'Live'
  /** Index into the demo organizations. */
  readonly at?: number
}

export interface ConsoleBrowser {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser reported: refused by a policy, thrown, or not answered. Not that a page asks too often: it waits and asks again. */
  readonly problems: string[]
  /** Signs in to the first demo organization: in test mode, and as its owner, unless another is given. */
  signIn(how?: SignIn): Promise<void>
  /** Opens an address of the console, such as `/console/orders`. */
  open(address: string): Promise<void>
  /** What axe finds wrong with the page as it is. */
  axeViolations(): Promise<readonly string[]>
  /** Nothing is wider than a phone; then the window is as before. */
  fitsPhone(): Promise<boolean>
  close(): Promise<void>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

export const ownerOfShop = (at?: number): Credentials =>
  first(readDemoUsers(dataDir()), 'owner', (user) => user.organization === organization(at).slug)

/** The owner's sign-in is one click, because the shop is a demo. */
const signIn = async (page: Page, { user, mode = 'Test', at }: SignIn): Promise<void> => {
  await page.goto(`${demo().base_url}/`)
  await page.getByRole('link', { name: `${organization(at).slug} (${mode})` }).click()
  if (user === undefined)
    await page.getByRole('button', { name: `Continue as ${ownerOfShop(at).email}` }).click()
  else {
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** Outside of the page's world, where its policy does not reach. */
const axeViolations = async (context: BrowserContext, page: Page): Promise<readonly string[]> => {
  const session = await context.newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${AXE}; axe.run(document).then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
    allowUnsafeEvalBlockedByCSP: true,
  })
  await session.detach()
  const violations = JSON.parse(String(result.value)) as readonly Violation[]
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}

export const openConsoleBrowser = async (options: BrowserContextOptions = {}): Promise<ConsoleBrowser> => {
  const browser: Browser = await launchBrowser()
  const context = await browser.newContext({ viewport: DESKTOP, ...options })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    const isTooOften = message.text().includes('status of 429')
    if (message.type() === 'error' && !isTooOften) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  return {
    context,
    page,
    problems,
    signIn: (how = {}) => signIn(page, how),
    open: async (address) => {
      await page.goto(`${demo().base_url}${address}`)
    },
    axeViolations: () => axeViolations(context, page),
    fitsPhone: async () => {
      const before = page.viewportSize() ?? DESKTOP
      await page.setViewportSize(PHONE)
      const fits = await page.evaluate<boolean>(FITS)
      await page.setViewportSize(before)
      return fits
    },
    close: () => browser.close(),
  }
}

/** How long a refusal asks to wait: what a page cannot begin without is not asked for again by itself. */
const waitIfLimited = async (page: Page): Promise<boolean> => {
  const [text = ''] = await page.getByRole('alert').allTextContents()
  const seconds = /try again in (?<seconds>\d+) seconds/.exec(text)?.groups?.['seconds']
  if (seconds === undefined) return false
  await wait((Number(seconds) + 1) * 1_000)
  return true
}

/** Opens an address until it is shown; where too much was asked of an interface, it waits as long as the refusal says. */
export const openShown = async (shop: ConsoleBrowser, address: string, shown: Locator): Promise<void> => {
  await shop.open(address)
  await shown.or(shop.page.getByRole('alert')).first().waitFor()
  if (await waitIfLimited(shop.page)) await openShown(shop, address, shown)
}
