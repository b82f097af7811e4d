/** Imports and exports in the console: a file with faulty rows, what became of it, files to download, who may only read. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { accessToken, connect } from './support/connect.ts'
import { openConsoleBrowser, openShown, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { first } from './support/demo.ts'
import { makeReadOnlyUser } from './support/read-only-user.ts'

/** The one whose SKUs, prices and stock tests may change. */
const ORGANIZATION = 1

let shop: ConsoleBrowser
let page: Page
const now = Date.now()
const code = (row: number): string => `BULK${now}-${row}`

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn({ at: ORGANIZATION })
})
afterAll(() => shop?.close())

const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\n`).join('')

const choose = (text: string) =>
  page.getByLabel('CSV file').setInputFiles({
    ...{ name: 'records.csv', mimeType: 'text/csv', buffer: Buffer.from(text) },
  })

const download = async (name: string): Promise<{ readonly name: string; readonly text: string }> => {
  const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

const codeOf = async (type: string): Promise<string> => {
  const token = await accessToken('integration', { organization: ORGANIZATION })
  const { data } = await connect().collection(type, { token, query: { 'page[size]': 1 } })
  return String(first(data, type).attributes['code'])
}

const skuNamed = async (skuCode: string) => {
  const query = { 'filter[q][code_eq]': skuCode }
  return (
    await connect().collection('skus', {
      token: await accessToken('integration', { organization: ORGANIZATION }),
      query,
    })
  ).data[0]
}

const HEAD = ['code', 'name', 'weight', 'unit_of_weight', 'shipping_category.code']
const ROWS = 12

/** Twelve SKUs. One has a category that only core knows not to exist. */
const mostlyGood = () => [
  HEAD,
  ...Array.from({ length: ROWS }, (_none, at) => [
    code(at + 1),
    at === 0 ? SCRIPT : '=1+1',
    ...['1.5', 'gr', at === 3 ? 'NOWHERE' : ''],
  ]),
]

describe('a file to import', () => {
  it('is refused while it is none, or has a column that does not exist', async () => {
    await page.getByRole('link', { name: 'Imports and exports' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('link', { name: 'New import' }).click()
    await heading('New import').waitFor()
    await page.getByLabel('Type').selectOption('prices')
    await page.getByPlaceholder('Search Price lists').waitFor()
    await page.getByText('told apart by: Id, SKU + Price list').waitFor()
    await page.getByLabel('Type').selectOption('skus')
    await choose('code,name\n"A')
    await page.getByRole('alert').getByText('This is not CSV').waitFor()
    await choose(
      csv([
        [...HEAD, SCRIPT],
        [code(0), 'A', '1', 'gr', '', ''],
      ]),
    )
    await page.getByText('is no attribute or relationship of skus').waitFor()
    expect(await button('Import 1 record').isDisabled()).toBe(true)
    await expectGood()
  })

  it('is shown with what is wrong in its cells, and those rows can be downloaded', async () => {
    await choose(csv([HEAD, [code(1), SCRIPT, 'heavy', 'kg', ''], [code(2), '=1+1', '1.5', 'gr', '']]))
    await status('2 records checked: names of columns and forms of values').waitFor()
    await page
      .getByText('New records need more than the file has: Shipping category')
      .waitFor({ state: 'detached' })
    await page.getByText('1 record would be refused').waitFor()
    await page.getByText('more than a tenth of all').waitFor()
    await region('Problems').getByText('must be a number').waitFor()
    expect(await region('Preview').getByText(SCRIPT).count()).toBe(1)
    const file = await download('Download these rows')
    expect(file).toEqual({
      name: 'skus-to-correct.csv',
      text: `${[...HEAD, 'problem'].join(',')}\r\n${code(1)},${quoted(SCRIPT)},heavy,kg,,"weight must be a number; unit_of_weight must be one of gr, oz, lb"\r\n`,
    })
    expect(await page.title()).toBe('Merx console')
    await expectGood()
  })

  it('is written but for its faulty rows, which are downloaded, corrected and imported', async () => {
    const category = page.getByLabel('Shipping category of all rows that name none')
    await category.first().click()
    await page.getByRole('listbox').getByRole('option').first().click()
    await choose(csv(mostlyGood()))
    await button(`Import ${ROWS} records`).click()
    await heading('Import of SKUs').waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    await status('12 of 12').waitFor()
    await region('Errors').getByText(code(4)).waitFor()
    await expectGood()
    expect((await download('Download the errors')).text).toContain(code(4))
    const file = await download('Download the rows that were not written')
    const lines = file.text.trimEnd().split('\r\n')
    expect([file.name, lines.length]).toEqual(['skus-to-correct.csv', 2])
    expect(lines[1]).toContain('row 4: shipping_category')
    expect((await skuNamed(code(1)))?.attributes['name']).toBe(SCRIPT)
    expect((await skuNamed(code(2)))?.attributes['name']).toBe('=1+1')
    expect(await skuNamed(code(4))).toBeUndefined()
    await shop.open('/console/bulk/imports/new')
    await page.getByLabel('Type').selectOption('skus')
    await choose(file.text.replace('NOWHERE', await codeOf('shipping_categories')))
    await button('Import 1 record').click()
    await page.getByText('Completed', { exact: true }).waitFor()
    expect(await button('Download the rows that were not written').count()).toBe(0)
    expect((await skuNamed(code(4)))?.attributes['name']).toBe('=1+1')
  })

  it('stops where more than a tenth is refused, and the rest is in the file as well', async () => {
    await shop.open('/console/bulk/imports/new')
    await page.getByLabel('Type').selectOption('skus')
    await choose(
      csv([['code', 'name'], ...Array.from({ length: 5 }, (_none, at) => [`NO${now}-${at}`, SCRIPT])]),
    )
    await page.getByText('New records need more than the file has: Shipping category').waitFor()
    await button('Import 5 records').click()
    await page.getByText('Interrupted', { exact: true }).waitFor()
    const { text } = await download('Download the rows that were not written')
    expect(text.trimEnd().split('\r\n')).toHaveLength(6)
    expect(text).toContain('not reached')
    expect(await page.title()).toBe('Merx console')
    await expectGood()
    await page.getByRole('link', { name: 'All imports' }).click()
    await region('Imports').getByText('Interrupted').first().waitFor()
    await expectGood()
  })
})

describe('a running import', () => {
  it('moves its bar as core says, and is cancelled by a button', async () => {
    const token = await accessToken('integration', { organization: ORGANIZATION })
    const { data } = await connect().collection('imports', { token, query: { 'page[size]': 1 } })
    const { id } = first(data, 'import')
    let done = 0
    let body: string | null = null
    await page.route(`**/api/imports/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') {
        body = route.request().postData()
        await route.fulfill({ json: { data: { type: 'imports', id, attributes: {} } } })
        return
      }
      const response = await route.fetch()
      const document = (await response.json()) as { data: { attributes: object } }
      done += 1
      Object.assign(document.data.attributes, {
        ...{ status: body === null ? 'in_progress' : 'interrupted', inputs_size: 60 },
        ...{ processed_count: done, errors_count: 0, errors_log: {} },
      })
      await route.fulfill({ response, json: document })
    })
    await shop.open(`/console/bulk/imports/${id}`)
    for (const count of [1, 2, 3]) await page.locator(`progress[value="${count}"][max="60"]`).waitFor()
    expect(await button('Download the rows that were not written').count()).toBe(0)
    await button('Cancel the import').click()
    await button('Yes').click()
    await page.getByText('Interrupted', { exact: true }).waitFor()
    expect(body).toBe(JSON.stringify({ data: { type: 'imports', id, attributes: { _interrupt: true } } }))
    await page.unroute(`**/api/imports/${id}`)
  })
})

const fieldsOf = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/)

describe('an export', () => {
  it('is of what its filters choose, with the columns that were asked for, by the keyboard alone', async () => {
    await shop.open('/console/bulk/exports/new')
    await heading('New export').waitFor()
    const reach = async (control: Locator) => {
      const focused = control.and(page.locator(':focus'))
      while ((await focused.count()) === 0) await page.keyboard.press('Tab')
    }
    await reach(button('Add a filter'))
    await page.keyboard.press('Enter')
    await reach(page.getByLabel('Comparison'))
    await page.keyboard.type('begins')
    expect(await page.getByLabel('Attribute').inputValue()).toBe('code')
    await reach(page.getByLabel('Value'))
    await page.keyboard.type(`BULK${now}`)
    await reach(page.locator('summary'))
    await page.keyboard.press('Enter')
    await expectGood()
    await reach(page.getByLabel('Description', { exact: true }))
    await page.keyboard.press('Space')
    await reach(button('Export'))
    await page.keyboard.press('Enter')
    await heading('Export of SKUs').waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    await expectGood()
    const file = await download('Download')
    const [head = '', ...lines] = fieldsOf(file.text)
    expect([file.name, lines.length]).toEqual(['skus.csv', ROWS])
    expect([head.split(',').includes('code'), head.split(',').includes('description')]).toEqual([true, false])
    expect(file.text).toContain(",'=1+1,")
    await page.getByRole('link', { name: 'All exports' }).click()
    await region('Exports').getByText('SKUs').first().waitFor()
  })

  it('shows what core refuses, in its words', async () => {
    await shop.open('/console/bulk/exports/new')
    await button('Add a filter').click()
    await page.getByLabel('Value').fill('no such code')
    await button('Export').click()
    await page
      .getByRole('alert')
      .getByText(/must be greater than 0/)
      .waitFor()
    await expectGood()
  })
})

describe('in Arabic', () => {
  it('is from right to left, as good as the others', async () => {
    const language = page.getByRole('combobox').and(page.locator('header select'))
    await language.selectOption('ar')
    await page.getByRole('navigation', { name: 'الاستيراد والتصدير' }).waitFor()
    for (const address of ['imports', 'imports/new', 'exports/new']) {
      await shop.open(`/console/bulk/${address}`)
      await page.getByRole('navigation', { name: 'الاستيراد والتصدير' }).waitFor()
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
      await expectGood()
    }
    await language.selectOption('en')
    await page.getByRole('navigation', { name: 'Imports and exports' }).waitFor()
  })
})

describe('who may only read', () => {
  it('sees imports and exports, and no button', async () => {
    const reader = await openConsoleBrowser()
    try {
      await reader.signIn({ user: await makeReadOnlyUser(shop), at: ORGANIZATION })
      await openShown(reader, '/console/bulk/imports', reader.page.getByRole('region', { name: 'Imports' }))
      expect(await reader.page.getByRole('link', { name: 'New import' }).count()).toBe(0)
      await reader.page.getByRole('region', { name: 'Imports' }).getByRole('link').first().click()
      await reader.page.getByRole('heading', { level: 2, name: /^Import of / }).waitFor()
      expect(await reader.page.getByRole('button', { name: /Cancel/ }).count()).toBe(0)
      await reader.open('/console/bulk/imports/new')
      await reader.page.getByText('Your role may import nothing.').waitFor()
      expect(reader.problems).toEqual([])
    } finally {
      await reader.close()
    }
    expect(shop.problems.filter((problem) => !/40\d|41\d|42\d/.test(problem))).toEqual([])
  })
})
