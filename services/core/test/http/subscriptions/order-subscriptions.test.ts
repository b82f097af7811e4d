/** Subscriptions: what begins, moves and ends them, and the orders that they make. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { jumpingClock, subscriptionCalls } from './subscription-calls.ts'

let core: TestCore
const { clock, jumpTo } = jumpingClock()

beforeAll(async () => {
  core = await openCore('order_subscriptions', { clock })
})
beforeEach(async () => {
  await reseedShop(core.pool)
  jumpTo('2027-01-31T10:00:00Z')
})
afterAll(() => core.close())

const { changeOrder } = orderCalls(() => core)
const { change, read, related, payable, ok, offer, subscribe, runJobs, eventsOf, madeOrders } =
  subscriptionCalls(() => core)

const MONTHLY = { frequency: 'monthly' }

describe('_create_subscriptions', () => {
  it('makes one subscription for each frequency, which begins with its source order', async () => {
    await offer(['monthly', 'weekly'])
    const lines = [MONTHLY, { ...MONTHLY, sku_code: 'SKU-B' }, { frequency: 'weekly' }, {}]
    const { order, subscriptions } = await subscribe(lines)
    expect(subscriptions).toHaveLength(2)
    const [monthly = ''] = subscriptions
    expect(await read('order_subscriptions', monthly)).toMatchObject({
      status: 'active',
      frequency: 'monthly',
      activate_by_source_order: true,
      place_target_order: true,
      renewal_alert_period: 1,
      customer_email: 'ada@example.com',
      last_run_at: '2027-01-31T10:00:00.000Z',
      next_run_at: '2027-02-28T10:00:00.000Z',
      occurrencies: 1,
      errors_count: 0,
      succeeded_on_last_run: true,
    })
    const items = await related('order_subscriptions', monthly, 'order_subscription_items')
    expect(items.map(({ attributes }) => [attributes['sku_code'], attributes['total_amount_cents']])).toEqual(
      [
        ['SKU-A', 5000],
        ['SKU-B', 4000],
      ],
    )
    expect((await read('orders', order))['subscription_created_at']).toBe('2027-01-31T10:00:00.000Z')
    expect(await eventsOf('orders', order)).toContain('create_subscriptions')
    expect(await eventsOf('order_subscriptions', monthly)).toEqual(['create', 'activate'])
  })

  it('makes one for each line item when the model says so', async () => {
    await offer(['monthly'], { strategy: 'by_line_items' })
    expect((await subscribe([MONTHLY, { ...MONTHLY, sku_code: 'SKU-B' }])).subscriptions).toHaveLength(2)
  })

  it('leaves them drafts without auto_activate, until _activate', async () => {
    await offer(['monthly'], { auto_activate: false })
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    expect(await read('order_subscriptions', id)).toMatchObject({ status: 'draft', occurrencies: 0 })
    ok(await change('order_subscriptions', id, { _activate: true }))
    expect(await read('order_subscriptions', id)).toMatchObject({
      status: 'active',
      next_run_at: '2027-02-28T10:00:00.000Z',
    })
  })

  it('is done once', async () => {
    await offer(['monthly'])
    const { order } = await subscribe([MONTHLY])
    ok(await changeOrder(order, { _create_subscriptions: true }))
    expect(await related('orders', order, 'order_subscriptions')).toHaveLength(1)
  })

  it('waits for the job that places the order', async () => {
    await offer(['monthly'])
    const order = await payable([MONTHLY])
    ok(await changeOrder(order, { place_async: true }))
    ok(await changeOrder(order, { _place: true, _create_subscriptions: true }))
    expect(await related('orders', order, 'order_subscriptions')).toEqual([])
    await core.jobs.runUntilIdle()
    expect(await related('orders', order, 'order_subscriptions')).toHaveLength(1)
    expect((await read('orders', order))['subscription_created_at']).not.toBeNull()
  })

  it('is sent by a shop front together with _place', async () => {
    await offer(['monthly'])
    const order = await payable([MONTHLY])
    const token = await core.tokens.mint(customer(1, [1]))
    const attributes = { _place: true, _create_subscriptions: true }
    const body = { data: { type: 'orders', id: order, attributes } }
    expect((await core.send('PATCH', `/api/orders/${order}`, token, body)).status).toBe(200)
    const path = `/api/orders/${order}/order_subscriptions`
    expect((await core.get(path, token)).body).toMatchObject({ meta: { record_count: 1 } })
    const other = await core.tokens.mint(customer(2, [1]))
    expect((await core.get(path, other)).status).not.toBe(200)
  })

  it.each([
    ['a cart', async () => payable([MONTHLY]), 'invalid_status'],
    [
      'an order without a frequency',
      async () => {
        const order = await payable([{}])
        ok(await changeOrder(order, { _place: true }))
        return order
      },
      'nothing_to_repeat',
    ],
    [
      'an order of a market without a model',
      async () => {
        const order = await payable([MONTHLY])
        ok(await changeOrder(order, { _place: true }))
        await core.pool.query('UPDATE markets SET subscription_model_id = NULL')
        return order
      },
      'no_subscription_model',
    ],
  ])('is refused for %s', async (_case, make, error) => {
    await offer(['monthly'])
    const response = await changeOrder(await make(), { _create_subscriptions: true })
    expect(at(response)).toEqual([['422', '/data/attributes/_create_subscriptions', error]])
  })
})

describe('a change', () => {
  it('of next_run_at is a new anchor', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    ok(await change('order_subscriptions', id, { next_run_at: '2027-02-10T06:00:00.000Z' }))
    jumpTo('2027-02-10T06:00:00Z')
    await runJobs()
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-03-10T06:00:00.000Z')
  })

  it('of the frequency counts from the anchor', async () => {
    await offer(['monthly', '0 6 * * 1'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    ok(await change('order_subscriptions', id, { frequency: '0 6 * * 1' }))
    expect((await read('order_subscriptions', id))['next_run_at']).toBe('2027-02-01T06:00:00.000Z')
  })

  it.each([
    ['a time in the past', { next_run_at: '2027-01-31T10:00:00.000Z' }, 'next_run_at', 'not_in_future'],
    ['no next time', { next_run_at: null }, 'next_run_at', 'blank'],
    ['a frequency that the model has not', { frequency: 'weekly' }, 'frequency', 'invalid'],
    ['a crontab of minutes', { frequency: '*/5 * * * *' }, 'frequency', 'invalid'],
    [
      'an alert of more than 720 hours',
      { renewal_alert_period: 721 },
      'renewal_alert_period',
      'less_than_or_equal_to',
    ],
    ['options nobody knows', { options: { retries: 3 } }, 'options', 'invalid'],
    ['too many retries', { options: { max_retries: 11 } }, 'options', 'invalid'],
  ])('to %s is refused', async (_case, attributes: Body, name, error) => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    expect(at(await change('order_subscriptions', id, attributes))).toEqual([
      ['422', `/data/attributes/${name}`, error],
    ])
  })

  it('of the payment source is to one of the customer', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    const [entry] = await related('customers', encodeId('customers', 1), 'customer_payment_sources')
    const link = { customer_payment_source: linkTo('customer_payment_sources', entry?.id ?? '') }
    ok(await change('order_subscriptions', id, {}, link))
    await core.pool.query('UPDATE order_subscriptions SET customer_id = 2')
    ok(await change('order_subscriptions', id, { reference: 'x' }))
    expect(at(await change('order_subscriptions', id, {}, link))).toEqual([
      ['422', '/data/relationships/customer_payment_source', 'invalid'],
    ])
  })

  it('of a cancelled subscription is refused, and its delete is not', async () => {
    await offer(['monthly'])
    const [id = ''] = (await subscribe([MONTHLY])).subscriptions
    const path = `/api/order_subscriptions/${id}`
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(423)
    ok(await change('order_subscriptions', id, { _cancel: true }))
    expect(at(await change('order_subscriptions', id, { expires_at: null }))).toEqual([
      ['422', '/data/attributes/expires_at', 'not_editable'],
    ])
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(204)
  })
})

describe('a cancelled source order', () => {
  it.each([
    [true, 'cancelled'],
    [false, 'active'],
  ])('with auto_cancel %s leaves its subscriptions %s', async (auto_cancel, status) => {
    await offer(['monthly'], { auto_cancel })
    const { order, subscriptions } = await subscribe([MONTHLY])
    ok(await changeOrder(order, { _cancel: true }))
    expect((await read('order_subscriptions', subscriptions[0] ?? ''))['status']).toBe(status)
    expect((await eventsOf('orders', order)).includes('cancel_subscriptions')).toBe(auto_cancel)
  })
})

describe('a manual subscription', () => {
  const create = (order: string, attributes: Body = {}, relationships: Body = {}) =>
    core.send('POST', '/api/order_subscriptions', core.tokens.admin, {
      data: {
        type: 'order_subscriptions',
        attributes: { frequency: 'weekly', ...attributes },
        relationships: { source_order: linkTo('orders', order), ...relationships },
      },
    })

  it('waits for its source order, then copies it without charging anybody', async () => {
    await offer(['monthly'])
    const order = await payable([{}])
    const { id } = singleOf(await create(order)).data
    expect((await read('order_subscriptions', id))['status']).toBe('draft')
    ok(await changeOrder(order, { _place: true, _save_payment_source_to_customer_wallet: true }))
    expect(await read('order_subscriptions', id)).toMatchObject({
      status: 'active',
      next_run_at: '2027-02-07T10:00:00.000Z',
    })
    jumpTo('2027-02-07T10:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['pending'])
    const [copy] = await related('order_subscriptions', id, 'order_factories')
    expect([copy?.type, copy?.attributes['status']]).toEqual(['order_copies', 'completed'])
  })

  it('with a payment source of its own is charged', async () => {
    await offer(['monthly'])
    const order = await payable([{}])
    ok(await changeOrder(order, { _place: true, _save_payment_source_to_customer_wallet: true }))
    const { id } = singleOf(await create(order)).data
    const [entry] = await related('customers', encodeId('customers', 1), 'customer_payment_sources')
    const link = { customer_payment_source: linkTo('customer_payment_sources', entry?.id ?? '') }
    ok(await change('order_subscriptions', id, {}, link))
    jumpTo('2027-02-07T10:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['placed'])
  })

  it('begins at starts_at when its source order does not begin it', async () => {
    await offer(['monthly'])
    const order = await payable([{}])
    const times = {
      activate_by_source_order: false,
      starts_at: '2027-02-28T08:00:00.000Z',
      frequency: 'monthly',
    }
    const { id } = singleOf(await create(order, times)).data
    ok(await changeOrder(order, { _place: true }))
    expect((await read('order_subscriptions', id))['status']).toBe('draft')
    ok(await change('order_subscriptions', id, { _activate: true }))
    expect(await read('order_subscriptions', id)).toMatchObject({
      occurrencies: 0,
      last_run_at: null,
      next_run_at: '2027-02-28T08:00:00.000Z',
    })
    jumpTo('2027-02-28T08:00:00Z')
    await runJobs()
    expect(await read('order_subscriptions', id)).toMatchObject({
      occurrencies: 1,
      next_run_at: '2027-03-28T08:00:00.000Z',
    })
  })

  it('becomes automatic with _convert, once its frequency is in the model', async () => {
    await offer(['monthly'])
    const order = await payable([{}])
    ok(await changeOrder(order, { _place: true, _save_payment_source_to_customer_wallet: true }))
    const { id } = singleOf(await create(order)).data
    const item = { order_subscription: linkTo('order_subscriptions', id) }
    const refused = await core.send('POST', '/api/order_subscription_items', core.tokens.admin, {
      data: {
        type: 'order_subscription_items',
        attributes: { sku_code: 'SKU-B', quantity: 1 },
        relationships: item,
      },
    })
    expect(at(refused)).toEqual([['422', '/data/relationships/order_subscription', 'invalid']])
    expect(at(await change('order_subscriptions', id, { _convert: true }))).toEqual([
      ['422', '/data/attributes/frequency', 'inclusion'],
    ])
    ok(await change('order_subscriptions', id, { frequency: 'monthly' }))
    ok(await change('order_subscriptions', id, { _convert: true }))
    ok(await change('order_subscriptions', id, { _convert: true }))
    expect(await related('order_subscriptions', id, 'order_subscription_items')).toHaveLength(1)
    jumpTo('2027-02-28T10:00:00Z')
    await runJobs()
    expect(await madeOrders()).toEqual(['placed'])
  })

  it.each([
    [
      'an order without a customer',
      { source_order: one('orders', 1) },
      {},
      '/data/relationships/source_order',
      'blank',
    ],
    [
      'another market than the order',
      { market: one('markets', 2) },
      {},
      '/data/relationships/market',
      'invalid',
    ],
    ['no start', {}, { activate_by_source_order: false }, '/data/attributes/starts_at', 'blank'],
    [
      'an end before its start',
      {},
      { starts_at: '2027-03-01T00:00:00.000Z', expires_at: '2027-02-01T00:00:00.000Z' },
      '/data/attributes/expires_at',
      'invalid',
    ],
    ['no frequency', {}, { frequency: null }, '/data/attributes/frequency', 'blank'],
    ['an unknown frequency', {}, { frequency: 'often' }, '/data/attributes/frequency', 'invalid'],
  ])('is refused with %s', async (_case, relationships: Body, attributes: Body, pointer, error) => {
    await core.pool.query('UPDATE orders SET customer_id = NULL WHERE id = 1')
    const response = await create(encodeId('orders', 2), attributes, relationships)
    expect(at(response)).toEqual([['422', pointer, error]])
  })
})
