/** Every trigger of orders and of what belongs to them, by everybody who may not send it: refused, and nothing moves. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { resources } from '../../../src/areas.ts'
import { customer, openCore, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { checkoutCalls, WITH_SHIPPING } from '../support/order-calls.ts'

const TYPES = ['orders', 'shipments', 'authorizations', 'captures', 'stock_transfers', 'stock_reservations']

/** Those that take `true`, with whether they are prohibited to sales channels. */
const TRIGGERS = resources
  .filter(({ type }) => TYPES.includes(type))
  .flatMap(({ type, attributes }) =>
    Object.entries(attributes)
      .filter(
        ([, { kind, carries, write }]) => kind === 'trigger' && carries === 'boolean' && write !== 'create',
      )
      .map(([name, { prohibited }]) => ({ type, name, isProhibited: prohibited })),
  )

let core: TestCore
let order: string

beforeAll(async () => {
  core = await openCore('trigger_permissions')
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
  await core.pool.query(`UPDATE inventory_models SET strategy = 'ship_from_primary' WHERE id = 1`)
  const { payable, move } = checkoutCalls(() => core)
  order = await payable('SKU-B', 1)
  await move(order, '_place')
})
afterAll(() => core.close())

const TABLES: Readonly<Record<string, string>> = { authorizations: 'transactions', captures: 'transactions' }

/** One of the placed order; captures have none, and the id of the authorization stands for one that is not there. */
const idOf = async (type: string): Promise<string> => {
  if (type === 'orders') return order
  const table = TABLES[type] ?? type
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT id FROM ${table} WHERE environment_id = 1 ORDER BY id DESC LIMIT 1`,
  )
  return encodeId(TABLES[type] ?? type, rows[0]?.id ?? 0)
}

const send = async (type: string, name: string, token: string) => {
  const id = await idOf(type)
  return core.send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, attributes: { [name]: true } } })
}

const logSize = async () => {
  const { rows } = await core.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM versions')
  return rows[0]?.count
}

const OTHER_CALLERS: readonly [string, () => Promise<string> | string, readonly number[]][] = [
  ['another organization', () => core.tokens.otherOrganization, [404]],
  ['another environment', () => core.tokens.live, [404]],
  ['an integration that reads', () => core.tokens.readOnly, [401]],
  ['a guest', () => core.tokens.mint(salesChannel([1])), [400, 401]],
  ['a guest of another market', () => core.tokens.mint(salesChannel([2])), [400, 401]],
  ['another customer', () => core.tokens.mint(customer(2, [1])), [400, 401]],
  ['its customer, now that it is placed', () => core.tokens.mint(customer(1, [1])), [400, 401]],
]

test('there are triggers of every kind', () => {
  expect(new Set(TRIGGERS.map(({ type }) => type))).toEqual(new Set(TYPES))
})

describe.each(OTHER_CALLERS)('%s', (_who, mint, expected) => {
  it.each(TRIGGERS)('does not start $name of $type', async ({ type, name, isProhibited }) => {
    const token = await mint()
    const before = await logSize()
    const { status } = await send(type, name, token)
    expect(expected).toContain(status)
    if (status === 400) expect(isProhibited).toBe(true)
    expect(await logSize()).toBe(before)
  })
})
