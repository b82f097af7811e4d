/** Products in the console: a grid of all SKUs, edited in its cells; a product's page; what is refused; who may only read. */
import type { Locator, Page } from 'playwright-core'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, openShown, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { first } from './support/demo.ts'
import { makeReadOnlyUser } from './support/read-only-user.ts'
import type { ResourceObject } from './support/wire.ts'

let shop: ConsoleBrowser
let page: Page
const now = Date.now()

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn({ at: ORGANIZATION })
})
afterAll(() => shop?.close())

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const grid = () => page.getByRole('grid', { name: 'Products' })
const editor = () => grid().getByRole('textbox')
const rowOf = (code: string) => grid().getByRole('row').filter({ hasText: code })

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

/** The one whose SKUs, prices and stock tests may change. */
const ORGANIZATION = 1

const integration = () => accessToken('integration', { organization: ORGANIZATION })

const read = async (path: string): Promise<ResourceObject> =>
  (await connect().core(path, { token: await integration() })).json<{ data: ResourceObject }>().data

const write = async (method: 'POST' | 'PATCH', path: string, data: object): Promise<ResourceObject> => {
  const reply = await connect().core(path, { token: await integration(), method, body: { data } })
  expect([reply.text, reply.status < 300]).toEqual([reply.text, true])
  return reply.json<{ data: ResourceObject }>().data
}

const list = async (type: string, query: Readonly<Record<string, string | number>> = {}) =>
  (await connect().collection(type, { token: await integration(), query })).data

/** The price list and the location of the first columns. */
const firstOf = async (type: string): Promise<{ readonly id: string; readonly name: string }> => {
  const { id, attributes } = first(await list(type, { sort: 'created_at', 'page[size]': 1 }), type)
  return { id, name: String(attributes['name']) }
}

const cellOf = async (code: string, column: string): Promise<Locator> => {
  const head = grid().getByRole('columnheader').filter({ hasText: column })
  const at = await head.getAttribute('aria-colindex')
  return rowOf(code).locator(`[role="gridcell"][aria-colindex="${at}"]`)
}

interface Sold {
  readonly id: string
  readonly code: string
  readonly priceId: string
  readonly stockId: string
}

/** A SKU with a price and stock of its own, which no other test changes. */
const addProduct = async (code: string, name = code): Promise<Sold> => {
  const [priceList, location, category] = await Promise.all([
    ...['price_lists', 'stock_locations', 'shipping_categories'].map(firstOf),
  ])
  const link = (type: string, id = '') => ({ data: { type, id } })
  const sku = await write('POST', 'skus', {
    type: 'skus',
    attributes: { code, name },
    relationships: { shipping_category: link('shipping_categories', category?.id) },
  })
  const price = await write('POST', 'prices', {
    type: 'prices',
    attributes: { amount_cents: 1_250 },
    relationships: { sku: link('skus', sku.id), price_list: link('price_lists', priceList?.id) },
  })
  const stock = await write('POST', 'stock_items', {
    type: 'stock_items',
    attributes: { quantity: 7 },
    relationships: { sku: link('skus', sku.id), stock_location: link('stock_locations', location?.id) },
  })
  return { id: sku.id, code, priceId: price.id, stockId: stock.id }
}

describe('the grid of products', () => {
  it('has a row for each SKU, read as one scrolls; a price and a quantity far down are changed in place', async () => {
    // In the order of codes it is among the last of two thousand.
    const { code, priceId, stockId } = await addProduct(`ZZZ${now}`, SCRIPT)
    const [priceList, location] = await Promise.all([firstOf('price_lists'), firstOf('stock_locations')])
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await heading('Products').waitFor()
    await grid().waitFor()
    const rows = Number(await grid().getAttribute('aria-rowcount'))
    expect(rows).toBeGreaterThan(1_000)
    await grid().hover()
    while ((await rowOf(code).count()) === 0) await page.mouse.wheel(0, 9_000)
    await rowOf(code).getByText(SCRIPT).waitFor()
    expect(await page.title()).toBe('Merx console')
    await expectGood()
    const price = await cellOf(code, priceList.name)
    await price.click()
    await price.click()
    expect(await editor().inputValue()).toBe('12.50')
    await page.keyboard.type('19,90')
    await page.keyboard.press('Enter')
    await price.getByText('19.90').waitFor()
    const stock = await cellOf(code, location.name)
    await stock.click()
    await page.keyboard.type('42')
    // Leaving the cell saves it.
    await page.getByRole('searchbox').click()
    await stock.getByText('42', { exact: true }).waitFor()
    await page.getByText(`Saved: ${code}, ${location.name}, 42`).waitFor({ state: 'attached' })
    expect((await read(`prices/${priceId}`)).attributes['amount_cents']).toBe(1_990)
    expect((await read(`stock_items/${stockId}`)).attributes['quantity']).toBe(42)
  })

  it('is edited with the keyboard alone: a missing price is made, Escape takes back what was typed', async () => {
    const { code, id } = await addProduct(`KEYS${now}`)
    const other = first(
      (await list('price_lists', { sort: 'created_at' })).slice(1),
      'second price list',
      ({ attributes }) => attributes['currency_code'] !== 'JPY',
    )
    await page.getByRole('searchbox').fill(code)
    await page.keyboard.press('Enter')
    await rowOf(code).waitFor()
    while ((await grid().and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Tab')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await page.keyboard.type('99')
    await page.keyboard.press('Escape')
    const { name } = await firstOf('price_lists')
    await (await cellOf(code, name)).getByText('12.50').waitFor()
    const cell = await cellOf(code, String(other.attributes['name']))
    while ((await cell.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowRight')
    await page.keyboard.type('8')
    await page.keyboard.press('Tab')
    await cell.getByText('8.00').waitFor()
    const prices = await list('prices', {
      'filter[q][sku_id_eq]': id,
      'filter[q][price_list_id_eq]': other.id,
    })
    expect(prices.map(({ attributes }) => attributes['amount_cents'])).toEqual([800])
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await heading(code).waitFor()
  })

  it('says next to the cell what was refused, and keeps what was typed', async () => {
    const { code, stockId } = await addProduct(`BAD${now}`)
    const location = await firstOf('stock_locations')
    await openShown(shop, `/console/products?text=${code}`, rowOf(code))
    const stock = await cellOf(code, location.name)
    const type = async (text: string) => {
      await stock.click()
      await page.keyboard.press('Enter')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await type('many')
    await stock.getByText('must be a whole number').waitFor()
    await type('-1')
    await stock.getByText(/greater than or equal to 0/).waitFor()
    expect(await stock.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('alert').getByText('1 value was not saved').waitFor()
    await expectGood()
    await page.getByRole('button', { name: 'Discard' }).click()
    await stock.getByText('7', { exact: true }).waitFor()
    await write('PATCH', `stock_items/${stockId}`, {
      type: 'stock_items',
      id: stockId,
      attributes: { quantity: 6 },
    })
    await type('5')
    await stock.getByText('Somebody else changed it to 6 meanwhile. Nothing was saved.').waitFor()
    await type('5')
    await page.getByText(`Saved: ${code}, ${location.name}, 5`).waitFor({ state: 'attached' })
    expect((await read(`stock_items/${stockId}`)).attributes['quantity']).toBe(5)
  })

  it('shows the columns that are chosen, and says when nothing matches', async () => {
    const location = await firstOf('stock_locations')
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel(location.name).uncheck()
    await grid().getByRole('columnheader').filter({ hasText: location.name }).waitFor({ state: 'detached' })
    await expectGood()
    await page.getByRole('searchbox').fill('no such product')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches').waitFor()
  })
})

describe('a product', () => {
  it('shows its prices, stock, options and tags, and takes new values', async () => {
    const { code, id, priceId, stockId } = await addProduct(`PAGE${now}`, SCRIPT)
    const [priceList, location] = await Promise.all([firstOf('price_lists'), firstOf('stock_locations')])
    await openShown(shop, `/console/products/${id}`, heading(code))
    await page.getByText(SCRIPT).first().waitFor()
    expect(await page.title()).toBe('Merx console')
    await expectGood()
    const price = page.getByLabel(`${priceList.name} of ${code}`)
    expect(await price.inputValue()).toBe('12.50')
    await price.fill('13')
    await price.press('Enter')
    await page.getByText(`Saved: ${code}, ${priceList.name}`).waitFor({ state: 'attached' })
    const stock = page.getByLabel(`${location.name} of ${code}`)
    await stock.fill('1.5')
    await stock.blur()
    await page.getByText('must be a whole number').waitFor()
    await expectGood()
    await stock.fill('15')
    await stock.blur()
    await page.getByText(`Saved: ${code}, ${location.name}, 15`).waitFor({ state: 'attached' })
    expect((await read(`prices/${priceId}`)).attributes['amount_cents']).toBe(1_300)
    expect((await read(`stock_items/${stockId}`)).attributes['quantity']).toBe(15)
    await page.getByRole('link', { name: priceList.name, exact: true }).click()
    await page
      .getByRole('heading', { level: 1 })
      .and(page.getByText(/EU|EUR|Europe/))
      .waitFor()
  })
})

describe('who may only read', () => {
  it('sees the same, and nothing to change it with', async () => {
    const { code, id } = await addProduct(`READ${now}`)
    const priceList = await firstOf('price_lists')
    const reader = await openConsoleBrowser()
    try {
      await reader.signIn({ user: await makeReadOnlyUser(shop), at: ORGANIZATION })
      await openShown(reader, `/console/products?text=${code}`, reader.page.getByText(code))
      const cells = reader.page.getByRole('gridcell').filter({ hasText: '12.50' })
      await cells.click()
      await reader.page.keyboard.type('9')
      expect(await reader.page.getByRole('grid').getByRole('textbox').count()).toBe(0)
      expect(await cells.getAttribute('aria-readonly')).toBe('true')
      expect(await reader.page.getByRole('link', { name: 'New', exact: true }).count()).toBe(0)
      await openShown(reader, `/console/products/${id}`, reader.page.getByText('€12.50'))
      expect(await reader.page.getByLabel(`${priceList.name} of ${code}`).count()).toBe(0)
      for (const name of ['Change', 'Delete'])
        expect(await reader.page.getByText(name, { exact: true }).count()).toBe(0)
      expect(reader.problems).toEqual([])
    } finally {
      await reader.close()
    }
    expect(shop.problems.filter((problem) => !/40\d|41\d|42\d/.test(problem))).toEqual([])
  })
})
