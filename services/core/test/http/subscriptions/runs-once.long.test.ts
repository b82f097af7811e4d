/** Each run makes one order: with two workers at once, and when a worker dies in the middle of any of its transactions. */
import { runDue } from '../../../src/subscriptions/jobs/run-due.ts'
import { dieInTransaction } from '../../support/die-in-transaction.ts'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { openWorker } from '../../support/open-worker.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { jumpingClock, subscriptionCalls } from './subscription-calls.ts'

let core: TestCore
const { clock, jumpTo } = jumpingClock()

beforeAll(async () => {
  core = await openCore('runs_once', { clock })
})
beforeEach(async () => {
  await reseedShop(core.pool)
  jumpTo('2027-01-31T10:00:00Z')
  await offer(['monthly'])
})
afterAll(() => core.close())

const { offer, subscribe, madeOrders } = subscriptionCalls(() => core)

const enqueueRuns = () =>
  core.jobs.enqueue(
    runDue,
    {},
    async ({ text, values }) => (await core.pool.query(text, [...values])).rows as never,
  )

/** What came of everything: orders, copies, money and stock that was promised. */
const counted = async () => {
  const { rows } = await core.pool.query<Record<string, number>>(
    `SELECT
      (SELECT count(*)::int FROM orders WHERE order_subscription_id IS NOT NULL) AS orders,
      (SELECT count(*)::int FROM order_factories WHERE status = 'completed') AS copies,
      (SELECT count(*)::int FROM order_factories) AS all_copies,
      (SELECT count(*)::int FROM transactions WHERE order_id IN (
        SELECT id FROM orders WHERE order_subscription_id IS NOT NULL)) AS transactions,
      (SELECT sum(occurrencies)::int FROM order_subscriptions) AS occurrencies,
      (SELECT count(*)::int FROM events WHERE name = 'order_subscriptions.last_run_succeeded') AS events,
      (SELECT total_orders_count::int FROM customers WHERE id = 1) AS ordered`,
  )
  return rows[0]
}

const afterRuns = (subscriptions: number) => ({
  orders: subscriptions,
  copies: subscriptions,
  all_copies: subscriptions,
  transactions: subscriptions,
  occurrencies: 2 * subscriptions,
  events: subscriptions,
  ordered: 2 * subscriptions,
})

test('with two workers that look at the same time, again and again', async () => {
  const subscriptions = 12
  for (let count = 0; count < subscriptions; count += 1) await subscribe([{ frequency: 'monthly' }])
  jumpTo('2027-02-28T10:00:00Z')
  const workers = [openWorker(core, clock), openWorker(core, clock)]
  for (let looks = 0; looks < 4; looks += 1) {
    await enqueueRuns()
    await enqueueRuns()
    await Promise.all(workers.map((worker) => worker.work()))
  }
  await Promise.all(workers.map((worker) => worker.close()))
  expect(await counted()).toEqual(afterRuns(subscriptions))
  expect(new Set(await madeOrders())).toEqual(new Set(['placed']))
}, 120_000)

test('when a worker dies in the middle, whichever of its transactions it is', async () => {
  const killed = async (fatal: number): Promise<boolean> => {
    await reseedShop(core.pool)
    jumpTo('2027-01-31T10:00:00Z')
    await offer(['monthly'])
    await subscribe([{ frequency: 'monthly' }])
    jumpTo('2027-02-28T10:00:00Z')
    await enqueueRuns()
    const isReached = await dieInTransaction(core, fatal, clock).then(
      () => true,
      () => false,
    )
    await core.pool.query('UPDATE jobs.job SET start_after = now()')
    await core.jobs.runUntilIdle()
    await enqueueRuns()
    await core.jobs.runUntilIdle()
    expect([fatal, await counted()]).toEqual([fatal, afterRuns(1)])
    return isReached
  }
  let fatal = 1
  while (await killed(fatal)) fatal += 1
  // It begins the run, builds the cart, keeps the payment source, places the order and looks again.
  expect(fatal).toBeGreaterThan(5)
}, 120_000)
