/** docs/how-to/add-a-metric-field.md, followed. */
import { readFile } from 'node:fs/promises'
import { toResource, type ResourceData } from '../../src/catalogue/load-catalogue.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { createCursorCodec } from '../../src/request/cursor.ts'
import { answerQuery } from '../../src/run/answer-query.ts'
import { makeDocuments, ORGANIZATIONS } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { resourceData } from '../support/resource-data.ts'

const recipe = new URL('../../../../docs/how-to/add-a-metric-field.md', import.meta.url)
let store: TestStore

beforeAll(async () => {
  store = await openStore()
})

afterAll(async () => {
  await store.close()
})

it('the recipe makes a field that groups, filters and shows', async () => {
  const text = await readFile(recipe, 'utf8')
  const block = (language: string): string =>
    new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? ''
  const added = JSON.parse(block('json')) as Pick<ResourceData, 'attributes' | 'filters'>
  await store.engine.execute({ text: `ALTER TABLE orders ADD COLUMN ${block('sql')}`, params: {} })
  const resource = toResource({
    ...resourceData.orders,
    attributes: { ...resourceData.orders.attributes, ...added.attributes },
    filters: {
      ...resourceData.orders.filters,
      order: { ...resourceData.orders.filters.order, ...added.filters.order },
    },
  })
  const documents = makeDocuments(31, 40).map((document) => ({
    ...document,
    organization: ORGANIZATIONS[0],
    mode: 'test' as const,
    status: 'placed',
  }))
  await store.engine.insert(
    'orders',
    documents.map((document, index) => ({
      ...toRowOrder(document),
      sales_channel_name: index < 15 ? 'Web' : 'Shop',
    })),
  )

  const deps = {
    engineFor: () => store.engine,
    dialect: 'strict',
    cursors: createCursorCodec(Buffer.from('recipe')),
    clock: { now: () => new Date() },
    budget: { timeoutMs: 10_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 1000 },
  } as const
  const filter = {
    order: {
      date_from: '2020-01-01T00:00:00Z',
      date_to: '2030-01-01T00:00:00Z',
      sales_channel_names: { in: ['Web', 'Shop'] },
    },
  }
  const breakdown = {
    by: 'order.sales_channel_name',
    field: 'order.sales_channel_name',
    operator: 'value_count',
  }
  const scope = { organizationId: ORGANIZATIONS[0].id, mode: 'test' } as const
  const { data } = await answerQuery(deps)({
    kind: 'breakdown',
    resource,
    body: { breakdown, filter },
    scope,
    mayRead: () => true,
    signal: new AbortController().signal,
  })
  expect(data).toEqual({
    'order.sales_channel_name': [
      { label: 'Shop', value: 25 },
      { label: 'Web', value: 15 },
    ],
  })
})
