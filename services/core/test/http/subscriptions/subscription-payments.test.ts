/** Runs of subscriptions that are paid through a bank outside: what it declines, what it does not answer, and what it is asked. */
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { orderCalls } from '../support/order-calls.ts'
import { jumpingClock, subscriptionCalls } from './subscription-calls.ts'

let core: TestCore
let shop: Shop
const { clock, jumpTo } = jumpingClock()

beforeAll(async () => {
  core = await openCore('subscription_payments', { clock }, LOCAL)
})
beforeEach(async () => {
  await reseedShop(core.pool)
  jumpTo('2027-01-31T10:00:00Z')
  await offer(['monthly'])
  shop = await openShop()
})
afterEach(() => shop.bank.close())
afterAll(() => core.close())

const { changeOrder } = orderCalls(() => core)
const { openShop, cart, booked } = bankCalls(
  () => core,
  () => shop,
)
const { change, read, related, ok, offer, runJobs, madeOrders } = subscriptionCalls(() => core)

const subscribe = async (): Promise<string> => {
  const order = await cart()
  const lines = await related('orders', order, 'line_items')
  const line = lines.find(({ attributes }) => attributes['item_type'] === 'skus')
  ok(await change('line_items', line?.id ?? '', { frequency: 'monthly' }))
  ok(await changeOrder(order, { _save_payment_source_to_customer_wallet: true }))
  ok(await changeOrder(order, { _place: true, _create_subscriptions: true }))
  return (await related('orders', order, 'order_subscriptions'))[0]?.id ?? ''
}

test('the bank is asked once for each run, with the token of the wallet', async () => {
  await subscribe()
  const first = booked().length
  jumpTo('2027-02-28T10:00:00Z')
  await runJobs()
  await runJobs()
  expect(await madeOrders()).toEqual(['placed'])
  expect(booked().slice(first)).toEqual([['authorize', 10_000]])
})

test('what it declines fails the run with its reason, and the next run pays', async () => {
  const id = await subscribe()
  shop.bank.setFault('decline')
  jumpTo('2027-02-28T10:00:00Z')
  await runJobs()
  expect(await madeOrders()).toEqual(['pending'])
  const [copy] = await related('order_subscriptions', id, 'recurring_order_copies')
  const { status, errors_log } = copy?.attributes ?? {}
  expect([status, JSON.stringify(errors_log)]).toEqual([
    'failed',
    expect.stringContaining('The card was declined'),
  ])
  expect(await read('order_subscriptions', id)).toMatchObject({ status: 'active', errors_count: 1 })
  shop.bank.setFault('none')
  jumpTo('2027-03-31T10:00:00Z')
  await runJobs()
  expect(await madeOrders()).toEqual(['pending', 'placed'])
})
