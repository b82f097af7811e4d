/** `_approve_and_capture` moves stock and money together: neither leaves without the other. */
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { at, orderCalls } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('approve_and_capture', {}, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { freeShipping, move, statusesOf, idsOf } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)
const { openShop, cart, booked, stockOnly, countedAndReserved } = bankCalls(
  () => core,
  () => shop,
)

const unitsInStock = async (): Promise<unknown> => {
  const { rows } = await core.pool.query('SELECT sum(quantity)::int AS units FROM stock_items')
  return rows[0]
}

test('the gateway declines: the order stays placed, and its stock promised and there', async () => {
  const order = await cart()
  await move(order, '_place')
  const [held, there] = [await countedAndReserved(), await unitsInStock()]
  expect(held).not.toEqual({ counted: 0, reserved: 0 })
  shop.bank.setFault('decline')
  await changeOrder(order, { _approve_and_capture: true })
  expect((await statusesOf(order)).slice(0, 2)).toEqual(['placed', 'authorized'])
  expect([await countedAndReserved(), await unitsInStock()]).toEqual([held, there])
  shop.bank.setFault('none')
  await move(order, '_approve_and_capture')
  expect(booked()).toEqual([
    ['authorize', WHOLE],
    ['capture', WHOLE],
  ])
  expect(await countedAndReserved()).toEqual({ counted: 0, reserved: 0 })
})

test('the units were promised to another order: the gateway is asked for nothing', async () => {
  const order = await cart()
  await stockOnly(order)
  await move(order, '_place')
  for (const reservation of await idsOf(order, 'stock_reservations'))
    await core.send('DELETE', `/api/stock_reservations/${reservation}`, core.tokens.admin)
  await move(await cart(), '_place')
  const asked = shop.bank.asked.length
  expect(at(await changeOrder(order, { _approve_and_capture: true }))).toEqual([
    ['422', '/data/relationships/line_items', 'out_of_stock'],
  ])
  expect(shop.bank.asked).toHaveLength(asked)
  expect((await statusesOf(order)).slice(0, 2)).toEqual(['placed', 'authorized'])
})
