/**
 * Every type of core in the console: its list, a record of it, and its form. Every text in them is a script that must not run.
 * In the live environment, which may ask twice as much of the interfaces as the test one; a few types a test, because the walk
 * waits when it has asked too much.
 */
import type { Page } from 'playwright-core'
import { formOf } from '../services/console/page/src/records/forms.ts'
import { titleOf, typeNames } from '../services/console/page/src/records/types.ts'
import { openConsoleBrowser, type ConsoleBrowser } from './support/console.ts'
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

/** As its owner would go there: in the page, so that nothing is asked for again that the page has. */
const openList = async (type: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Records' }).click()
  await linkTo(type).click()
  await listOrRecord().waitFor()
}

const linkTo = (type: string) =>
  page.getByRole('main').getByRole('link', { name: titleOf(type), exact: true })

/** There is only one record of some types. */
const listOrRecord = () =>
  page
    .getByRole('status')
    .getByText(/found$/)
    .or(attributes())
const attributes = () => page.getByRole('heading', { name: 'Attributes' })

const expectHarmless = async (type: string): Promise<void> => {
  expect([type, await page.getByRole('alert').allTextContents()]).toEqual([type, []])
  expect([type, await page.locator('img[src=x], script:not([src])').count()]).toEqual([type, 0])
}

describe.each(batches)('%s', (_name, types) => {
  it('are shown as a list and one by one, and have a form where they can be made', async () => {
    for (const [at, type] of types.entries()) {
      await openList(type)
      await expectHarmless(type)
      const record = page.getByRole('table').getByRole('link').first()
      if ((await record.count()) > 0) {
        await record.click()
        await attributes().waitFor()
        await expectHarmless(type)
        if (at === 0) expect([type, await shop.axeViolations()]).toEqual([type, []])
        await linkTo(type).click()
        await listOrRecord().waitFor()
      }
      if (!formOf(type).operations.includes('create')) continue
      await page.getByRole('link', { name: 'New', exact: true }).click()
      await page.getByRole('button', { name: 'Save' }).waitFor()
      if (at === 0) expect([type, await shop.axeViolations()]).toEqual([type, []])
    }
    expect(await page.title()).toBe('Merx console')
    expect(shop.problems).toEqual([])
    shop.problems.length = 0
  })
})
