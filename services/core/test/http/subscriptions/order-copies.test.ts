/** Order copies: a new order like another one, as far as it can be made and placed now; and what is said when it cannot. */
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { jumpingClock, subscriptionCalls } from './subscription-calls.ts'

let core: TestCore
const { clock } = jumpingClock()

beforeAll(async () => {
  core = await openCore('order_copies', { clock })
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await offer(['monthly'])
})
afterAll(() => core.close())

const { changeOrder, add } = orderCalls(() => core)
const { post, read, related, payable, ok, offer, subscribe, eventsOf } = subscriptionCalls(() => core)

const copyOf = async (order: string, attributes: Body = {}): Promise<string> => {
  const id = await post('order_copies', attributes, { source_order: linkTo('orders', order) })
  await core.jobs.runUntilIdle()
  return id
}

const targetOf = async (copy: string): Promise<string | undefined> => {
  const path = `/api/order_copies/${copy}?include=target_order`
  return singleOf(await core.get(path, core.tokens.admin)).included?.[0]?.id
}

const placedOrder = async (lines: readonly Body[] = [{ quantity: 2 }]): Promise<string> => {
  const order = await payable(lines)
  ok(await changeOrder(order, { _place: true, _save_payment_source_to_customer_wallet: true }))
  return order
}

const linesOf = async (order: string): Promise<readonly unknown[]> =>
  (await related('orders', order, 'line_items'))
    .filter(({ attributes }) => !['payment_methods', 'shipments'].includes(String(attributes['item_type'])))
    .map(({ attributes }) => [attributes['name'], attributes['quantity'], attributes['unit_amount_cents']])

test('is a cart with the same articles, addresses and payment method, at the prices of now', async () => {
  const order = await placedOrder([{ quantity: 2, metadata: { gift: true } }])
  ok(await changeOrder(order, { metadata: { from: 'app' } }))
  await core.pool.query('UPDATE prices SET amount_cents = 5500 WHERE id = 1')
  const copy = await copyOf(order)
  expect(await read('order_copies', copy)).toMatchObject({ status: 'completed', errors_count: 0 })
  expect(await eventsOf('order_copies', copy)).toEqual(['create', 'start', 'complete'])
  const target = (await targetOf(copy)) ?? ''
  expect(await linesOf(target)).toEqual([['Black shirt', 2, 5500]])
  expect(await read('orders', target)).toMatchObject({
    status: 'pending',
    customer_email: 'ada@example.com',
    metadata: { from: 'app' },
    total_amount_with_taxes_cents: 11_000,
  })
  const path = `/api/orders/${target}?include=shipping_address,billing_address,payment_method`
  const { included = [] } = singleOf(await core.get(path, core.tokens.admin))
  expect(included.map(({ type }) => type).toSorted()).toEqual(['addresses', 'addresses', 'payment_methods'])
})

test('keeps amounts that were given, lines of a name alone, adjustments and options', async () => {
  const order = await payable([{ unit_amount_cents: 4200 }])
  const [line] = await related('orders', order, 'line_items')
  ok(await add(core.tokens.admin, order, { name: 'Wrapping', quantity: 1, unit_amount_cents: 300 }))
  const adjustment = await post('adjustments', { name: 'Loyal', currency_code: 'EUR', amount_cents: -500 })
  ok(await add(core.tokens.admin, order, { quantity: 1 }, { item: linkTo('adjustments', adjustment) }))
  const option = await post('sku_options', {
    name: 'Engraving',
    price_amount_cents: 250,
    currency_code: 'EUR',
  })
  await post(
    'line_item_options',
    { quantity: 1, options: { text: 'A. L.' } },
    { line_item: linkTo('line_items', line?.id ?? ''), sku_option: linkTo('sku_options', option) },
  )
  const target = (await targetOf(await copyOf(order))) ?? ''
  expect(await linesOf(target)).toEqual(await linesOf(order))
  const [copied] = await related('orders', target, 'line_item_options')
  expect(copied?.attributes).toMatchObject({ name: 'Engraving', options: { text: 'A. L.' } })
})

test('is placed and paid from the wallet, and ends its source order, when asked', async () => {
  const order = await placedOrder()
  const copy = await copyOf(order, { place_target_order: true, cancel_source_order: true })
  expect(await read('order_copies', copy)).toMatchObject({ status: 'completed', errors_log: {} })
  expect((await read('orders', (await targetOf(copy)) ?? ''))['status']).toBe('placed')
  expect((await read('orders', order))['status']).toBe('cancelled')
})

test('is not paid without reuse_wallet, so that it fails and leaves the cart', async () => {
  const copy = await copyOf(await placedOrder(), { place_target_order: true, reuse_wallet: false })
  const { status, errors_log } = await read('order_copies', copy)
  expect([status, Object.values(errors_log as object)]).toEqual([
    'failed',
    [{ payment_source: ["can't be blank"] }],
  ])
  expect((await read('orders', (await targetOf(copy)) ?? ''))['status']).toBe('pending')
  expect(await eventsOf('order_copies', copy)).toEqual(['create', 'start', 'fail'])
})

describe('an article that is not there any more', () => {
  const soldOut = async (): Promise<string> => {
    const order = await placedOrder([{ quantity: 1 }, { sku_code: 'SKU-B', quantity: 1 }])
    await core.pool.query('UPDATE stock_items SET quantity = 0 WHERE sku_id = 2')
    return order
  }

  it('fails the copy, which leaves no order', async () => {
    const copy = await copyOf(await soldOut())
    expect(await read('order_copies', copy)).toMatchObject({ status: 'failed', errors_count: 1 })
    expect(await targetOf(copy)).toBeUndefined()
    const { rows } = await core.pool.query('SELECT FROM orders WHERE id >= 5000')
    expect(rows).toHaveLength(1)
  })

  it('is left out with skip_errors, and logged under its line', async () => {
    const order = await soldOut()
    const copy = await copyOf(order, { skip_errors: true })
    const { status, errors_count, errors_log } = await read('order_copies', copy)
    expect([status, errors_count]).toEqual(['completed', 1])
    const [key] = Object.keys(errors_log as object)
    const lines = await related('orders', order, 'line_items')
    expect(lines.map(({ id }) => `line_items.${id}`)).toContain(key)
    expect(await linesOf((await targetOf(copy)) ?? '')).toEqual([['Black shirt', 1, 5000]])
  })

  it('fails the copy also with skip_errors when nothing else is left', async () => {
    const order = await placedOrder()
    await core.pool.query('UPDATE stock_items SET quantity = 0')
    expect((await read('order_copies', await copyOf(order, { skip_errors: true })))['status']).toBe('failed')
  })
})

test('of an order of a disabled market fails with the reason', async () => {
  const order = await placedOrder()
  await core.pool.query('UPDATE markets SET disabled_at = now() WHERE id = 1')
  const { status, errors_log } = await read('order_copies', await copyOf(order))
  expect([status, Object.values(errors_log as object)]).toEqual(['failed', [{ market: ['is disabled'] }]])
})

test('counts promotions with apply_promotions alone', async () => {
  const order = await placedOrder()
  await post(
    'percentage_discount_promotions',
    { name: 'Sale', percentage: 10, starts_at: '2026-01-01T00:00:00Z', expires_at: '2030-01-01T00:00:00Z' },
    { market: one('markets', 1) },
  )
  const totalOf = async (attributes: Body) => {
    const target = (await targetOf(await copyOf(order, attributes))) ?? ''
    return (await read('orders', target))['total_amount_with_taxes_cents']
  }
  expect([await totalOf({}), await totalOf({ apply_promotions: true })]).toEqual([10_000, 9000])
})

test('an invalid coupon of the source order fails it, unless it is ignored', async () => {
  const order = await placedOrder()
  await core.pool.query(`UPDATE orders SET coupon_code = 'GONE2026' WHERE id >= 5000`)
  const refused = await read('order_copies', await copyOf(order, { apply_promotions: true }))
  expect([refused['status'], JSON.stringify(refused['errors_log'])]).toEqual([
    'failed',
    expect.stringContaining('coupon_code'),
  ])
  const ignoring = { apply_promotions: true, ignore_invalid_coupon: true }
  expect((await read('order_copies', await copyOf(order, ignoring)))['status']).toBe('completed')
  expect((await read('order_copies', await copyOf(order)))['status']).toBe('completed')
})

describe('a copy', () => {
  it('stays while a worker is about to make its order', async () => {
    const id = await post('order_copies', {}, { source_order: linkTo('orders', await placedOrder()) })
    const path = `/api/order_copies/${id}`
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(423)
    await core.jobs.runUntilIdle()
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(204)
  })

  it('changes nothing but what describes it', async () => {
    const id = await copyOf(await placedOrder())
    const patch = (attributes: Body) =>
      core.send('PATCH', `/api/order_copies/${id}`, core.tokens.admin, {
        data: { type: 'order_copies', id, attributes },
      })
    expect((await patch({ reference: 'again' })).status).toBe(200)
    expect((await patch({ skip_errors: true })).status).toBe(400)
  })

  it('fails when an error of ours stops it in every attempt', async () => {
    const order = await placedOrder()
    const id = await post('order_copies', {}, { source_order: linkTo('orders', order) })
    await core.pool.query(`CREATE FUNCTION break_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = 'XX000'; END $$;
      CREATE TRIGGER break_line BEFORE INSERT ON line_items FOR EACH ROW EXECUTE FUNCTION break_line()`)
    for (let attempts = 0; attempts < 6; attempts += 1) {
      await core.jobs.runUntilIdle()
      await core.pool.query('UPDATE jobs.job SET start_after = now()')
    }
    await core.pool.query('DROP TRIGGER break_line ON line_items; DROP FUNCTION break_line')
    await core.jobs.runUntilIdle()
    const { status, errors_log } = await read('order_copies', id)
    expect([status, JSON.stringify(errors_log)]).toEqual(['failed', expect.stringContaining('was logged')])
  })
})

describe('a recurring copy beside the schedule', () => {
  const create = (order: string, subscription: string) =>
    core.send('POST', '/api/recurring_order_copies', core.tokens.admin, {
      data: {
        type: 'recurring_order_copies',
        attributes: { place_target_order: true },
        relationships: {
          source_order: linkTo('orders', order),
          order_subscription: linkTo('order_subscriptions', subscription),
        },
      },
    })

  it('orders the items once more and is no run', async () => {
    const { order, subscriptions } = await subscribe([{ frequency: 'monthly' }])
    const [id = ''] = subscriptions
    const before = await read('order_subscriptions', id)
    const copy = singleOf(await create(order, id)).data.id
    await core.jobs.runUntilIdle()
    expect((await read('recurring_order_copies', copy))['status']).toBe('completed')
    const after = await read('order_subscriptions', id)
    expect(after['occurrencies']).toBe(before['occurrencies'])
    expect(after['next_run_at']).toBe(before['next_run_at'])
  })

  it('is refused of a cancelled subscription, and of another source order', async () => {
    const { order, subscriptions } = await subscribe([{ frequency: 'monthly' }])
    const other = await placedOrder()
    const [id = ''] = subscriptions
    expect(at(await create(other, id))).toEqual([['422', '/data/relationships/source_order', 'invalid']])
    await core.pool.query(`UPDATE order_subscriptions SET status = 'cancelled', next_run_at = NULL`)
    expect(at(await create(order, id))).toEqual([
      ['422', '/data/relationships/order_subscription', 'invalid_status'],
    ])
  })

  it('that has not begun is aborted with its subscription', async () => {
    const { order, subscriptions } = await subscribe([{ frequency: 'monthly' }])
    const [id = ''] = subscriptions
    const copy = singleOf(await create(order, id)).data.id
    ok(
      await core.send('PATCH', `/api/order_subscriptions/${id}`, core.tokens.admin, {
        data: { type: 'order_subscriptions', id, attributes: { _cancel: true } },
      }),
    )
    await core.jobs.runUntilIdle()
    expect((await read('recurring_order_copies', copy))['status']).toBe('aborted')
  })
})
