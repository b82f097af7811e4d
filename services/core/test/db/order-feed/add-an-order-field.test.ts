/** docs/how-to/add-an-order-field.md, step 1: the line of the page is all that core needs to publish a field. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { objectSchema, type Fields } from '@merx/order-feed/field'
import { orderFields } from '@merx/order-feed/order-fields'
import { ORDERS } from '../../../src/order-feed/document-queries.ts'
import { createPresenter, selectList } from '../../../src/order-feed/record-fields.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { createSmallShop, insertOrder } from '../support/small-shop.ts'

const read = (file: string): string =>
  readFileSync(new URL(`../../../../../${file}`, import.meta.url), 'utf8')

const line = /```ts\n(.*?)\n\s*```/s.exec(read('docs/how-to/add-an-order-field.md'))?.[1]?.trim() ?? ''

let folder: string
let core: CoreDatabase
let fields: Fields

beforeAll(async () => {
  folder = mkdtempSync(path.join(import.meta.dirname, 'how-to-'))
  const source = read('packages/order-feed/src/order-fields.ts')
    .replace("'./field.ts'", "'@merx/order-feed/field'")
    .replace('  number: text(),\n  reference:', `  ${line}\n$&`)
  const file = path.join(folder, 'order-fields.ts')
  writeFileSync(file, source)
  fields = ((await import(pathToFileURL(file).href)) as { readonly orderFields: Fields }).orderFields
  core = await openCoreDatabase('add_an_order_field')
})
afterAll(async () => {
  await core.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('the list has one field more', () => {
  const names = new Set(Object.keys(orderFields))
  expect(Object.keys(fields).filter((name) => !names.has(name))).toEqual(['cart_url'])
})

test('the statement reads it, the document shows it, and the schema requires it', async () => {
  const shop = await createSmallShop(core.database, { organizationId: 'aBcDeFgHiJ' })
  const id = await insertOrder(core.database, shop, { cart_url: 'https://a.example/cart' })
  const statement = ORDERS.replace(selectList(orderFields), selectList(fields))
  const [row = {}] = await core.database.query(statement, [[shop.environmentId], [id]])
  expect(createPresenter(fields)(row, testIds, {})).toMatchObject({ cart_url: 'https://a.example/cart' })
  expect(objectSchema(fields)).toMatchObject({
    required: expect.arrayContaining(['cart_url']) as unknown,
    properties: { cart_url: { type: ['string', 'null'] } },
  })
})
