/** Runs of subscriptions: the orders that they make, what they cost, what fails, and what becomes of times that were missed. */
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { linkTo } from '../support/order-calls.ts'
import { jumpingClock, subscriptionCalls } from './subscription-calls.ts'

let core: TestCore
const { clock, jumpTo } = jumpingClock()

beforeAll(async () => {
  core = await openCore('subscription_runs', { clock })
})
beforeEach(async () => {
  await reseedShop(core.pool)
  jumpTo('2027-01-31T10:00:00Z')
})
afterAll(() => core.close())

const { post, change, read, related, ok, offer, subscribe, runJobs, eventsOf, madeOrders } =
  subscriptionCalls(() => core)

const MONTHLY = { frequency: 'monthly' }

describe('a run', () => {
  it('orders the items again, pays from the wallet and places the order', async () => {
    await offer(['monthly'])
    const { order, subscriptions } = await subscribe([{ ...MONTHLY, quantity: 2 }])
    const [id = ''] = subscriptions
    jumpTo('2027-02-28T09:59:59Z')
    await runJobs()
    expect(await madeOrders()).toEqual([])
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['placed'])
    expect(await read('order_subscriptions', id)).toMatchObject({
      status: 'active',
      last_run_at: '2027-02-28T10:00:00.000Z',
      next_run_at: '2027-03-31T10:00:00.000Z',
      occurrencies: 2,
      errors_count: 0,
      succeeded_on_last_run: true,
    })
    const [copy] = await related('order_subscriptions', id, 'recurring_order_copies')
    expect(copy?.attributes).toMatchObject({ status: 'completed', errors_count: 0, errors_log: {} })
    expect(await eventsOf('recurring_order_copies', copy?.id ?? '')).toEqual(['create', 'start', 'complete'])
    const [made] = await related('order_subscriptions', id, 'orders')
    expect(made?.attributes).toMatchObject({
      payment_status: 'authorized',
      total_amount_with_taxes_cents: 10_000,
      customer_email: 'ada@example.com',
    })
    expect(made?.id).not.toBe(order)
    const factories = await related('order_subscriptions', id, 'order_factories')
    expect(factories.map(({ id: each }) => each)).toEqual([copy?.id])
  })

  it('takes the price of its day, but an amount that was given stays', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    const subscription = linkTo('order_subscriptions', id)
    await post(
      'order_subscription_items',
      { sku_code: 'SKU-B', quantity: 3, unit_amount_cents: 100 },
      { order_subscription: subscription },
    )
    await core.pool.query('UPDATE prices SET amount_cents = 7000 WHERE id IN (1, 2) AND environment_id = 1')
    jumpTo('2027-03-01T00:00:00Z')
    await runJobs()
    const [made] = await related('order_subscriptions', id, 'orders')
    expect(made?.attributes).toMatchObject({ status: 'placed', subtotal_amount_cents: 7300 })
  })

  it('that fails is counted and logged, stays active and comes again at the next time', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    await core.pool.query('UPDATE stock_items SET quantity = 0')
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    await runJobs()
    expect(await madeOrders()).toEqual([])
    expect(await read('order_subscriptions', id)).toMatchObject({
      status: 'active',
      occurrencies: 2,
      errors_count: 1,
      succeeded_on_last_run: false,
      next_run_at: '2027-03-31T10:00:00.000Z',
    })
    const [copy] = await related('order_subscriptions', id, 'recurring_order_copies')
    expect(copy?.attributes).toMatchObject({ status: 'failed', errors_count: 1 })
    expect(JSON.stringify(copy?.attributes['errors_log'])).toContain('is out of stock')
    expect(await eventsOf('order_subscriptions', id)).toEqual(['create', 'activate', 'last_run_failed'])
    await core.pool.query('UPDATE stock_items SET quantity = 9')
    jumpTo('2027-03-31T10:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['placed'])
    expect(await read('order_subscriptions', id)).toMatchObject({
      occurrencies: 3,
      succeeded_on_last_run: true,
    })
  })

  it('without a payment source in the wallet fails, and leaves the cart', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    await core.pool.query('DELETE FROM customer_payment_sources')
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['pending'])
    const [copy] = await related('order_subscriptions', id, 'recurring_order_copies')
    expect(JSON.stringify(copy?.attributes['errors_log'])).toContain('payment_source')
  })

  it('is repeated as often as options say, each time later, and is one occurrence', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    ok(await change('order_subscriptions', id, { options: { max_retries: 2, retry_after_hours: 6 } }))
    await core.pool.query('UPDATE stock_items SET quantity = 0')
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-02-28T16:00:00.000Z')
    jumpTo('2027-02-28T16:00:00Z')
    await runJobs()
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-02-28T22:00:00.000Z')
    jumpTo('2027-02-28T22:00:00Z')
    await runJobs()
    expect(await read('order_subscriptions', id)).toMatchObject({
      errors_count: 3,
      occurrencies: 2,
      next_run_at: '2027-03-31T10:00:00.000Z',
    })
  })

  it('that was missed is made up for once, and the rhythm goes on', async () => {
    await offer(['daily'])
    const [id = ''] = (await subscribe([{ frequency: 'daily' }])).subscriptions
    jumpTo('2027-02-10T08:00:00Z')
    await runJobs()
    await runJobs()
    expect(await madeOrders()).toEqual(['placed'])
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-02-10T10:00:00.000Z')
  })

  it('is announced once, some hours before', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    ok(await change('order_subscriptions', id, { renewal_alert_period: 48 }))
    jumpTo('2027-02-26T09:59:00Z')
    await runJobs()
    expect(await eventsOf('order_subscriptions', id)).not.toContain('renewal')
    jumpTo('2027-02-26T10:00:00Z')
    await runJobs()
    await runJobs()
    expect((await eventsOf('order_subscriptions', id)).filter((name) => name === 'renewal')).toHaveLength(1)
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    jumpTo('2027-03-30T10:00:00Z')
    await runJobs()
    expect((await eventsOf('order_subscriptions', id)).filter((name) => name === 'renewal')).toHaveLength(2)
  })

  it('does not come after expires_at', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    ok(await change('order_subscriptions', id, { expires_at: '2027-03-15T00:00:00.000Z' }))
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    expect(await read('order_subscriptions', id)).toMatchObject({ status: 'active', next_run_at: null })
    ok(await change('order_subscriptions', id, { expires_at: null }))
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-03-31T10:00:00.000Z')
    // The service was down until the subscription had expired.
    ok(await change('order_subscriptions', id, { expires_at: '2027-04-01T00:00:00.000Z' }))
    jumpTo('2027-05-01T00:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['placed'])
    expect((await read('order_subscriptions', id))['next_run_at']).toBeNull()
  })

  it('does not come while the subscription is inactive, nor for what was missed then', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    ok(await change('order_subscriptions', id, { _deactivate: true }))
    jumpTo('2027-04-15T10:00:00Z')
    await runJobs()
    ok(await change('order_subscriptions', id, { _activate: true }))
    await runJobs()
    expect(await madeOrders()).toEqual([])
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-04-30T10:00:00.000Z')
  })
})
