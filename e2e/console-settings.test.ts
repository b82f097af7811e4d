/** Settings in the console: people, roles and credentials made by clicking, and who may not see them. */
import type { Page } from 'playwright-core'
import { connect } from './support/connect.ts'
import { openConsoleBrowser, ownerOfShop, SCRIPT, type ConsoleBrowser } from './support/console.ts'
import { demo } from './support/demo.ts'

let shop: ConsoleBrowser
let page: Page
const now = Date.now()
const roleName = `Warehouse ${now}`
const clerk = { email: `clerk.${now}@example.com`, password: 'a long enough password' }

beforeAll(async () => {
  shop = await openConsoleBrowser()
  page = shop.page
  await shop.signIn()
})
afterAll(() => shop?.close())

const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const tab = (name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true })
const save = () => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()

const expectGood = async (): Promise<void> => {
  expect(await shop.axeViolations()).toEqual([])
  expect(await shop.fitsPhone()).toBe(true)
}

describe('settings', () => {
  it('makes a role, and lets it do what is ticked', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await tab('Roles').click()
    await page.getByRole('button', { name: 'Add a role' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(roleName)
    await expectGood()
    await save()
    await page.getByRole('link', { name: roleName }).click()
    for (const action of ['Read', 'Change']) {
      const box = page.getByRole('checkbox', { name: `SKUs: ${action}`, exact: true })
      await box.click()
      await page.locator('input:checked:enabled').and(box).waitFor()
    }
    await expectGood()
    await page.reload()
    await page.getByRole('checkbox', { name: 'SKUs: Read', exact: true }).waitFor()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
  })

  it('shows what is refused next to the field, then makes a user', async () => {
    await tab('Users').click()
    await page.getByRole('button', { name: 'Add a user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('nobody')
    await dialog.getByLabel('First name').fill(SCRIPT)
    await dialog.getByLabel('Password').fill('short')
    await dialog.getByLabel('Role').selectOption(roleName)
    await save()
    const email = dialog.getByLabel('Email address')
    await dialog.getByRole('alert').waitFor()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    expect(await dialog.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    await expectGood()
    await email.fill(clerk.email)
    await dialog.getByLabel('Password').fill(clerk.password)
    await save()
    await row(clerk.email).getByText(SCRIPT).waitFor()
    expect(await page.title()).toBe('Merx console')
    await expectGood()
  })

  it('makes a credential whose secret works, and is shown once', async () => {
    await tab('Credentials').click()
    await page.getByRole('button', { name: 'Add a credential' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(roleName)
    await dialog.getByLabel('Kind').selectOption('integration')
    await dialog.getByLabel('Role').selectOption(roleName)
    await save()
    await dialog.getByText('Client secret').waitFor()
    const [client_id = '', client_secret = ''] = await dialog.locator('code').allTextContents()
    await expectGood()
    const granted = await connect().token({ grant_type: 'client_credentials', client_id, client_secret })
    expect(granted.status).toBe(200)
    await page.keyboard.press('Escape')
    await page.reload()
    await row(roleName).waitFor()
    expect(await page.getByText(client_secret).count()).toBe(0)
    await row(roleName).getByRole('button', { name: 'Disable' }).click()
    await row(roleName).getByText('Disabled').waitFor()
    const ended = await connect().token({ grant_type: 'client_credentials', client_id, client_secret })
    expect(ended.status).toBe(401)
  })

  it('shows who did that in the audit log', async () => {
    await tab('Audit log').click()
    await row('credential.disable').first().getByText(ownerOfShop().email).waitFor()
    await expectGood()
    await page.getByLabel('Who, from where, or an id').fill('nobody at all')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches').waitFor()
  })

  it('is for administrators only', async () => {
    const other = await openConsoleBrowser()
    try {
      await other.signIn({ user: clerk })
      await other.page.getByRole('link', { name: 'Records', exact: true }).waitFor()
      expect(await other.page.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
      await other.open('/console/settings/users')
      await other.page.getByText('Settings are for administrators').waitFor()
    } finally {
      await other.close()
    }
  })

  it('says why a role in use cannot be deleted, and deletes what is not', async () => {
    await page.goto(`${demo().base_url}/console/settings/roles`)
    const remove = async (name: string) => {
      await row(name).getByRole('button', { name: 'Delete' }).click()
      await row(name).getByRole('button', { name: 'Yes' }).click()
    }
    await remove(roleName)
    await row(roleName).getByRole('alert').waitFor()
    await tab('Users').click()
    await remove(clerk.email)
    await row(clerk.email).waitFor({ state: 'detached' })
    await tab('Credentials').click()
    await remove(roleName)
    await row(roleName).waitFor({ state: 'detached' })
    await tab('Roles').click()
    await remove(roleName)
    await row(roleName).waitFor({ state: 'detached' })
    expect(shop.problems.filter((problem) => !/4\d\d/.test(problem))).toEqual([])
  })
})
