import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas, stateMachines } from '../../areas.ts'
import { skus } from '../../catalogue/skus.ts'
import { customers } from '../../customers/customers.ts'
import { orders } from '../../orders/orders.ts'
import { createRegistry } from '../registry.ts'
import { topicsOf } from './topics.ts'

const registry = createRegistry(areas, { ids: testIds })

const row: Row = { id: 1 }
const statusTo = (status: string) => ({ status: ['draft', status] as const })

test.each<[string, Parameters<typeof topicsOf>[0], Parameters<typeof topicsOf>[1], readonly string[]]>([
  [
    'a new order',
    { definition: orders, before: undefined, after: row },
    { status: [null, 'draft'] },
    ['orders.create', 'orders.draft'],
  ],
  [
    'a pending order',
    { definition: orders, before: row, after: row },
    statusTo('pending'),
    ['orders.pending'],
  ],
  ['a placed order', { definition: orders, before: row, after: row }, statusTo('placed'), ['orders.place']],
  [
    'an approved order',
    { definition: orders, before: row, after: row },
    statusTo('approved'),
    ['orders.approve'],
  ],
  [
    'a cancelled order',
    { definition: orders, before: row, after: row },
    statusTo('cancelled'),
    ['orders.cancel'],
  ],
  [
    'a deleted order',
    { definition: orders, before: row, after: undefined },
    statusTo('draft'),
    ['orders.destroy'],
  ],
  [
    'a tagged order',
    { definition: orders, before: row, after: row, events: ['tagged'] },
    {},
    ['orders.tagged'],
  ],
  ['a changed order', { definition: orders, before: row, after: row }, { reference: [null, 'R'] }, []],
  ['a new SKU, whose area lists no event', { definition: skus, before: undefined, after: row }, {}, []],
  [
    'a new password',
    { definition: customers, before: row, after: { ...row, password_hash: 'x' } },
    {},
    ['customers.create_password'],
  ],
  [
    'another password',
    { definition: customers, before: { ...row, password_hash: 'y' }, after: { ...row, password_hash: 'x' } },
    {},
    [],
  ],
  [
    'new metadata',
    { definition: customers, before: row, after: row },
    { metadata: [{}, { a: 1 }] },
    ['customers.metadata_update'],
  ],
])('%s', (_name, change, changes, topics) => {
  expect(topicsOf(change, changes, registry)).toEqual(topics)
})

const planned = Object.entries(stateMachines).flatMap(([type, machines]) =>
  machines.flatMap(({ column, transitions }) =>
    Object.values(transitions).flatMap(({ from, to, topic }) =>
      from.map((state) => ({ type, column, from: state, to, topics: topic === undefined ? [] : [topic] })),
    ),
  ),
)

test.each(planned)(
  '$type.$column from $from to $to emits the topic of its transition',
  ({ type, column, from, to, topics }) => {
    const change = { definition: registry.require(type), before: row, after: row }
    expect(topicsOf(change, { [column]: [from, to] }, registry)).toEqual(topics)
  },
)
