/** The developers' screens of the console: the reference of all services, a request with a token of one's choice, the limits. */
import type { Page } from 'playwright-core'
import { accessToken } from './support/connect.ts'
import { openConsoleBrowser, type ConsoleBrowser } from './support/console.ts'
import { first, organization } from './support/demo.ts'

let shop: ConsoleBrowser
let page: Page

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn()
})
afterAll(() => shop?.close())

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

const answerOf = async (): Promise<string> => {
  await page.getByRole('heading', { name: 'Answer' }).waitFor()
  return (await page.getByRole('status').textContent()) ?? ''
}

describe('developers', () => {
  it.each([
    ['core', 'POST /api/skus', 'shipping_category'],
    ['metrics', 'POST /orders/breakdown', 'breakdown'],
    ['auth', 'POST /oauth/token', 'grant_type'],
  ])('find what %s takes and answers', async (service, endpoint, member) => {
    await shop.open(`/console/developers/reference?service=${service}`)
    await page.getByLabel('Path, method or summary').fill(endpoint)
    const item = page.getByRole('listitem').filter({ has: page.getByText(endpoint, { exact: true }) })
    await item.first().locator('summary').first().click()
    await item.first().getByRole('heading', { name: 'Answers' }).waitFor()
    for (
      let depth = 0;
      depth < 4 && (await page.getByText(member, { exact: true }).count()) === 0;
      depth += 1
    )
      for (const closed of await item.first().locator('details:not([open]) > summary').all())
        if (await closed.isVisible()) await closed.click()
    expect(await page.getByText(member, { exact: true }).count()).toBeGreaterThan(0)
    await expectGood()
  })

  it('send a request that the reference shows, with their own token', async () => {
    await shop.open('/console/developers/reference?text=GET /api/organization')
    await page.locator('summary').filter({ hasText: 'GET /api/organization' }).first().click()
    await page.getByRole('link', { name: 'Send such a request' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect(await answerOf()).toMatch(/^200 OK/)
    await page.getByLabel('Body').getByText(organization().slug).waitFor()
    await page.getByText('As a command').click()
    const command = first(await page.locator('pre').allTextContents(), 'command', (text) =>
      text.startsWith('curl'),
    )
    expect(command).toContain('Bearer $TOKEN')
    expect(command).not.toContain('eyJ')
    await expectGood()
  })

  it('send one with another token, which may less', async () => {
    await shop.open('/console/developers/request?method=GET&path=/api/webhooks')
    await page.getByLabel('Token').fill(await accessToken('sales_channel'))
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect(await answerOf()).toMatch(/^401/)
    expect(
      await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).not.toContain('eyJ')
  })

  it('never send to another origin', async () => {
    await shop.open('/console/developers/request?path=//example.com/steal')
    expect(await page.getByLabel('Path').inputValue()).toMatch(/^\/api\//)
    await page.getByLabel('Path').fill('//example.com/steal')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').getByText('must begin with one slash').waitFor()
  })

  it('see what is left of the limits', async () => {
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByRole('table').waitFor()
    await page.getByRole('link', { name: 'Developers', exact: true }).click()
    await page.getByRole('link', { name: 'Limits', exact: true }).click()
    await page.getByRole('row').filter({ hasText: '/api/orders' }).waitFor()
    await expectGood()
    expect(shop.problems.filter((problem) => !problem.includes('401'))).toEqual([])
  })
})
