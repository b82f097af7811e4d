/**
 * Every topic that is no transition of a state machine, made by requests and told by its webhook document. Transitions are
 * taken by test/http/states/every-transition.long.test.ts. The table of both is docs/reference/topics.md.
 */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas, stateMachines } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { allTopics } from '../../../src/events/webhook-workflow.ts'
import { PROMOTION_TYPES } from '../../../src/promotions/promotion-types.ts'
import { TRACKING_STATUSES } from '../../../src/shipping/parcel-workflow.ts'
import { alertRenewals } from '../../../src/subscriptions/jobs/alert-renewals.ts'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { bankCalls, LOCAL } from '../support/bank-calls.ts'
import type { Shop } from '../support/bank-calls.ts'
import { linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'
import { runNow } from '../support/run-now.ts'

let core: TestCore
let shop: Shop
const emitted = new Set<string>()

const { freeShipping, ok, patch, move } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)
const { openShop, cart } = bankCalls(
  () => core,
  () => shop,
)

const transitions = new Set(
  Object.values(stateMachines).flatMap((machines) =>
    machines.flatMap((machine) => Object.values(machine.transitions).map(({ topic }) => topic)),
  ),
)
const topics = allTopics(createRegistry(areas, { ids: testIds })).filter((topic) => !transitions.has(topic))

const create = async (type: string, attributes: Body, relationships: Body = {}): Promise<string> => {
  const data = { type, attributes, relationships }
  return singleOf(ok(await core.send('POST', `/api/${type}`, core.tokens.admin, { data }))).data.id
}

const remove = async (type: string, id: string): Promise<void> => {
  ok(await core.send('DELETE', `/api/${type}/${id}`, core.tokens.admin))
}

/** Makes one of each type that has the event `create`, and deletes it. */
const createAndDelete = async (): Promise<void> => {
  const tier = { name: 'Tier', up_to: 5, price_amount_cents: 1200 }
  const transfer = {
    sku: one('skus', 2),
    origin_stock_location: one('stock_locations', 4),
    destination_stock_location: one('stock_locations', 1),
  }
  const made: readonly (readonly [string, Body, Body?])[] = [
    ['price_volume_tiers', tier, { price: one('prices', 4) }],
    ['price_frequency_tiers', tier, { price: one('prices', 4) }],
    ['shipping_weight_tiers', tier, { shipping_method: one('shipping_methods', 1) }],
    ['stock_transfers', { quantity: 1 }, transfer],
    ['customers', { email: 'new@example.com' }],
    ['customer_addresses', {}, { customer: one('customers', 1), address: one('addresses', 2) }],
    ['customer_subscriptions', { customer_email: 'ada@example.com', reference: 'news' }],
    ['customer_password_resets', { customer_email: 'ada@example.com' }],
    ['orders', {}, { market: one('markets', 1) }],
    ['imports', { resource_type: 'skus', inputs: [{ code: 'NEW', name: 'New' }] }],
    ['exports', { resource_type: 'skus' }],
    ['cleanups', { resource_type: 'gift_cards' }],
    ['gift_cards', { currency_code: 'EUR', balance_cents: 100 }],
    ['order_subscriptions', { frequency: 'monthly' }, { source_order: one('orders', 3) }],
    ['order_copies', {}, { source_order: one('orders', 3) }],
    [
      'in_stock_subscriptions',
      { customer_email: 'ada@example.com', sku_code: 'SKU-A' },
      { market: one('markets', 1) },
    ],
  ]
  for (const [type, attributes, relationships] of made) {
    const id = await create(type, attributes, relationships)
    await core.jobs.runUntilIdle()
    await remove(type, id)
  }
}

/** One of each type and a bundle, tagged; the service of the external one answers nothing. */
const promote = async (): Promise<void> => {
  const list = await create('sku_lists', { name: 'Shirts' })
  await create('sku_list_items', { sku_code: 'SKU-A' }, { sku_list: linkTo('sku_lists', list) })
  const bundle = await create(
    'bundles',
    { code: 'SET', name: 'Set', price_amount_cents: 100 },
    { market: one('markets', 1), sku_list: linkTo('sku_lists', list) },
  )
  ok(await patch('bundles', bundle, { _add_tags: 'sale' }))
  const dates = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }
  const own: Readonly<Record<string, Body>> = {
    percentage_discount_promotions: { percentage: 10 },
    fixed_amount_promotions: { fixed_amount_cents: 100, currency_code: 'EUR' },
    fixed_price_promotions: { fixed_amount_cents: 100, currency_code: 'EUR' },
    buy_x_pay_y_promotions: { x: 3, y: 2 },
    external_promotions: { promotion_url: `${shop.bank.url}/nothing` },
    flex_promotions: {
      rules: {
        rules: [
          {
            name: 'All',
            conditions: [{ field: 'order.id', matcher: 'not_null' }],
            actions: [{ type: 'percentage', selector: 'order', value: 0.1 }],
          },
        ],
      },
    },
  }
  for (const type of PROMOTION_TYPES) {
    const isOfAll = ['free_shipping_promotions', 'external_promotions', 'flex_promotions'].includes(type)
    const relationships = isOfAll ? {} : { sku_list: linkTo('sku_lists', list) }
    const id = await create(type, { name: 'Sale', ...dates, ...own[type] }, relationships)
    ok(await patch(type, id, { _add_tags: 'sale' }))
    if (type === 'external_promotions') await cart()
    await remove(type, id)
  }
  const promotion = await create('free_shipping_promotions', { name: 'Sale', ...dates })
  const rule = await create(
    'coupon_codes_promotion_rules',
    {},
    { promotion: linkTo('free_shipping_promotions', promotion) },
  )
  const coupon = await create(
    'coupons',
    { code: 'SUMMER26' },
    { promotion_rule: linkTo('coupon_codes_promotion_rules', rule) },
  )
  ok(await patch('coupons', coupon, { _add_tags: 'sale' }))
  await remove('free_shipping_promotions', promotion)
}

const tagRows = async (): Promise<void> => {
  await create('tags', { name: 'sale' })
  const order = await cart()
  const lines = listOf(await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)).data
  const line = lines.find(({ attributes }) => attributes['item_type'] === 'skus')?.id ?? ''
  const option = await create('sku_options', { name: 'Engraving' }, { market: one('markets', 1) })
  const options = { quantity: 1, options: { text: 'A' } }
  const lineOption = await create('line_item_options', options, {
    line_item: linkTo('line_items', line),
    sku_option: linkTo('sku_options', option),
  })
  await move(order, '_place')
  const [shipment] = listOf(await core.get(`/api/orders/${order}/shipments`, core.tokens.admin)).data
  for (const [type, id] of [
    ['skus', encodeId('skus', 1)],
    ['sku_options', option],
    ['customers', encodeId('customers', 1)],
    ['addresses', encodeId('addresses', 1)],
    ['orders', order],
    ['line_items', line],
    ['line_item_options', lineOption],
    ['shipments', String(shipment?.id)],
    ['shipping_methods', encodeId('shipping_methods', 1)],
  ] as const)
    ok(await patch(type, id, { _add_tags: 'sale' }))
}

/** Tagged, and used by an order. */
const giveGiftCard = async (): Promise<void> => {
  const card = await create('gift_cards', { currency_code: 'EUR', balance_cents: 100, code: 'GIFT2026' })
  ok(await patch('gift_cards', card, { _add_tags: 'sale', _purchase: true, _activate: true }))
  const order = await cart()
  ok(await changeOrder(order, { gift_card_code: 'GIFT2026' }))
  await move(order, '_place')
}

/** Tagged, restocked, and another one that is deleted. */
const takeBack = async (): Promise<void> => {
  await core.pool.query(WITH_RETURNS)
  const order = await cart()
  await move(order, '_place', '_approve_and_capture', '_fulfill')
  const { draftOf, move: moveReturn } = returnCalls(() => core)
  await remove('returns', await draftOf(order))
  const id = await draftOf(order)
  ok(await patch('returns', id, { _add_tags: 'sale' }))
  await moveReturn(id, '_request', '_approve', '_ship', '_receive', '_restock')
}

/** Succeeded and failed, of each kind. */
const moveMoney = async (): Promise<void> => {
  const order = await cart()
  for (const trigger of ['_place', '_capture', '_refund']) {
    if (trigger === '_capture') await move(order, '_approve')
    shop.bank.setFault('decline')
    await changeOrder(order, { [trigger]: true })
    shop.bank.setFault('none')
    await move(order, trigger)
  }
  const cancelled = await cart()
  await move(cancelled, '_place')
  shop.bank.setFault('drop')
  await changeOrder(cancelled, { _cancel: true })
  shop.bank.setFault('none')
  core.clock.advance(60)
  await move(cancelled, '_cancel')
}

const packParcels = async (): Promise<void> => {
  await core.pool
    .query(`INSERT INTO packages (id, environment_id, name, stock_location_id, length, width, height, unit_of_length)
    VALUES (1, 1, 'Box', 1, 10, 10, 10, 'cm')`)
  const order = await cart()
  await move(order, '_place', '_approve')
  const [shipment] = listOf(await core.get(`/api/orders/${order}/shipments`, core.tokens.admin)).data
  const parcel = await create(
    'parcels',
    { weight: 500, unit_of_weight: 'gr' },
    { shipment: linkTo('shipments', String(shipment?.id)), package: one('packages', 1) },
  )
  for (const tracking_status of TRACKING_STATUSES) ok(await patch('parcels', parcel, { tracking_status }))
  await remove('parcels', parcel)
}

const changeCustomers = async (): Promise<void> => {
  const id = await create('customers', { email: 'eve@example.com' })
  ok(await patch('customers', id, { metadata: { likes: 'tea' } }))
  const reset = await create('customer_password_resets', { customer_email: 'eve@example.com' })
  const path = `/api/customer_password_resets/${reset}`
  const { reset_password_token } = singleOf(await core.get(path, core.tokens.admin)).data.attributes
  ok(
    await patch('customer_password_resets', reset, {
      _reset_password_token: reset_password_token,
      customer_password: 'a new password',
    }),
  )
}

/** A subscription of an order, which ends with it. */
const subscribe = async (): Promise<void> => {
  const frequencies = ['monthly']
  const model = await create('subscription_models', { name: 'Coffee', frequencies, auto_cancel: true })
  const market = encodeId('markets', 1)
  const relationships = { subscription_model: linkTo('subscription_models', model) }
  const body = { data: { type: 'markets', id: market, relationships } }
  ok(await core.send('PATCH', `/api/markets/${market}`, core.tokens.admin, body))
  const order = await cart()
  const lines = listOf(await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)).data
  const line = lines.find(({ attributes }) => attributes['item_type'] === 'skus')?.id ?? ''
  ok(await patch('line_items', line, { frequency: 'monthly' }))
  await move(order, '_place', '_create_subscriptions')
  const made = listOf(await core.get(`/api/orders/${order}/order_subscriptions`, core.tokens.admin)).data
  const id = made[0]?.id ?? ''
  ok(await patch('order_subscriptions', id, { _add_tags: 'sale' }))
  const links = {
    source_order: linkTo('orders', order),
    order_subscription: linkTo('order_subscriptions', id),
  }
  const copy = await create('recurring_order_copies', {}, links)
  await core.jobs.runUntilIdle()
  await remove('recurring_order_copies', copy)
  await core.pool.query(`UPDATE order_subscriptions SET renewal_alert_at = '2026-01-01'`)
  await runNow(core, alertRenewals)
  await move(order, '_cancel')
}

/** From yesterday on, and then until yesterday. */
const scheduleSale = async (): Promise<void> => {
  const id = await create(
    'price_list_schedulers',
    { name: 'Sale', starts_at: '2026-11-01T00:00:00Z', expires_at: '2026-12-24T00:00:00Z' },
    { market: one('markets', 1), price_list: one('price_lists', 1) },
  )
  ok(await patch('price_list_schedulers', id, { expires_at: '2026-11-02T00:00:00Z' }))
}

/** The tax service answers nothing; shipments are made again when goods are added. */
const failTaxes = async (): Promise<void> => {
  const url = `${shop.bank.url}/nothing`
  const calculator = await create('external_tax_calculators', { name: 'Away', tax_calculator_url: url })
  await core.send('PATCH', `/api/markets/${encodeId('markets', 1)}`, core.tokens.admin, {
    data: {
      type: 'markets',
      id: encodeId('markets', 1),
      relationships: { tax_calculator: linkTo('external_tax_calculators', calculator) },
    },
  })
  await move(await cart(), '_update_taxes')
}

beforeAll(async () => {
  core = await openCore('every_topic', {}, LOCAL)
  await freeShipping()
  await core.pool.query('UPDATE stock_items SET quantity = 1000')
  shop = await openShop()
  await createAndDelete()
  await tagRows()
  await promote()
  await giveGiftCard()
  await takeBack()
  await moveMoney()
  await packParcels()
  await changeCustomers()
  await subscribe()
  await scheduleSale()
  await failTaxes()
  const { rows } = await core.pool.query<{ name: string }>('SELECT DISTINCT name FROM events')
  for (const { name } of rows) emitted.add(name)
})
afterAll(async () => {
  await shop.bank.close()
  await core.close()
})

it.each(topics)('%s is emitted', (topic) => {
  expect([...emitted]).toContain(topic)
})
