/** Bundles in promotions, free gifts and subscriptions (docs/adr/0120). */
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bundleCalls, OUTFIT } from '../support/bundle-calls.ts'
import { ADDRESSES, at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('bundles_around_orders')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { bundleOf, listOfSkus, makeOf, create, remove } = bundleCalls(() => core)
const { draft, add, changeOrder, orderOf } = orderCalls(() => core)

const addTo = (order: string, attributes: Body) => add(core.tokens.admin, order, attributes)
const get = async (path: string) => listOf(await core.get(`/api/${path}`, core.tokens.admin)).data
const bundled = (quantity: number): Body => ({ bundle_code: 'OUTFIT', quantity })

const promotion = (type: string, attributes: Body, list: string) =>
  create(
    type,
    { name: 'P', starts_at: '2020-01-01T00:00:00Z', expires_at: '2090-01-01T00:00:00Z', ...attributes },
    { sku_list: linkTo('sku_lists', list) },
  )

it('a promotion of the same list is for a bundle, one of another list is not', async () => {
  const list = await listOfSkus(OUTFIT)
  singleOf(await makeOf(list))
  singleOf(await promotion('percentage_discount_promotions', { percentage: 10 }, list))
  singleOf(await promotion('percentage_discount_promotions', { percentage: 50 }, await listOfSkus(OUTFIT)))
  const order = await draft()
  singleOf(await addTo(order, bundled(2)))
  expect(await orderOf(order)).toMatchObject({ discount_amount_cents: -2400, total_amount_cents: 21_600 })
})

it('bundles of the list of a free gift are offered, and free once they are in the order', async () => {
  const list = await listOfSkus(OUTFIT)
  const bundle = singleOf(await makeOf(list)).data.id
  await makeOf(list, { code: 'ELSEWHERE' }, { market: one('markets', 4) })
  singleOf(await promotion('free_gift_promotions', { max_quantity: 1 }, list))
  const order = await draft()
  expect((await get(`orders/${order}/available_free_bundles`)).map(({ id }) => id)).toEqual([bundle])
  singleOf(await addTo(order, bundled(2)))
  expect(await orderOf(order)).toMatchObject({ discount_amount_cents: -12_000 })
})

it('an order of nothing but bundles is taxed', async () => {
  await core.pool
    .query(`INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (1, 1, 'manual_tax_calculators', 'VAT');
    INSERT INTO tax_rules (environment_id, name, tax_rate, manual_tax_calculator_id) VALUES (1, 'VAT', 0.22, 1);
    UPDATE markets SET tax_calculator_id = 1 WHERE environment_id = 1 AND id = 1`)
  await bundleOf()
  const order = await draft()
  singleOf(await addTo(order, bundled(1)))
  singleOf(await changeOrder(order, {}, ADDRESSES))
  // Prices include it: 12,000 × 0.22 / 1.22 = 2163.93.
  expect(attributesOf(await changeOrder(order, { _update_taxes: true }))).toMatchObject({
    subtotal_tax_amount_cents: 2164,
  })
})

it('a subscription item may be of a bundle, at its price', async () => {
  const bundle = await bundleOf()
  await core.pool
    .query(`INSERT INTO subscription_models (id, environment_id, name, frequencies) VALUES (1, 1, 'M', '["monthly"]');
    INSERT INTO order_subscriptions (id, environment_id, number, frequency, market_id, customer_id, source_order_id, subscription_model_id,
        status) VALUES (1, 1, 'S', 'monthly', 1, 1, 2, 1, 'active')`)
  const links = { order_subscription: one('order_subscriptions', 1) }
  const byCode = await create('order_subscription_items', { bundle_code: 'OUTFIT', quantity: 2 }, links)
  expect(attributesOf(byCode)).toMatchObject({
    bundle_code: 'OUTFIT',
    unit_amount_cents: 12_000,
    total_amount_cents: 24_000,
  })
  const { id } = singleOf(byCode).data
  const read = await core.get(`/api/order_subscription_items/${id}?include=item,bundle`, core.tokens.admin)
  expect(singleOf(read).included?.map((each) => each.id)).toEqual([bundle])
  expect(at(await create('order_subscription_items', { bundle_code: 'NOPE', quantity: 1 }, links))).toEqual([
    ['422', '/data/attributes/bundle_code', 'not_found'],
  ])
  const other = await bundleOf(OUTFIT, {}, { market: one('markets', 4) })
  const foreign = { ...links, item: linkTo('bundles', other) }
  expect(at(await create('order_subscription_items', { quantity: 1 }, foreign))).toEqual([
    ['422', '/data/relationships/item', 'other_market'],
  ])
  expect((await remove('bundles', bundle)).status).toBe(423)
})
