/** What is around every screen of the console: languages, right to left, zoom, the search from anywhere, keys. */
import { eventually } from '@merx/testing/eventually'
import type { Page } from 'playwright-core'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, type ConsoleBrowser } from './support/console.ts'
import { first } from './support/demo.ts'

let shop: ConsoleBrowser
let page: Page

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn()
})
afterAll(() => shop?.close())

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

/** As text, because these tests are not compiled for a browser. */
const SIDE_BAR_START = `document.querySelector('header').getBoundingClientRect().left`
const DIRECTION = 'document.documentElement.dir'

describe('languages', () => {
  it.each([
    ['it', 'Panoramica', 'Ordini', 'Stato del pagamento', 'ltr'],
    ['ar', 'الرئيسية', 'الطلبات', 'حالة الدفع', 'rtl'],
    ['en', 'Home', 'Orders', 'Payment status', 'ltr'],
  ])('%s is kept for every screen', async (code, home, orders, filter, direction) => {
    await page.getByRole('combobox').and(page.locator('header select')).selectOption(code)
    await heading(home).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(code)
    expect(await page.evaluate<string>(DIRECTION)).toBe(direction)
    const start = await page.evaluate<number>(SIDE_BAR_START)
    expect(start > 640).toBe(direction === 'rtl')
    await expectGood()
    await page.getByRole('link', { name: orders, exact: true }).click()
    await page.getByLabel(filter, { exact: true }).waitFor()
    await page.getByRole('table').waitFor()
    await expectGood()
    await page.getByRole('link', { name: home, exact: true }).click()
    await heading(home).waitFor()
  })
})

describe('the search from anywhere', () => {
  it('finds an order by its number, with the keyboard alone', async () => {
    const token = await accessToken('integration')
    const query = { 'page[size]': 1, sort: '-created_at', 'fields[orders]': 'number' }
    const { data } = await connect().collection('orders', { token, query })
    const number = String(first(data, 'newest order').attributes['number'])
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search everywhere' }).waitFor()
    await page.keyboard.type(number)
    const found = page.getByRole('option').filter({ hasText: 'Orders' }).filter({ hasText: number }).first()
    await found.waitFor()
    await expectGood()
    while ((await found.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(`Order ${number}`).waitFor()
  })

  it('finds screens and lists, and says when there is nothing', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('shipping zo')
    await page.getByRole('option', { name: 'Shipping zones List' }).click()
    await heading('Shipping zones').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('no such thing')
    await page.getByText('Nothing matches').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('keys', () => {
  it('lead to every screen, and are listed', async () => {
    const help = page.getByRole('dialog', { name: 'Keys' })
    // The screen before may still be giving back the focus.
    await eventually(async () => {
      if (!(await help.isVisible())) await page.keyboard.press('?')
      return help.getByText('g o', { exact: true }).isVisible()
    })
    await expectGood()
    await page.keyboard.press('Escape')
    for (const [key, name] of [
      ['o', 'Orders'],
      ['i', 'Imports and exports'],
      ['w', 'Webhooks'],
      ['r', 'Records'],
      ['d', 'Developers'],
      ['s', 'Settings'],
      ['h', 'Home'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await heading(name).waitFor()
    }
  })

  it('are text while somebody types', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByLabel('Number, email or reference').fill('')
    await page.getByLabel('Number, email or reference').press('g')
    await page.keyboard.press('h')
    expect(await page.getByLabel('Number, email or reference').inputValue()).toBe('gh')
    await heading('Orders').waitFor()
  })
})

describe('at 200 % zoom', () => {
  it('everything is reachable, and nothing is wider than the window', async () => {
    // What a window of 1280 by 900 has at twice the size.
    await page.setViewportSize({ width: 640, height: 450 })
    for (const name of [
      'Orders',
      'Imports and exports',
      'Webhooks',
      'Records',
      'Developers',
      'Settings',
      'Home',
    ]) {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name, exact: true }).click()
      await heading(name).waitFor()
      await expectGood()
    }
    expect(shop.problems).toEqual([])
  })
})
