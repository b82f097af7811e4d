/** The console as a person uses it: real Chromium, the whole system; signs in, looks, approves an order, signs out. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { readDemoUsers } from '@merx/embedded/src/demo-users.ts'
import { eventually } from '@merx/testing/eventually'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { typeNames } from '../services/console/page/src/records/types.ts'
import { launchBrowser } from './support/browser.ts'
import { accessToken, connect } from './support/connect.ts'
import { dataDir, demo, first, organization } from './support/demo.ts'
import { sell } from './support/sell.ts'

const TIMEOUT_MS = 15_000
const DESKTOP = { width: 1280, height: 900 }
/** As text, because these tests are not compiled for a browser. */
const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCRIPT = '"><img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script>'

let browser: Browser
let context: BrowserContext
let page: Page
const email = `console.${Date.now()}@example.com`
let orderId: string
/** What the browser reports: refused by a policy, thrown, or not answered. */
const problems: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: DESKTOP })
  context.setDefaultTimeout(TIMEOUT_MS)
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
})
afterAll(() => browser?.close())

const shop = () => organization()

const signIn = async (): Promise<void> => {
  const { email, password } = first(
    readDemoUsers(dataDir()),
    'owner',
    (user) => user.organization === shop().slug,
  )
  await page.goto(`${demo().base_url}/`)
  await page.getByRole('link', { name: `${shop().slug} (test)` }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Outside of the page's world, where its policy does not reach. */
const axeViolations = async (): Promise<readonly string[]> => {
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

interface OrderDocument {
  readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
}

/** An order that waits for approval, with a text in it that would be a script if anybody let it. */
const sellOrder = async (): Promise<string> => {
  const query = { 'page[size]': 1, 'filter[q][stock_items_quantity_gt]': 50 }
  const skus = await connect().collection('skus', { token: await accessToken('sales_channel'), query })
  const skuCode = String(first(skus.data, 'SKU in stock').attributes['code'])
  const id = await sell({ email, skuCode, quantity: 2 }, ['lines', 'address', 'place'])
  const body = { data: { type: 'orders', id, attributes: { reference: SCRIPT } } }
  const token = await accessToken('integration')
  const changed = await connect().core(`orders/${id}`, { token, method: 'PATCH', body })
  expect(changed.status).toBe(200)
  return id
}

/** The number under a label of Home. */
const figure = async (label: string): Promise<number> => {
  const card = page.getByText(label, { exact: true }).locator('..')
  return Number((await card.getByRole('definition').first().textContent())?.replaceAll(/\D/g, ''))
}

const fitsPhone = async (): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate<boolean>(FITS)).toBe(true)
  await page.setViewportSize(DESKTOP)
}

/** A list or a record, when it is shown; a token takes 100 requests a minute, so it may have to wait. */
const openRecords = async (address: string): Promise<void> => {
  await page.goto(`${demo().base_url}${address}`)
  const refused = page.getByRole('alert')
  const shown = page
    .getByRole('status')
    .getByText(/found$/)
    .or(page.getByRole('heading', { name: 'Attributes' }))
  await shown.or(refused).first().waitFor()
  const [text = ''] = await refused.allTextContents()
  const seconds = /try again in (?<seconds>\d+) seconds/.exec(text)?.groups?.['seconds']
  if (seconds === undefined) return
  await wait((Number(seconds) + 1) * 1_000)
  await openRecords(address)
}

const statusOf = async (id: string): Promise<unknown> => {
  const reply = await connect().core(`orders/${id}`, { token: await accessToken('integration') })
  return reply.json<OrderDocument>().data.attributes['status']
}

describe('the console', () => {
  it('shows sales and work after signing in, says whose and that it is test data', async () => {
    await signIn()
    await page.getByText('Revenue today').waitFor()
    await page.getByText('To approve').waitFor()
    await page.getByText('Test', { exact: true }).waitFor()
    expect(await page.getByText(shop().slug, { exact: true }).count()).toBeGreaterThan(0)
    expect(await axeViolations()).toEqual([])
    await fitsPhone()
    expect(problems).toEqual([])
  })

  it('shows a purchase without being asked again', async () => {
    const before = await figure('Orders today')
    orderId = await sellOrder()
    await eventually(async () => (await figure('Orders today')) > before)
  })

  it('keeps tokens out of the address, the storage, and what scripts can read', async () => {
    const seen = await page.evaluate<string>(
      'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])',
    )
    expect(seen).not.toMatch(/eyJ|merx_console/)
    const cookies = await context.cookies(demo().base_url)
    const cookie = first(cookies, 'session cookie', ({ name }) => name === 'merx_console')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  })

  it('lists orders, and finds those of a filter', async () => {
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.getByRole('table').waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('placed')
    await page.waitForURL(/status=placed/)
    await page
      .getByRole('status')
      .getByText(/orders?$/)
      .waitFor()
    expect(await axeViolations()).toEqual([])
  })

  it('shows the buttons that the state of an order allows, and approves it with one', async () => {
    await page.goto(`${demo().base_url}/console/orders/${orderId}`)
    const actions = page.getByRole('group', { name: /^Actions of order/ })
    await actions.waitFor()
    expect(await actions.getByRole('button').allTextContents()).toEqual([
      'Start editing',
      'Approve',
      'Approve and capture',
      'Cancel',
    ])
    expect(await page.getByText('do not add up').count()).toBe(0)
    expect(await axeViolations()).toEqual([])
    await actions.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Approved').waitFor()
    expect(await statusOf(orderId)).toBe('approved')
  })

  it('asks before it does what cannot be taken back', async () => {
    const cancel = page
      .getByRole('group', { name: /^Actions of order/ })
      .getByRole('button', { name: 'Cancel' })
    await cancel.click()
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await cancel.click()
    expect(await statusOf(orderId)).toBe('approved')
    // The focus is on the answer, so that the keyboard is enough.
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Cancelled').waitFor()
    expect(await statusOf(orderId)).toBe('cancelled')
  })

  it('shows a text with a script in it as text', async () => {
    await page.getByText(SCRIPT).waitFor()
    expect(await page.title()).toBe('Merx console')
    expect(problems).toEqual([])
  })

  it('finds the order by its customer', async () => {
    await fitsPhone()
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
    await page.getByLabel('Number or email').fill(email)
    await page.keyboard.press('Enter')
    await page.getByText('1 order', { exact: true }).waitFor()
  })

  it('shows a list and a record of every type there is', async () => {
    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await page
      .getByRole('status')
      .getByText(/types$/)
      .waitFor()
    expect(await axeViolations()).toEqual([])
    const links = await page.getByRole('main').getByRole('listitem').getByRole('link').all()
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(addresses.toSorted()).toEqual(typeNames.map((type) => `/console/records/${type}`))
    for (const [at, type] of typeNames.entries()) {
      await openRecords(`/console/records/${type}`)
      const record = page.getByRole('table').getByRole('link').first()
      if ((await record.count()) > 0) await openRecords(String(await record.getAttribute('href')))
      expect([type, await page.getByRole('alert').allTextContents()]).toEqual([type, []])
      if (at % 10 === 0) expect([type, await axeViolations()]).toEqual([type, []])
    }
    expect(problems.filter((problem) => !problem.includes('429'))).toEqual([])
    problems.length = 0
    expect(problems).toEqual([])
  })

  it('finds a record by its name, shows what it is related to, and says what an address lacks', async () => {
    await page.goto(`${demo().base_url}/console/records/markets?text=Europe`)
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Related' }).waitFor()
    await page.getByText('Price list', { exact: true }).click()
    await page.locator('details[open]').getByRole('link').click()
    await page.waitForURL(/records\/price_lists\//)
    await fitsPhone()
    await page.goto(`${demo().base_url}/console/records/tents`)
    await page.getByRole('alert').getByText('There is no type tents').waitFor()
    await page.goto(`${demo().base_url}/console/records/skus/xxxxxxxxxx`)
    await page.getByRole('alert').waitFor()
    problems.length = 0
  })

  it('is over after signing out, also for who goes back', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in to' }).waitFor()
    expect(await axeViolations()).toEqual([])
  })
})
