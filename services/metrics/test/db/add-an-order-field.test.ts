/** docs/how-to/add-an-order-field.md, followed with the blocks of the page: from the list to an answer, on the real engine. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fields } from '@merx/order-feed/field'
import { withMissingColumns } from '../../gen/table-columns.ts'
import { answer } from '../../src/answer.ts'
import { toResource, type ResourceData } from '../../src/catalogue/load-catalogue.ts'
import { fieldColumns, ownFields, type FieldColumn } from '../../src/ingest/columns.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { createCursorCodec } from '../../src/request/cursor.ts'
import { makeDocuments, ORGANIZATIONS } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { resourceData } from '../support/resource-data.ts'

const read = (file: string): string => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

const page = read('docs/how-to/add-an-order-field.md')

const block = (language: string): string => {
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (found === undefined) throw new Error(`the page has no block in ${language}`)
  return found.trim()
}

let folder: string
let store: TestStore
let fields: Fields

/** Step 1: the list with the line of the page. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(import.meta.dirname, 'how-to-'))
  const source = read('packages/order-feed/src/order-fields.ts')
    .replace("'./field.ts'", "'@merx/order-feed/field'")
    .replace('  number: text(),\n  reference:', `  ${block('ts')}\n$&`)
  const file = path.join(folder, 'order-fields.ts')
  writeFileSync(file, source)
  const list = (await import(pathToFileURL(file).href)) as { readonly orderFields: Fields }
  fields = list.orderFields
  store = await openStore()
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const addedColumn = (): FieldColumn => {
  const column = fieldColumns(ownFields(fields)).find(({ name }) => name === 'cart_url')
  if (column === undefined) throw new Error('the list has no cart_url')
  return column
}

it('step 2: the generator adds the column of the page, and nothing else', () => {
  const table = read('services/metrics/tables/orders.sql')
  const extended = withMissingColumns(table, { own: fieldColumns(ownFields(fields)), lists: {} })
  expect(extended.split('\n').filter((line) => !table.includes(line))).toEqual([`    ${block('sql')}`])
  expect(extended.length).toBe(table.length + block('sql').length + '    \n'.length)
})

it('step 3: the line of the catalogue makes the field groupable', async () => {
  const definition = block('sql').replace(/,$/, '')
  await store.engine.execute({ text: `ALTER TABLE orders ADD COLUMN ${definition}`, params: {} })
  const documents = makeDocuments(31, 40).map((document, index) => ({
    ...document,
    organization: ORGANIZATIONS[0],
    mode: 'test' as const,
    status: 'placed',
    cart_url: index < 15 ? 'https://a.example/cart' : 'https://b.example/cart',
  }))
  const { read: readValue } = addedColumn()
  await store.engine.insert(
    'orders',
    documents.map((document) => ({ ...toRowOrder(document), cart_url: readValue(document, 2) })),
  )
  const added = JSON.parse(block('json')) as ResourceData['attributes']
  const attributes = { ...resourceData.orders.attributes, ...added }
  const deps = {
    engine: store.engine,
    dialect: 'strict',
    cursors: createCursorCodec(Buffer.from('recipe')),
    clock: { now: () => new Date() },
    budget: { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 1000 },
  } as const
  const breakdown = { by: 'order.cart_url', field: 'order.cart_url', operator: 'value_count' }
  const filter = { order: { date_from: '2020-01-01T00:00:00Z', date_to: '2030-01-01T00:00:00Z' } }
  const { data } = await answer(deps)({
    kind: 'breakdown',
    resource: toResource({ ...resourceData.orders, attributes }),
    body: { breakdown, filter },
    scope: { organizationId: ORGANIZATIONS[0].id, mode: 'test' },
    mayRead: () => true,
    signal: new AbortController().signal,
  })
  expect(data).toEqual({
    'order.cart_url': [
      { label: 'https://b.example/cart', value: 25 },
      { label: 'https://a.example/cart', value: 15 },
    ],
  })
})
