/**
 * The screens of the console in Chromium, of a shop that runs already: fill it first, for example with
 * `MERX_DEMO_ORDERS=1000000 npm start`, and name its address in MERX_CONSOLE_URL when it is not http://localhost:8080.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, Check } from '@merx/load/bench'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/support/browser.ts'

const MS_MAX = 1_000
const ROUNDS = 5
/** The budgets of a test token; a screen of records asks a handful of times. */
const PAUSE_MS = 2_000

/** Addresses below /console; `{orders}` is the id of a record of the type. */
const SCREENS = [
  '/',
  '/orders',
  '/orders?status=placed&payment_status=authorized',
  '/orders?page=40',
  '/orders?text=1234',
  '/orders/{orders}',
  '/products',
  '/products?text=AB12',
  '/products?text=mug',
  '/products/{skus}',
  '/records',
  '/records/skus',
  '/records/prices',
  '/records/stock_items',
  '/records/line_items',
  '/records/customers?text=ada',
  '/records/events',
  '/records/orders/{orders}',
  '/records/skus/new',
  '/metrics',
  '/metrics/dashboard',
  '/bulk/imports',
  '/bulk/exports/new',
  '/webhooks',
  '/settings/users',
  '/developers/reference',
] as const

const baseUrl = (): string => process.env['MERX_CONSOLE_URL'] ?? 'http://localhost:8080'

const signIn = async (page: Page): Promise<void> => {
  await page.goto(baseUrl())
  await page.getByRole('link', { name: '(Test)' }).first().click()
  await page.getByRole('button', { name: 'Continue as' }).first().click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** Its heading is there, and nothing says that it is still loading. */
const shown = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  while ((await page.getByText(/^Loading .*…$/).count()) > 0) await wait(5)
}

/** @throws Error when the screen shows a problem, because then it was not measured */
const timeOf = async (page: Page, address: string): Promise<number> => {
  const startedAt = performance.now()
  await page.goto(`${baseUrl()}/console${address}`)
  await shown(page)
  const ms = performance.now() - startedAt
  const [problem] = await page.getByRole('alert').allTextContents()
  if (problem !== undefined) throw new Error(`${address} shows: ${problem}`)
  return ms
}

const firstOf = async (page: Page, type: string): Promise<string> => {
  await page.goto(`${baseUrl()}/console/records/${type}`)
  const address = await page.getByRole('table').getByRole('link').first().getAttribute('href')
  return String(address?.split('/').at(-1))
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

const checkOf = (address: string, times: readonly number[]): Check => ({
  name: `${address} is shown within ${MS_MAX} ms, median of ${ROUNDS}`,
  found: `${Math.round(medianOf(times))} ms (${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))})`,
  isMet: medianOf(times) <= MS_MAX,
})

export const bench: Bench = {
  summary:
    'From the address of a screen of the console until all of it is shown, on a shop that runs already.',
  run: async ({ defer, say }) => {
    const browser = await launchBrowser()
    defer(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await signIn(page)
    const ids = { orders: await firstOf(page, 'orders'), skus: await firstOf(page, 'skus') }
    const checks: Check[] = []
    for (const screen of SCREENS) {
      const address = screen.replace(/\{(orders|skus)\}/, (_all, type: 'orders' | 'skus') => ids[type])
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        times.push(await timeOf(page, address))
        await wait(PAUSE_MS)
      }
      checks.push(checkOf(screen, times))
      say(`${screen}: ${times.map(Math.round).join(', ')} ms`)
    }
    return { checks }
  },
}
