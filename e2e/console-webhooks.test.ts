/** Webhooks in the console: made, followed in their deliveries, sent again, reset; hostile answers; who may only read. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@merx/testing/eventually'
import type { Page } from 'playwright-core'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, openShown, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { makeReadOnlyUser } from './support/read-only-user.ts'
import type { ResourceObject } from './support/wire.ts'

let shop: ConsoleBrowser
let page: Page
let receiver: Server
let address: string
const now = Date.now()
const name = `Hook ${now} ${SCRIPT}`
/** What the receiver answers, and how often it was called. */
let status = 500
let calls = 0

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume()
    calls += 1
    response.writeHead(status, SCRIPT, { 'Content-Type': 'text/html', 'X-Answer': SCRIPT })
    response.end(SCRIPT)
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks?${encodeURIComponent(SCRIPT)}`
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn()
})
afterAll(async () => {
  await shop?.close()
  receiver.close()
})

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true })
const button = (text: string | RegExp) => page.getByRole('button', { name: text, exact: true })
const deliveries = () => page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr')
const shows = (state: string) => heading(name).locator('..').getByText(state, { exact: true }).waitFor()

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
  expect(await page.title()).toBe('Merx console')
}

const write = async (method: 'POST' | 'PATCH', path: string, data: object): Promise<ResourceObject> => {
  const reply = await connect().core(path, {
    ...{ token: await accessToken('integration'), method, body: { data } },
  })
  expect([reply.text, reply.status < 300]).toEqual([reply.text, true])
  return reply.json<{ data: ResourceObject }>().data
}

const addCustomer = (label: string): Promise<ResourceObject> =>
  write('POST', 'customers', {
    type: 'customers',
    attributes: { email: `${label}.${now}@example.com`, metadata: { note: SCRIPT } },
  })

const idInAddress = (): string => /webhooks\/(?<id>\w+)/.exec(page.url())?.groups?.['id'] ?? ''

describe('a webhook', () => {
  it('is made with the keyboard alone; what is refused is next to its field', async () => {
    await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await heading('Webhooks').waitFor()
    await page.getByRole('link', { name: 'New', exact: true }).focus()
    await page.keyboard.press('Enter')
    await heading('New in Webhooks').waitFor()
    const fill = async (label: string, text: string) => {
      const focused = page.getByLabel(label, { exact: true }).and(page.locator(':focus'))
      while ((await focused.count()) === 0) await page.keyboard.press('Tab')
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
    }
    expect(await page.locator('datalist option[value="customers.create"]').count()).toBe(1)
    await fill('Name', name)
    await fill('Topic *', 'customers.made')
    await fill('Callback url *', address)
    await page.keyboard.press('Enter')
    await page.getByText('is no topic; allowed for customers').waitFor()
    expect(await page.getByLabel('Topic *').getAttribute('aria-invalid')).toBe('true')
    await expectGood()
    await fill('Topic *', 'customers.create')
    await page.keyboard.press('Enter')
    await heading(name).waitFor()
    await shows('Working')
    await page.getByText('Nothing was called yet').waitFor()
    await expectGood()
  })

  it('shows what it called and what came back, however hostile the answer is', async () => {
    const { id } = await addCustomer('first')
    await deliveries().filter({ hasText: '500 Internal Server Error' }).first().waitFor()
    await shows('Failing')
    await expectGood()
    await deliveries().first().getByRole('link').click()
    await heading('Delivery of customers.create').waitFor()
    await page.getByRole('link', { name: `Customers ${id}` }).waitFor()
    await page.getByRole('region', { name: 'Body' }).getByText(`first.${now}@example.com`).waitFor()
    expect(await page.locator('pre').textContent()).toContain(JSON.stringify(SCRIPT))
    await expectGood()
  })

  it('is called again for one event', async () => {
    status = 200
    const before = calls
    await page.getByRole('button', { name: /^Send this event again/ }).click()
    await page.getByRole('status').getByText('It is sent again now.').waitFor()
    await eventually(async () => calls > before)
    await page.getByRole('link', { name, exact: true }).click()
    await deliveries().filter({ hasText: '200 OK' }).first().waitFor()
  })

  it('shows an answer that core could not have kept as text, too', async () => {
    await page.route('**/api/event_callbacks?**', async (route) => {
      const response = await route.fetch()
      const document = (await response.json()) as { data: { attributes: object }[] }
      for (const { attributes } of document.data)
        Object.assign(attributes, { response_code: SCRIPT, response_message: SCRIPT, callback_url: SCRIPT })
      await route.fulfill({ response, json: document })
    })
    await page.reload()
    await deliveries().first().getByText(SCRIPT).first().waitFor()
    await expectGood()
    await page.unroute('**/api/event_callbacks?**')
  })

  it('sends a time again, and says what is wrong with it', async () => {
    await page.reload()
    await heading(name).waitFor()
    await button('Send again everything of a time').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From').fill('2020-01-02T00:00:00')
    await dialog.getByLabel('To').fill('2020-01-01T00:00:00')
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await expectGood()
    const minuteAgo = new Date(Date.now() - 600_000 - new Date().getTimezoneOffset() * 60_000)
    await dialog.getByLabel('From').fill(minuteAgo.toISOString().slice(0, 19))
    await dialog.getByLabel('To').fill('')
    const before = calls
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => calls > before)
  })

  it('is stopped by failures, and its circuit is reset by a button', async () => {
    const webhook = idInAddress()
    // Thirty failures take days: core is asked what it would say then.
    await page.route(`**/api/webhooks/${webhook}`, async (route) => {
      if (route.request().method() !== 'GET') {
        await route.continue()
        return
      }
      const response = await route.fetch()
      const document = (await response.json()) as { data: { attributes: object } }
      Object.assign(document.data.attributes, { circuit_state: 'open', circuit_failure_count: 30 })
      await route.fulfill({ response, json: document })
    })
    await page.reload()
    await shows('Stopped')
    await page.getByText('Its circuit is open after too many failures').waitFor()
    await expectGood()
    await page.getByRole('button', { name: 'Reset the circuit' }).click()
    await page.getByRole('status').getByText('What was kept is sent now.').waitFor()
    await page.unroute(`**/api/webhooks/${webhook}`)
    await page.reload()
    await shows('Working')
  })

  it('is switched off and on, gets another secret, and is changed', async () => {
    await button('Disable').click()
    await shows('Disabled')
    expect(await button('Send again what failed').count()).toBe(0)
    await button('Enable').click()
    await shows('Working')
    await button('Send again what failed').click()
    await page.getByRole('status').getByText('What failed for the last time is sent again now.').waitFor()
    await page.getByText('Shared secret', { exact: true }).click()
    const secret = page.locator('details code')
    const before = await secret.textContent()
    await button('New shared secret').click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await eventually(async () => (await secret.textContent()) !== before)
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page.getByLabel('Include resources').fill('customer_group')
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(name).waitFor()
    await page.getByText('customer_group').waitFor()
  })
})

describe('the list of webhooks', () => {
  it('is searched, filtered by state, and good in Arabic', async () => {
    await shop.open('/console/webhooks?state=disabled')
    await page.getByText('Nothing matches').or(page.getByRole('table')).first().waitFor()
    await page.getByLabel('Name or topic').fill(`Hook ${now}`)
    await page.getByLabel('State').selectOption('working')
    await page.getByRole('status').getByText('1 found').waitFor()
    await expectGood()
    const language = page.getByRole('combobox').and(page.locator('header select'))
    await language.selectOption('ar')
    await heading('خطافات الويب').waitFor()
    await page.getByRole('link', { name }).waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await expectGood()
    await page.getByRole('link', { name }).click()
    await deliveries()
      .or(page.getByRole('region', { name: 'عمليات الإرسال' }).locator('tbody tr'))
      .first()
      .waitFor()
    await expectGood()
    await language.selectOption('en')
    await shows('Working')
  })
})

describe('who may only read', () => {
  it('sees webhooks and deliveries, and no button', async () => {
    const id = idInAddress()
    const reader = await openConsoleBrowser()
    try {
      await reader.signIn({ user: await makeReadOnlyUser(shop) })
      const table = reader.page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr')
      await openShown(reader, `/console/webhooks/${id}`, table.first())
      expect(await reader.page.getByRole('group', { name: /^Actions of/ }).count()).toBe(0)
      await table.first().getByRole('link').click()
      await reader.page.getByRole('heading', { level: 1, name: 'Delivery of customers.create' }).waitFor()
      expect(await reader.page.getByRole('button', { name: /again/ }).count()).toBe(0)
      await openShown(reader, '/console/webhooks', reader.page.getByRole('region', { name: 'Webhooks' }))
      expect(await reader.page.getByRole('link', { name: 'New', exact: true }).count()).toBe(0)
      expect(reader.problems).toEqual([])
    } finally {
      await reader.close()
    }
  })
})

describe('a webhook that is no longer needed', () => {
  it('is deleted after a question', async () => {
    await shop.open(`/console/webhooks?text=Hook%20${now}`)
    await page.getByRole('link', { name }).click()
    await heading(name).waitFor()
    await button('Delete').click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await heading('Webhooks').waitFor()
    expect(shop.problems.filter((problem) => !/40\d|41\d|42\d/.test(problem))).toEqual([])
  })
})
