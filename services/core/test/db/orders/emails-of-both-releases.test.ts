/** While two releases serve, the older one writes emails as they were sent; both find them in one form. */
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { createSmallShop, insertOrder } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

let core: CoreDatabase
let shop: SmallShop
beforeAll(async () => {
  core = await openCoreDatabase('emails_of_both')
  shop = await createSmallShop(core.database)
})
afterAll(() => core.drop())

const SPELLINGS = ['ADA@Example.COM', 'ren\u0065\u0301@example.com']
const FORMS = ['ada@example.com', 'ren\u00e9@example.com']

it('stores those of orders in the form that filters look for', async () => {
  for (const email of SPELLINGS) await insertOrder(core.database, shop, { customer_email: email })
  const made = await core.database.query('SELECT customer_email FROM orders ORDER BY id')
  expect(made).toEqual(FORMS.map((email) => ({ customer_email: email })))
  await core.database.query('UPDATE orders SET customer_email = upper(customer_email)')
  expect(await core.database.query('SELECT customer_email FROM orders ORDER BY id')).toEqual(made)
})

it('stores those of addresses in that form', async () => {
  for (const [index, email] of SPELLINGS.entries()) {
    await core.database.query('UPDATE addresses SET email = $1 WHERE id = $2', [email, shop.addressId])
    expect(await core.database.query('SELECT email FROM addresses')).toEqual([{ email: FORMS[index] }])
  }
})
