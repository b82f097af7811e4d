/** A user with a read-only role, made through the console by whoever is signed in as an administrator. */
import type { ConsoleBrowser, Credentials } from './console.ts'

export const makeReadOnlyUser = async (shop: ConsoleBrowser): Promise<Credentials> => {
  const user = { email: `reader.${Date.now()}@example.com`, password: 'a long enough password' }
  await shop.open('/console/settings/users')
  await shop.page.getByRole('button', { name: 'Add a user' }).click()
  const dialog = shop.page.getByRole('dialog')
  await dialog.getByLabel('Email address').fill(user.email)
  await dialog.getByLabel('Password').fill(user.password)
  await dialog.getByLabel('Role').selectOption('Read only')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await shop.page.getByRole('row').filter({ hasText: user.email }).waitFor()
  return user
}
