/** The console as a person uses it: real Chromium, the whole system; signs in, looks, approves an order, signs out. */
import { eventually } from '@merx/testing/eventually'
import type { Page } from 'playwright-core'
import { typeNames } from '../services/console/page/src/records/types.ts'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { demo, first, organization } from './support/demo.ts'
import { sell } from './support/sell.ts'

let shop: ConsoleBrowser
let page: Page
const SEEN_WITHIN_MS = 2_000
const email = `console.${Date.now()}@example.com`
let orderId: string

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
})
afterAll(() => shop?.close())

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

const statusOf = async (id: string): Promise<unknown> => {
  const reply = await connect().core(`orders/${id}`, { token: await accessToken('integration') })
  return reply.json<OrderDocument>().data.attributes['status']
}

describe('the console', () => {
  it('shows sales and work after signing in, says whose and that it is test data', async () => {
    await shop.signIn()
    await page.getByText('Revenue today').waitFor()
    await page.getByText('To approve').waitFor()
    await page.getByText('Test', { exact: true }).waitFor()
    expect(await page.getByText(organization().slug, { exact: true }).count()).toBeGreaterThan(0)
    expect(await shop.axeViolations()).toEqual([])
    expect(await shop.fitsPhone()).toBe(true)
    expect(shop.problems).toEqual([])
  })

  it('shows a purchase within two seconds, without being asked', async () => {
    const tookMs: number[] = []
    // A machine that is busy may be late once.
    for (let sold = 0; sold < 3 && !tookMs.some((ms) => ms <= SEEN_WITHIN_MS); sold += 1) {
      const before = await figure('Orders today')
      orderId = await sellOrder()
      const soldAt = performance.now()
      await eventually(async () => (await figure('Orders today')) > before)
      tookMs.push(performance.now() - soldAt)
    }
    expect(Math.min(...tookMs)).toBeLessThanOrEqual(SEEN_WITHIN_MS)
  })

  it('keeps tokens out of the address, the storage, and what scripts can read', async () => {
    const seen = await page.evaluate<string>(
      'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])',
    )
    expect(seen).not.toMatch(/eyJ|merx_console/)
    const cookies = await shop.context.cookies(demo().base_url)
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
    expect(await shop.axeViolations()).toEqual([])
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
      'Archive',
    ])
    expect(await page.getByText('do not add up').count()).toBe(0)
    expect(await shop.axeViolations()).toEqual([])
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
    expect(shop.problems).toEqual([])
  })

  it('finds the order by its customer', async () => {
    expect(await shop.fitsPhone()).toBe(true)
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
    await page.getByLabel('Number, email or reference').fill(email)
    await page.keyboard.press('Enter')
    await page.getByText('1 order', { exact: true }).waitFor()
  })

  it('has a list of every type there is', async () => {
    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await page
      .getByRole('status')
      .getByText(/types$/)
      .waitFor()
    expect(await shop.axeViolations()).toEqual([])
    const links = await page.getByRole('main').getByRole('listitem').getByRole('link').all()
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(addresses.toSorted()).toEqual(typeNames.map((type) => `/console/records/${type}`))
  })

  it('finds a record by its name, shows what it is related to, and says what an address lacks', async () => {
    await page.goto(`${demo().base_url}/console/records/markets?text=Europe`)
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Related' }).waitFor()
    await page.getByText('Price list', { exact: true }).click()
    await page.locator('details[open]').getByRole('link').click()
    await page.waitForURL(/records\/price_lists\//)
    expect(await shop.fitsPhone()).toBe(true)
    await page.goto(`${demo().base_url}/console/records/tents`)
    await page.getByRole('alert').getByText('Not found: There is no type tents').waitFor()
    await page.goto(`${demo().base_url}/console/records/skus/xxxxxxxxxx`)
    await page.getByRole('alert').waitFor()
    shop.problems.length = 0
  })

  it('is over after signing out, also for who goes back', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in to' }).waitFor()
    expect(await shop.axeViolations()).toEqual([])
  })
})
