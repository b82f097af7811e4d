/** Records of any type in the console: made, changed and deleted by form; what is refused; who sees no button. */
import type { Page } from 'playwright-core'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, openShown, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { first } from './support/demo.ts'
import { makeReadOnlyUser } from './support/read-only-user.ts'

/** The one whose SKUs, prices and stock tests may change. */
const ORGANIZATION = 1

let shop: ConsoleBrowser
let page: Page
const now = Date.now()
const code = `CONSOLE-${now}`

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn({ at: ORGANIZATION })
})
afterAll(() => shop?.close())

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const save = () => page.getByRole('button', { name: 'Save' }).click()

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

const firstOf = async (type: string, of = ORGANIZATION): Promise<string> => {
  const token = await accessToken('integration', { organization: of })
  const { data } = await connect().collection(type, { token, query: { 'page[size]': 1 } })
  return first(data, type).id
}

describe('records', () => {
  it('are made by form: what is refused is next to its field, and the first of them has the focus', async () => {
    await shop.open('/console/records/skus')
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await heading('New in SKUs').waitFor()
    await page.getByLabel('Name *').fill(SCRIPT)
    await page.getByLabel('Weight', { exact: true }).fill('heavy')
    await save()
    await page.getByText('must be a number').waitFor()
    await page.getByLabel('Weight', { exact: true }).fill('-1')
    await save()
    await page.getByRole('alert').waitFor()
    for (const label of ['Code *', 'Shipping category *', 'Weight'])
      expect([
        label,
        await page.getByLabel(label, { exact: true }).first().getAttribute('aria-invalid'),
      ]).toEqual([label, 'true'])
    await expectGood()
    await page.getByLabel('Code *').fill(code)
    await page.getByLabel('Weight', { exact: true }).fill('0.5')
    await page.getByLabel('Metadata').fill(JSON.stringify({ note: SCRIPT }))
    await page.getByLabel('Shipping category *').first().click()
    await page.getByRole('listbox', { name: 'Shipping category' }).getByRole('option').first().click()
    await save()
    await heading(code).waitFor()
    await page.getByText(SCRIPT).first().waitFor()
    expect(await page.title()).toBe('Merx console')
    await expectGood()
  })

  it('keep what was typed when the page goes away, until it is saved or discarded', async () => {
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page.getByLabel('Description').fill('Warm')
    await page.reload()
    await page.getByText('What you typed before is here again.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Warm')
    await page.getByRole('button', { name: 'Discard it' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    await page.getByLabel('Description').fill('Cold')
    await save()
    await page.getByText('Cold').waitFor()
  })

  it('say that somebody else changed them meanwhile, and lose nothing', async () => {
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page.getByLabel('Pieces per pack').fill('6')
    const id = /skus\/(?<id>\w+)\//.exec(page.url())?.groups?.['id'] ?? ''
    const token = await accessToken('integration', { organization: ORGANIZATION })
    const body = { data: { type: 'skus', id, attributes: { weight: 2 } } }
    expect((await connect().core(`skus/${id}`, { token, method: 'PATCH', body })).status).toBe(200)
    await save()
    await page.getByText('Somebody else changed this record meanwhile').waitFor()
    await page.getByRole('button', { name: 'Load it again' }).click()
    await page.getByText('What you typed before is here again.').waitFor()
    expect(await page.getByLabel('Weight', { exact: true }).inputValue()).toBe('2')
    expect(await page.getByLabel('Pieces per pack').inputValue()).toBe('6')
    await save()
    await heading(code).waitFor()
  })

  it('take tags and other triggers', async () => {
    await page.getByText('More actions').click()
    const token = await accessToken('integration', { organization: ORGANIZATION })
    const tags = await connect().collection('tags', { token, query: { 'page[size]': 1 } })
    const name = String(first(tags.data, 'tag').attributes['name'])
    await page.getByLabel('Add tags').fill(name)
    await page.keyboard.press('Enter')
    await page.locator('summary').filter({ hasText: 'Tags' }).click()
    await page.getByRole('link', { name, exact: true }).waitFor()
  })

  it('are deleted after a question, and core says why one in use is not', async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await heading('SKUs').waitFor()
    await shop.open(`/console/records/shipping_categories/${await firstOf('shipping_categories')}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page
      .getByRole('alert')
      .getByText(/LOCKED|in use|has /i)
      .waitFor()
  })

  it('are made with the keyboard alone', async () => {
    await shop.open('/console/records/customers/new')
    await heading('New in Customers').waitFor()
    const fill = async (label: string, text: string) => {
      const focused = page.getByLabel(label).and(page.locator(':focus'))
      while ((await focused.count()) === 0) await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await fill('Email *', `keys.${now}@example.com`)
    await page.keyboard.press('Enter')
    await heading(`keys.${now}@example.com`).waitFor()
  })

  it('show no button to who may only read, and the plain page for ids of others', async () => {
    const other = await openConsoleBrowser()
    try {
      await other.signIn({ user: await makeReadOnlyUser(shop), at: ORGANIZATION })
      for (const type of ['skus', 'price_lists', 'orders']) {
        const found = other.page.getByRole('status').getByText(/found$/)
        await openShown(other, `/console/records/${type}`, found)
        expect([type, await other.page.getByRole('link', { name: 'New', exact: true }).count()]).toEqual([
          type,
          0,
        ])
        const id = await firstOf(type)
        await openShown(other, `/console/records/${type}/${id}`, other.page.getByText(id))
        for (const name of ['Change', 'Delete'])
          expect([type, await other.page.getByText(name, { exact: true }).count()]).toEqual([type, 0])
      }
      const elsewhere = await firstOf('orders', 0)
      for (const address of [
        `/console/records/orders/${elsewhere}`,
        `/console/orders/${elsewhere}`,
        '/console/records/skus/AAAAAAAAAA',
      ]) {
        await other.open(address)
        expect([address, await other.page.getByRole('alert').first().innerText()]).toEqual([
          address,
          expect.stringContaining('not found'),
        ])
      }
    } finally {
      await other.close()
    }
    expect(shop.problems.filter((problem) => !/40\d|41\d|42\d/.test(problem))).toEqual([])
  })
})
