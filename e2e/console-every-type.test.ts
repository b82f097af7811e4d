/**
 * Every type of core in the console: its list, a record of it, and its form. Every text in them is a script that must not run.
 * In the live environment, which may ask twice as much of the interfaces as the test one; a few types a test, because the walk
 * waits when it has asked too much.
 */
import type { Page } from 'playwright-core'
import { formOf } from '../services/console/page/src/records/forms.ts'
import { typeNames } from '../services/console/page/src/records/types.ts'
import { openConsoleBrowser, openShown, type ConsoleBrowser } from './support/console.ts'
import { fillTextsWithScripts } from './support/hostile-texts.ts'

let shop: ConsoleBrowser
let page: Page

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn({ mode: 'Live' })
  await fillTextsWithScripts(page)
})
afterAll(() => shop?.close())

const TYPES_A_TEST = 15

const batches = Array.from({ length: Math.ceil(typeNames.length / TYPES_A_TEST) }, (_none, at) =>
  typeNames.slice(at * TYPES_A_TEST, (at + 1) * TYPES_A_TEST),
).map((types) => [`${types[0]} to ${types.at(-1)}`, types] as const)

/** A list or a record. */
const openRecords = (address: string): Promise<void> =>
  openShown(
    shop,
    address,
    page
      .getByRole('status')
      .getByText(/found$/)
      .or(page.getByRole('heading', { name: 'Attributes' })),
  )

describe.each(batches)('%s', (_name, types) => {
  it('are shown as a list and one by one', async () => {
    for (const [at, type] of types.entries()) {
      await openRecords(`/console/records/${type}`)
      const record = page.getByRole('table').getByRole('link').first()
      if ((await record.count()) > 0) await openRecords(String(await record.getAttribute('href')))
      expect([type, await page.getByRole('alert').allTextContents()]).toEqual([type, []])
      expect([type, await page.locator('img[src=x], script:not([src])').count()]).toEqual([type, 0])
      if (at === 0) expect([type, await shop.axeViolations()]).toEqual([type, []])
    }
    expect(await page.title()).toBe('Merx console')
    expect(shop.problems).toEqual([])
    shop.problems.length = 0
  })

  it('have a form where they can be made', async () => {
    const made = types.filter((type) => formOf(type).operations.includes('create'))
    for (const [at, type] of made.entries()) {
      await openShown(shop, `/console/records/${type}/new`, page.getByRole('button', { name: 'Save' }))
      if (at === 0) expect([type, await shop.axeViolations()]).toEqual([type, []])
    }
  })
})
