/** Orders in the console, by clicking only: taken to their end, edited, annotated, found, and several at once. */
import { eventually } from '@merx/testing/eventually'
import type { Locator, Page } from 'playwright-core'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, openShown, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { first } from './support/demo.ts'
import { makeReadOnlyUser } from './support/read-only-user.ts'
import { sell } from './support/sell.ts'

let shop: ConsoleBrowser
let page: Page
let skuCode: string
const now = Date.now()
const email = `orders.${now}@example.com`

const sellOne = (buyer = email) => sell({ email: buyer, skuCode, quantity: 2 }, ['lines', 'address', 'place'])

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  const query = { 'page[size]': 1, 'filter[q][stock_items_quantity_gt]': 50 }
  const skus = await connect().collection('skus', { token: await accessToken('sales_channel'), query })
  skuCode = String(first(skus.data, 'SKU in stock').attributes['code'])
  await shop.signIn()
})
afterAll(() => shop?.close())

const heading = () => page.getByRole('heading', { level: 1, name: /^Order / })
const openOrder = (id: string): Promise<void> => openShown(shop, `/console/orders/${id}`, heading())
const actions = () => page.getByRole('group', { name: /^Actions of order/ })
const press = (name: string, within: Locator = actions()) =>
  within.getByRole('button', { name, exact: true }).click()
const showsState = (state: string) => heading().locator('..').getByText(state, { exact: true }).waitFor()

/** Confirmed, because it cannot be taken back. */
const pressAndConfirm = async (name: string): Promise<void> => {
  await press(name)
  await page.getByRole('button', { name: `Yes, ${name.toLowerCase()}` }).click()
}

const numberIn = (text: string | null): number => Number(text?.replaceAll(/[^\d-]/g, ''))

/** The amounts under the lines, in cents, by their label. */
const amountsOfLines = async (): Promise<ReadonlyMap<string, number>> => {
  const rows = page.getByRole('region', { name: 'Lines of the order' }).locator('tfoot tr')
  // Cells are a tab apart.
  const texts = (await rows.allInnerTexts()).map((text) => text.split('\t'))
  return new Map(texts.map(([label = '', amount = '']) => [label, numberIn(amount)]))
}

const moneyOf = async (label: string): Promise<number> => {
  const rows = page.getByRole('region', { name: 'Transactions' }).locator('tfoot tr')
  return numberIn(await rows.filter({ hasText: label }).getByRole('cell').textContent())
}

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

describe('an order', () => {
  it('is approved, captured, shipped and refunded by clicking, and its amounts add up', async () => {
    await openOrder(await sellOne())
    const amounts = await amountsOfLines()
    const total = amounts.get('Total') ?? 0
    const parts = [...amounts].filter(([label]) => label !== 'Total' && label !== 'Taxes in it')
    expect(total).toBeGreaterThan(0)
    expect(parts.reduce((sum, [, cents]) => sum + cents, 0)).toBe(total)
    await press('Approve')
    await showsState('Approved')
    await press('Capture')
    await showsState('Paid')
    await eventually(async () => (await moneyOf('Received')) === total)
    const shipment = page.getByRole('group', { name: /^Actions of shipment/ })
    for (const trigger of ['Packing', 'Ready to ship', 'Ship', 'Deliver']) await press(trigger, shipment)
    await showsState('Fulfilled')
    await expectGood()
    await pressAndConfirm('Refund')
    await showsState('Refunded')
    await eventually(async () => (await moneyOf('Refunded')) === -total)
    expect([await moneyOf('Captured'), await moneyOf('Received')]).toEqual([total, 0])
    await page.getByRole('listitem').filter({ hasText: 'Refund' }).first().waitFor()
  })

  it('gives back a part of what was captured, and no more than that', async () => {
    await openOrder(await sellOne())
    await press('Approve and capture')
    await showsState('Paid')
    await page.getByRole('button', { name: 'Refund a part' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('100')
    await expectGood()
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await showsState('Partially refunded')
    await eventually(async () => (await moneyOf('Refunded')) === -100)
  })

  it('is edited: lines change, and it is placed again for at most what it cost', async () => {
    await openOrder(await sellOne())
    expect(await page.getByRole('spinbutton').count()).toBe(0)
    const total = (await amountsOfLines()).get('Total') ?? 0
    await press('Start editing')
    await showsState('Editing')
    await expectGood()
    const quantity = page.getByRole('spinbutton', { name: /^Quantity of / })
    const set = async (value: string) => {
      await quantity.fill(value)
      await page
        .getByRole('region', { name: 'Lines of the order' })
        .getByRole('button', { name: 'Set' })
        .click()
    }
    await set('3')
    await eventually(async () => ((await amountsOfLines()).get('Total') ?? 0) > total)
    await press('Stop editing')
    await page
      .getByRole('alert')
      .getByText(/must be less than or equal to/)
      .first()
      .waitFor()
    await set('1')
    await eventually(async () => ((await amountsOfLines()).get('Total') ?? total) < total)
    await press('Stop editing')
    await showsState('Placed')
  })

  it('has notes, tags and metadata, and no text in them is a script', async () => {
    await openOrder(await sellOne())
    await page.getByRole('button', { name: 'Add a note' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/blank/).waitFor()
    await dialog.getByLabel('Title').fill(SCRIPT)
    await dialog.getByLabel('Text').fill('Called the customer.\nRings twice.')
    await dialog.getByLabel('Address of a file').fill('https://example.com/invoice.pdf')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Called the customer.').waitFor()
    await page.getByRole('link', { name: 'https://example.com/invoice.pdf' }).waitFor()
    const tag = `console-${now}`
    await page.getByLabel('Add a tag').fill(tag)
    await page.keyboard.press('Enter')
    const remove = page.getByRole('button', { name: `Remove ${tag}` })
    await remove.waitFor()
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Change the metadata' }).click()
    await dialog.getByLabel('Metadata as JSON').fill('{ colour')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/is not JSON/).waitFor()
    await dialog.getByLabel('Metadata as JSON').fill(JSON.stringify({ colour: SCRIPT, packed: 2 }))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('colour', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByRole('button', { name: 'Unarchive', exact: true }).waitFor()
    expect(await page.title()).toBe('Merx console')
    await expectGood()
  })
})

const rows = () => page.getByRole('region', { name: 'Orders' }).locator('tbody tr')
const status = (text: string) => page.getByRole('status').getByText(text, { exact: true })

describe('the list of orders', () => {
  const buyer = `several.${now}@example.com`
  let ids: readonly string[]
  beforeAll(async () => {
    ids = [await sellOne(buyer), await sellOne(buyer)]
  })

  it('filters by market and days, and its address holds all of it', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await shop.open(`/console/orders?text=${buyer}`)
    await status('2 orders').waitFor()
    await page.getByRole('combobox', { name: 'Market' }).fill('Europe')
    await page.getByRole('option', { name: 'EU Europe' }).click()
    await page.waitForURL(/market=/)
    await page.getByLabel('Placed until').fill('2020-01-01')
    await status('0 orders').waitFor()
    await page.getByLabel('Placed until').fill(today)
    await page.getByLabel('Placed from').fill(today)
    await page.waitForURL((url) => url.search.includes(`placed_from=${today}`))
    const { href } = new URL(page.url())
    const other = await shop.context.newPage()
    await other.goto(href)
    await other.getByRole('button', { name: 'Remove Europe' }).waitFor()
    await other.close()
    await expectGood()
  })

  it('keeps views under a name, renames and deletes them', async () => {
    await shop.open(`/console/orders?status=placed&text=${buyer}`)
    await page.getByRole('button', { name: 'Save this view' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/blank/).waitFor()
    await dialog.getByLabel('Name').fill(`Waiting ${now}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('link', { name: `Waiting ${now}` }).waitFor()
    await expectGood()
    await views.getByRole('link', { name: 'All orders' }).click()
    await page.waitForURL(/orders$/)
    await page.reload()
    await views.getByRole('link', { name: `Waiting ${now}` }).click()
    await status('2 orders').waitFor()
    expect(await views.locator('[aria-current="page"]').allTextContents()).toEqual([`Waiting ${now}`])
    await views.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Name').fill(`Today ${now}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await views.getByRole('link', { name: `Today ${now}` }).waitFor()
    await views.getByRole('button', { name: 'Delete the view' }).click()
    await views.getByRole('button', { name: 'Yes' }).click()
    await views.getByRole('link', { name: `Today ${now}` }).waitFor({ state: 'detached' })
  })

  it('does one thing to several orders, and says of each what came of it', async () => {
    await shop.open(`/console/orders?text=${buyer}`)
    await status('2 orders').waitFor()
    await page.getByRole('checkbox', { name: 'Choose all orders of this page' }).check()
    const bulk = page.getByRole('group', { name: 'Actions of the chosen orders' })
    await bulk.getByRole('button', { name: 'Approve (2)', exact: true }).waitFor()
    await expectGood()
    // Somebody else is faster with one of them.
    const [id = ''] = ids
    const body = { data: { type: 'orders', id, attributes: { _cancel: true } } }
    const token = await accessToken('integration')
    expect((await connect().core(`orders/${id}`, { token, method: 'PATCH', body })).status).toBe(200)
    await bulk.getByRole('button', { name: 'Approve (2)', exact: true }).click()
    await page.getByText('Approve: 1 done, 1 refused').waitFor()
    const results = page.getByRole('region', { name: 'Results' }).getByRole('listitem')
    expect(await results.filter({ hasText: 'Done' }).count()).toBe(1)
    expect(await results.filter({ hasText: /cancelled/ }).count()).toBe(1)
    await rows().filter({ hasText: 'Approved' }).waitFor()
    await page.getByRole('checkbox', { name: 'Choose all orders of this page' }).check()
    await bulk.getByRole('button', { name: 'Archive (2)' }).click()
    await page.getByText('Archive: 2 done, 0 refused').waitFor()
    await page.getByLabel('Archived').selectOption('yes')
    await status('2 orders').waitFor()
    await page.getByLabel('Archived').selectOption('no')
    await status('0 orders').waitFor()
  })
})

describe('who may only read', () => {
  it('sees no button and no box, and one refusal asks for no other token', async () => {
    const id = await sellOne()
    const other = await openConsoleBrowser()
    try {
      await other.signIn({ user: await makeReadOnlyUser(shop) })
      await other.open(`/console/orders?text=${email}`)
      await other.page.getByRole('table').waitFor()
      expect(await other.page.getByRole('checkbox').count()).toBe(0)
      const shown = other.page.getByRole('heading', { level: 1, name: /^Order / })
      await openShown(other, `/console/orders/${id}`, shown)
      await other.page.getByRole('heading', { name: 'Tags' }).waitFor()
      const main = other.page.getByRole('main')
      expect(await main.getByRole('button').allTextContents()).toEqual([])
      expect(await main.getByRole('textbox').count()).toBe(0)
      let sessions = 0
      other.page.on('request', (request) => {
        if (request.url().endsWith('/console/session')) sessions += 1
      })
      // By the address alone: no screen leads here.
      await other.open('/console/records/skus/new')
      await other.page.getByLabel('Code *').fill(`READER-${now}`)
      await other.page.getByRole('button', { name: 'Save' }).click()
      await other.page
        .getByRole('alert')
        .getByText(/not authorized/)
        .waitFor()
      expect(sessions).toBe(1)
    } finally {
      await other.close()
    }
    expect(shop.problems.filter((problem) => !/4[012]\d/.test(problem))).toEqual([])
  })
})
