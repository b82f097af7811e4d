/** Questions to metrics in the console: built from the catalogue, shared by address, exported, saved on a dashboard. */
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { accessToken } from './support/connect.ts'
import { openConsoleBrowser, ownerOfShop, type ConsoleBrowser } from './support/console.ts'
import { demo } from './support/demo.ts'
import { send } from './support/send.ts'

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

const choose = (label: string, name: string) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: name })

/** The answer is there when nothing is being asked. */
const answered = async (): Promise<void> => {
  await page.getByRole('button', { name: 'Ask again' }).waitFor()
  await page.getByText('Asking…').waitFor({ state: 'detached' })
}

const openReady = async (name: string): Promise<void> => {
  await shop.open('/console/metrics')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 2, name }).waitFor()
  await answered()
}

/** Cells of the numbers, row by row. */
const rows = async (): Promise<readonly (readonly string[])[]> => {
  const lines = await page
    .getByRole('region', { name: /^Numbers of/ })
    .locator('tbody tr')
    .all()
  return Promise.all(lines.map((line) => line.locator('th, td.number').allTextContents()))
}

const exported = async (): Promise<readonly string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
}

describe('a question to metrics', () => {
  it('is there at once: revenue by day, with the period before, in one currency', async () => {
    await shop.open('/console/metrics')
    await page.getByRole('img', { name: 'Revenue by day' }).waitFor()
    await answered()
    expect(page.url()).toContain('field=order.total_amount_with_taxes')
    await page.locator('summary').filter({ hasText: 'Numbers' }).click()
    expect(await rows()).toHaveLength(30)
    await expectGood()
  })

  it('is built, shared by its address and exported', async () => {
    await openReady('Revenue by market')
    await choose('Of what', 'Skus count')
    await choose('Calculation', 'Sum')
    await choose('Group by', 'Country code')
    await choose('Days', 'Last 365 days')
    await choose('Add a filter', 'Guest')
    await page.getByLabel('Value', { exact: true }).selectOption('false')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Order: guest is No' }).waitFor()
    await answered()
    const built = await rows()
    expect(built.length).toBeGreaterThan(1)
    await expectGood()

    const lines = await exported()
    expect(lines[0]).toMatch(/^Order: country code,/)
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(built.map(([label]) => label))

    const address = page.url()
    const other = await shop.context.newPage()
    await other.goto(address)
    await other.getByRole('button', { name: `Only ${built[0]?.[0] ?? ''}` }).waitFor()
    expect(new URL(other.url()).search).toBe(new URL(address).search)
    await other.close()
  })

  it('is asked about one group alone when its bar is chosen', async () => {
    await openReady('Best-selling SKUs')
    const [first] = await rows()
    const [code = ''] = first ?? []
    await page.getByRole('button', { name: `Only ${code}` }).click()
    await page.getByRole('listitem').filter({ hasText: code }).waitFor()
    await answered()
    expect((await rows()).map(([label]) => label)).toEqual([code])
  })

  it('shows the time of a bar in finer intervals', async () => {
    await openReady('New and returning customers')
    await page.locator('svg rect').last().click()
    await page.waitForURL(/interval=day/)
    await answered()
    expect(await page.getByLabel('Interval').inputValue()).toBe('day')
    await expectGood()
  })

  it('is a request for others, that any client can send, without the token of the session', async () => {
    await openReady('Average order by country')
    await page.getByText('As a request').click()
    const curl = await page.getByLabel('curl', { exact: true }).last().textContent()
    expect(curl).toContain('Bearer $TOKEN')
    expect(curl).not.toContain('eyJ')
    await page.getByRole('button', { name: 'JSON' }).click()
    const body = await page.locator('pre').textContent()
    const token = await accessToken('integration')
    const answer = await send({
      method: 'POST',
      url: `${demo().base_url}/metrics/orders/breakdown`,
      from: '127.0.0.1',
      headers: {
        Accept: 'application/vnd.api.v1+json',
        'Content-Type': 'application/vnd.api+json',
        Authorization: `Bearer ${token}`,
      },
      body: body ?? '',
    })
    expect(answer.status).toBe(200)
    await page.getByRole('button', { name: 'JavaScript' }).click()
    expect(await page.locator('pre').textContent()).not.toContain('eyJ')
  })

  it('lists records, and gives all of them as a file', async () => {
    await openReady('Cancelled orders')
    const count = Number(
      /of (?<count>[\d,]+) records/.exec((await page.locator('main').textContent()) ?? '')?.groups?.['count'],
    )
    expect(count).toBeGreaterThan(0)
    const lines = await exported()
    expect(lines[0]).toMatch(/^order\.number,/)
    expect(lines).toHaveLength(count + 1)
    await expectGood()
  })

  it('says when there is nothing, and what metrics refuses', async () => {
    await openReady('Revenue by day')
    await choose('Days', 'Days from, to')
    await page.getByLabel('From', { exact: true }).fill('2001-01-01')
    await page.getByLabel('To', { exact: true }).fill('2001-01-02')
    await page.getByText('Nothing was found.').waitFor()
    await expectGood()
    const filters = JSON.stringify([['order.aggregated_details', 'query', '"']])
    await shop.open(`/console/metrics?kind=stats&filters=${encodeURIComponent(filters)}`)
    await page.getByRole('alert').getByText('order.aggregated_details').waitFor()
    shop.problems.splice(0)
  })

  it('that is slow can be given up', async () => {
    await page.route('**/metrics/returns/**', (route) =>
      new Promise<void>((done) => setTimeout(done, 5_000)).then(() => route.abort().catch(() => undefined)),
    )
    await shop.open('/console/metrics?of=returns&kind=stats&field=return.id&operator=value_count')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The question was given up.').waitFor()
    await page.unroute('**/metrics/returns/**')
    await page.getByRole('button', { name: 'Ask again' }).first().click()
    await answered()
    shop.problems.splice(0)
  })

  it('can be asked when the currencies are refused, which is asked once', async () => {
    let asked = 0
    await page.route('**/metrics/orders/breakdown', async (route) => {
      asked += 1
      const error = { title: 'too many requests', code: 'TOO_MANY_REQUESTS', status: 429 }
      await route.fulfill({ status: 429, json: { error } })
    })
    await shop.open('/console/metrics?of=orders&kind=stats&field=order.total_amount&operator=sum')
    await answered()
    await page.getByRole('link', { name: 'Returns by status' }).waitFor()
    await wait(1_000)
    expect(asked).toBe(1)
    await page.unroute('**/metrics/orders/breakdown')
    shop.problems.splice(0)
  })

  it('is saved on the dashboard of the user, where another browser finds it', async () => {
    await openReady('Returns by status')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('How returns are')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'On your dashboard' }).click()
    await page.getByRole('article', { name: 'How returns are' }).getByRole('row').first().waitFor()
    await expectGood()

    const elsewhere = await openConsoleBrowser()
    await elsewhere.signIn({ user: ownerOfShop() })
    await elsewhere.open('/console/metrics/dashboard')
    const tile = elsewhere.page.getByRole('article', { name: 'How returns are' })
    await tile.getByRole('button', { name: 'Delete' }).click()
    await tile.getByRole('button', { name: 'Yes' }).click()
    await tile.waitFor({ state: 'detached' })
    await elsewhere.close()
    expect(shop.problems).toEqual([])
  })
})
