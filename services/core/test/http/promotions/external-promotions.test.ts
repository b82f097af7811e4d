/** Promotions that a service of the shop's own decides: what it is asked, and what its answers mean. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { isSignedWith } from '../../../src/outside/signature.ts'
import { listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import {
  at,
  attributesOf,
  checkoutCalls,
  orderCalls,
  statusesOf,
  WITH_SHIPPING,
} from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { promotionCalls } from '../support/promotion-calls.ts'
import { openShopService } from '../support/shop-service.ts'
import type { Asked, ShopService } from '../support/shop-service.ts'

let core: TestCore
let service: ShopService

beforeAll(async () => {
  core = await openCore('external_promotions', {}, { OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' })
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
  await core.pool.query(`UPDATE environments SET settings = settings - 'external_promotions_errors'`)
  service = await openShopService()
})
afterEach(() => service.close())
afterAll(() => core.close())

const { changeOrder, orderOf, add } = orderCalls(() => core)
const { cart, payable, send } = checkoutCalls(() => core)
const { promote, rule, discountsOf } = promotionCalls(() => core)

const asks = (attributes: Body = {}) =>
  promote('external', { name: 'Loyalty', promotion_url: service.url, ...attributes })
const gives = (data: Body) => () => ({ body: { success: true, data } })
const refresh = (order: string) => changeOrder(order, { _refresh: true })
const shown = async (id: string) =>
  attributesOf(await core.get(`/api/external_promotions/${id}`, core.tokens.admin))

test('it is asked with the order as it will be, signed, and its discount is shared', async () => {
  const promotion = await asks()
  service.answer = gives({ name: 'Gold', discount_cents: 500, metadata: { level: 'gold' } })
  const order = await cart('SKU-A', 2)
  expect(await discountsOf(order)).toEqual([['Gold', -500]])
  const asked = service.asked.at(-1)
  const { shared_secret: secret } = await shown(promotion)
  expect(isSignedWith(asked?.text ?? '', String(secret), asked?.signature ?? '')).toBe(true)
  expect(asked?.document.data).toMatchObject({
    type: 'orders',
    id: order,
    attributes: { subtotal_amount_cents: 10_000, discount_amount_cents: 0 },
  })
  expect(asked?.document.included?.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['markets', 'customers']),
  )
  const lines = listOf(await core.get(`/api/orders/${order}/line_items`, core.tokens.admin)).data
  const line = lines.find(({ attributes }) => attributes['item_type'] === 'external_promotions')
  expect(line?.attributes).toMatchObject({ name: 'Gold', metadata: { level: 'gold' } })
  expect(await orderOf(order)).toMatchObject({ discount_amount_cents: -500 })
})

test('a discount may be given below zero, and is at most what the goods are worth', async () => {
  await asks()
  service.answer = gives({ discount_cents: -99_999 })
  expect(await discountsOf(await cart('SKU-A', 2))).toEqual([['Loyalty', -10_000]])
})

test('it may be for some lines, or in parts', async () => {
  await asks()
  const order = await cart('SKU-A', 1)
  await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 1 })
  const idsOf = ({ document }: Asked) =>
    (document.included ?? [])
      .filter(({ type }) => type === 'line_items')
      .filter(({ attributes }) => typeof attributes['sku_code'] === 'string')
      .map(({ id }) => id)
  service.answer = (asked) => ({
    body: { success: true, data: { discount_cents: 300, line_items: idsOf(asked).slice(1, 2) } },
  })
  await refresh(order)
  const discounts = async () =>
    listOf(await core.get(`/api/orders/${order}/line_items?sort=id`, core.tokens.admin))
      .data.filter(({ attributes }) => attributes['item_type'] === 'skus')
      .map(({ attributes }) => attributes['discount_cents'])
  expect(await discounts()).toEqual([0, -300])
  service.answer = (asked) => ({
    body: {
      success: true,
      data: {
        discount_cents: 300,
        line_items: idsOf(asked)
          .slice(0, 2)
          .map((id, place) => ({ id, discount_cents: 100 * (place + 1) })),
      },
    },
  })
  await refresh(order)
  expect(await discounts()).toEqual([-100, -200])
})

test('it is not asked while its other rules are not met', async () => {
  const promotion = await asks()
  await rule('order_amount', promotion, 'external', { order_amount_cents: 9_999 })
  service.answer = gives({ discount_cents: 500 })
  const order = await cart('SKU-A', 1)
  expect(service.asked).toHaveLength(0)
  await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
  expect(service.asked.length).toBeGreaterThan(0)
})

describe('without a usable answer', () => {
  it.each<[string, ShopService['answer']]>([
    ['a failure', () => ({ status: 500, body: '' })],
    ['no JSON', () => ({ body: 'hello' })],
    ['no discount', gives({ name: 'Gold' })],
    ['a discount in parts of cents', gives({ discount_cents: 1.5 })],
    ['a refusal', () => ({ body: { success: false, error: { code: 'NO', message: 'not today' } } })],
  ])('such as %s, the order goes without it', async (_name, answer) => {
    await asks()
    service.answer = answer
    expect(await discountsOf(await cart('SKU-A', 1))).toEqual([])
  })

  it('its circuit counts, opens after more than 30, and is reset', async () => {
    const promotion = await asks()
    service.answer = () => ({ status: 500, body: '' })
    const order = await cart('SKU-A', 1)
    expect(await shown(promotion)).toMatchObject({ circuit_state: 'closed', circuit_failure_count: 1 })
    await core.pool.query('UPDATE promotions SET circuit_failure_count = 30')
    await refresh(order)
    expect(await shown(promotion)).toMatchObject({ circuit_state: 'open', circuit_failure_count: 31 })
    const before = service.asked.length
    await refresh(order)
    expect(service.asked).toHaveLength(before)
    const type = 'external_promotions'
    const data = { type, id: promotion, attributes: { _reset_circuit: true } }
    await core.send('PATCH', `/api/${type}/${promotion}`, core.tokens.admin, { data })
    service.answer = gives({ discount_cents: 500 })
    await refresh(order)
    expect(await discountsOf(order)).toEqual([['Loyalty', -500]])
  })

  it('the order is refused where the organization wants errors', async () => {
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"external_promotions_errors": true}'`,
    )
    const order = await cart('SKU-A', 1)
    await asks()
    service.answer = () => ({ body: { success: false, error: { code: 'NO', message: 'not today' } } })
    expect(at(await refresh(order))).toEqual([
      ['422', '/data/attributes/discount_amount_cents', 'external_promotion_failed'],
    ])
  })
})

test('an order with it is placed, and the use is counted', async () => {
  const promotion = await asks()
  service.answer = gives({ discount_cents: 500 })
  const order = await payable('SKU-A', 2)
  expect(statusesOf(await send(order, '_place'))[0]).toBe('placed')
  expect(await shown(promotion)).toMatchObject({ total_usage_count: 1 })
  const { rows } = await core.pool.query('SELECT 1 FROM promotion_uses WHERE order_id = $1', [
    decodeId('orders', order),
  ])
  expect(rows).toHaveLength(1)
})
