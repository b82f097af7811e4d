/** Gift cards that orders pay with: by their code, taken from when an order is placed, given back when it is cancelled. */
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { giftCardCalls } from '../support/gift-card-calls.ts'
import {
  ADDRESSES,
  at,
  attributesOf,
  checkoutCalls,
  one,
  orderCalls,
  statusesOf,
  WITH_SHIPPING,
} from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('gift_cards_of_orders')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { changeOrder, orderOf, remove, change } = orderCalls(() => core)
const { cart, payable, send, move } = checkoutCalls(() => core)
const { draftCard, activeCard, changeCard, cardOf, balanceOf, topics } = giftCardCalls(() => core)

const linesOf = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/line_items?page[size]=25`, core.tokens.admin)).data
const lineOf = async (order: string, type: string) =>
  (await linesOf(order)).find(({ attributes }) => attributes['item_type'] === type)
const GIFT = { gift_card_code: 'GIFT2026' }

describe('a code', () => {
  it('takes what is on the card off the total, as a line, and goes with it', async () => {
    const id = await activeCard()
    const order = await cart('SKU-A', 1)
    expect(attributesOf(await changeOrder(order, GIFT))).toMatchObject({
      gift_card_code: 'GIFT2026',
      gift_card_or_coupon_code: 'GIFT2026',
      gift_card_amount_cents: -2000,
      discount_amount_cents: 0,
      total_amount_cents: 3700,
      total_amount_with_taxes_cents: 3700,
    })
    const line = await lineOf(order, 'gift_cards')
    expect(line?.attributes).toMatchObject({
      name: 'Gift card',
      quantity: 1,
      unit_amount_cents: -2000,
      total_amount_cents: -2000,
    })
    const response = await core.get(`/api/line_items/${line?.id ?? ''}/gift_card`, core.tokens.admin)
    expect(singleOf(response).data.id).toBe(id)
    expect(await balanceOf(id)).toEqual(['active', 2000])
    expect(attributesOf(await changeOrder(order, { gift_card_code: '' }))).toMatchObject({
      gift_card_code: null,
      gift_card_amount_cents: 0,
      total_amount_cents: 5700,
    })
    expect(await lineOf(order, 'gift_cards')).toBeUndefined()
  })

  it('pays what is due and no more, whatever the order comes to', async () => {
    await activeCard({ balance_cents: 9000 })
    const order = await cart('SKU-A', 1, GIFT)
    expect(await orderOf(order)).toMatchObject({ gift_card_amount_cents: -5700, total_amount_cents: 0 })
    const shirt = await lineOf(order, 'skus')
    await change(core.tokens.admin, shirt?.id ?? '', { quantity: 2 })
    expect(await orderOf(order)).toMatchObject({ gift_card_amount_cents: -9000, total_amount_cents: 1700 })
    await remove(core.tokens.admin, shirt?.id ?? '')
    expect(await orderOf(order)).toMatchObject({ gift_card_amount_cents: 0, total_amount_cents: 0 })
    expect(await lineOf(order, 'gift_cards')).toBeUndefined()
  })

  it('is spread over the lines before tax, unless the card says otherwise', async () => {
    await core.pool.query(
      `UPDATE price_lists SET tax_included = false WHERE id = 1;
       INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (1, 1, 'manual_tax_calculators', 'VAT');
       INSERT INTO tax_rules (id, environment_id, name, tax_rate, manual_tax_calculator_id, freight_taxable)
         VALUES (1, 1, 'VAT', 0.1, 1, true);
       UPDATE markets SET tax_calculator_id = 1 WHERE id = 1 AND environment_id = 1`,
    )
    const card = await activeCard({ balance_cents: 5700 })
    const order = await cart('SKU-A', 1)
    await changeOrder(order, GIFT, ADDRESSES)
    expect(await orderOf(order)).toMatchObject({
      gift_card_amount_cents: -5700,
      total_amount_cents: 0,
      total_tax_amount_cents: 0,
      total_taxable_amount_cents: 0,
      total_amount_with_taxes_cents: 0,
    })
    const { discount_cents: discount, discount_breakdown: breakdown } =
      (await lineOf(order, 'skus'))?.attributes ?? {}
    expect([discount, Object.values(breakdown ?? {})]).toEqual([
      -5000,
      [{ name: 'Gift card', cents: -5000, weight: 0.87719298, coupon_code: null }],
    ])
    attributesOf(await changeCard(card, { distribute_discount: false, _balance_change_cents: 1000 }))
    attributesOf(await changeOrder(order, { _refresh: true }))
    // It pays the tax too.
    expect(await orderOf(order)).toMatchObject({
      gift_card_amount_cents: -6270,
      total_amount_cents: 0,
      total_tax_amount_cents: 570,
      total_taxable_amount_cents: 5700,
      total_amount_with_taxes_cents: 0,
    })
  })

  it('may be its first eight characters, unless the organization wants all of it', async () => {
    await activeCard({ code: 'SUMMER-GIFT-2026' })
    const order = await cart('SKU-A', 1)
    const shown = attributesOf(await changeOrder(order, { gift_card_code: 'SUMMER-G' }))
    expect(shown).toMatchObject({ gift_card_code: 'SUMMER-GIFT-2026', gift_card_amount_cents: -2000 })
    await changeOrder(order, { gift_card_code: null })
    const refused = [['422', '/data/attributes/gift_card_code', 'noent_gift_card']]
    expect(at(await changeOrder(order, { gift_card_code: 'SUMMER-' }))).toEqual(refused)
    const setting = (value: string) =>
      core.pool.query(`UPDATE environments SET settings = ${value} WHERE id = 1`)
    await setting(`settings || '{"gift_cards_exact_code_matching": true}'`)
    expect(at(await changeOrder(order, { gift_card_code: 'SUMMER-G' }))).toEqual(refused)
    await setting(`settings - 'gift_cards_exact_code_matching'`)
    await activeCard({ code: 'SUMMER-GIFT-2027' })
    expect(at(await changeOrder(order, { gift_card_code: 'SUMMER-G' }))).toEqual(refused)
  })

  it.each<[string, Body, string, string]>([
    ['that nobody made', {}, 'NOTHING8', 'noent_gift_card'],
    ['of an expired card', { expires_at: '2020-01-01T00:00:00Z' }, 'GIFT2026', 'expired'],
    ['of a card for somebody else', { recipient_email: 'eve@example.com' }, 'GIFT2026', 'invalid_recipient'],
    ['of a card in another currency', { currency_code: 'USD' }, 'GIFT2026', 'invalid'],
    ['of an empty card', { balance_cents: 0 }, 'GIFT2026', 'used_up'],
  ])('%s is refused', async (_case, card, code, error) => {
    await activeCard(card)
    const order = await cart('SKU-A', 1)
    expect(at(await changeOrder(order, { gift_card_code: code }))).toEqual([
      ['422', '/data/attributes/gift_card_code', error],
    ])
  })

  it('of a card that is not active is refused', async () => {
    const id = await draftCard()
    const order = await cart('SKU-A', 1)
    const refused = [['422', '/data/attributes/gift_card_code', 'inactive']]
    expect(at(await changeOrder(order, GIFT))).toEqual(refused)
    await changeCard(id, { _purchase: true })
    expect(at(await changeOrder(order, GIFT))).toEqual(refused)
  })

  it('is kept without effect where the organization wants no errors', async () => {
    const setting = 'orders_invalid_gift_card_errors'
    await core.pool.query(
      `UPDATE environments SET settings = settings || '{"${setting}": false}' WHERE id = 1`,
    )
    const order = await payable('SKU-A', 1, { gift_card_code: 'NOTHING8' })
    expect(await orderOf(order)).toMatchObject({ gift_card_code: 'NOTHING8', gift_card_amount_cents: 0 })
    expect(statusesOf(await send(order, '_place'))[0]).toBe('placed')
    await core.pool.query(`UPDATE environments SET settings = settings - '${setting}' WHERE id = 1`)
  })

  it('is found by gift_card_or_coupon_code too, and taken away by an empty one', async () => {
    await activeCard()
    const order = await cart('SKU-A', 1)
    const either = (value: string | null) => changeOrder(order, { gift_card_or_coupon_code: value })
    expect(attributesOf(await either('GIFT2026'))).toMatchObject({
      ...GIFT,
      coupon_code: null,
      gift_card_amount_cents: -2000,
    })
    expect(attributesOf(await either(null))).toMatchObject({
      gift_card_code: null,
      gift_card_amount_cents: 0,
    })
    expect(at(await either('NOTHING8'))).toEqual([
      ['422', '/data/attributes/gift_card_or_coupon_code', 'noent'],
    ])
  })

  it('goes with the currency of the order, and its line is not deleted by hand', async () => {
    await activeCard()
    const order = await cart('SKU-B', 1, GIFT)
    const line = await lineOf(order, 'gift_cards')
    expect((await remove(core.tokens.admin, line?.id ?? '')).status).toBe(423)
    const moved = attributesOf(await changeOrder(order, {}, { market: one('markets', 2) }))
    expect(moved).toMatchObject({ currency_code: 'USD', gift_card_amount_cents: 0 })
  })
})

describe('placing', () => {
  it('takes the amount off the card, once, and logs it', async () => {
    const id = await activeCard()
    const order = await payable('SKU-A', 1, GIFT)
    expect(await move(order, '_place', '_place')).toEqual(['placed', 'authorized', 'unfulfilled'])
    expect(await cardOf(id)).toMatchObject({
      status: 'active',
      balance_cents: 0,
      initial_balance_cents: 2000,
      usage_log: {
        [order]: [
          {
            action: 'use',
            amount_cents: -2000,
            balance_cents: 0,
            order_number: (await orderOf(order))['number'],
            datetime: expect.any(String) as unknown,
          },
        ],
      },
    })
    expect(await topics()).toEqual(
      ['create', 'purchase', 'activate', 'use'].map((event) => `gift_cards.${event}`),
    )
  })

  it('needs no payment when the card pays everything', async () => {
    const id = await activeCard({ balance_cents: 6000 })
    const order = await cart('SKU-A', 1, GIFT)
    await changeOrder(order, {}, ADDRESSES)
    expect(await move(order, '_place', '_approve')).toEqual(['approved', 'free', 'in_progress'])
    expect(await balanceOf(id)).toEqual(['active', 300])
  })

  it.each<[string, Body, unknown]>([
    ['for one use', { single_use: true, balance_cents: 6000 }, 300],
    ['that is not rechargeable', { rechargeable: false, balance_cents: 5700 }, 0],
  ])('redeems a card %s, and cancelling makes it active again', async (_case, card, left) => {
    const id = await activeCard(card)
    const order = await cart('SKU-A', 1, GIFT)
    await changeOrder(order, {}, ADDRESSES)
    await move(order, '_place')
    expect(await balanceOf(id)).toEqual(['redeemed', left])
    const other = await cart('SKU-A', 1)
    expect(at(await changeOrder(other, GIFT))).toEqual([
      ['422', '/data/attributes/gift_card_code', 'used_up'],
    ])
    expect(at(await changeCard(id, { _balance_change_cents: -1 }))[0]?.[2]).toBe('redeemed')
    await move(order, '_cancel')
    expect(await balanceOf(id)).toEqual(['active', card['balance_cents']])
    expect((await topics()).slice(3)).toEqual(
      ['use', 'redeem', 'activate'].map((event) => `gift_cards.${event}`),
    )
  })

  it('is refused when another order has used the card since', async () => {
    const id = await activeCard()
    const [first, second] = [await payable('SKU-A', 1, GIFT), await payable('SKU-A', 1, GIFT)]
    await move(first, '_place')
    expect(at(await send(second, '_place'))).toEqual([['422', '/data/attributes/gift_card_code', 'used_up']])
    await changeOrder(second, { gift_card_code: null })
    expect(statusesOf(await send(second, '_place'))[0]).toBe('placed')
    expect(await balanceOf(id)).toEqual(['active', 0])
  })

  it('is refused when less is left than the order takes, until it is refreshed', async () => {
    const id = await activeCard()
    const order = await payable('SKU-A', 1, GIFT)
    await changeCard(id, { _balance_change_cents: -500 })
    expect(at(await send(order, '_place'))).toEqual([
      ['422', '/data/attributes/gift_card_code', 'invalid_gift_card'],
    ])
    await changeOrder(order, { _refresh: true })
    expect(await orderOf(order)).toMatchObject({ gift_card_amount_cents: -1500 })
    expect(statusesOf(await send(order, '_place'))[0]).toBe('placed')
    expect(await balanceOf(id)).toEqual(['active', 0])
  })

  it('later takes it too, or says why it could not', async () => {
    const id = await activeCard()
    const order = await payable('SKU-A', 1, { ...GIFT, place_async: true })
    const other = await payable('SKU-A', 1, { ...GIFT, place_async: true })
    await move(order, '_place')
    await move(other, '_place')
    await core.jobs.runUntilIdle()
    const statuses = [(await orderOf(order))['status'], (await orderOf(other))['status']]
    expect(statuses.toSorted()).toEqual(['placed', 'placing'])
    expect(await balanceOf(id)).toEqual(['active', 0])
  })
})

describe('what was taken', () => {
  it('is given back when the order is cancelled, once', async () => {
    const id = await activeCard()
    const order = await payable('SKU-A', 1, GIFT)
    await move(order, '_place', '_cancel', '_cancel')
    const { balance_cents: balance, usage_log: log } = await cardOf(id)
    expect(balance).toBe(2000)
    expect((log as Record<string, readonly Body[]>)[order]).toMatchObject([
      { action: 'use', amount_cents: -2000 },
      { action: 'refund', amount_cents: 2000, balance_cents: 2000 },
    ])
  })

  it('is given back when all money of the order is refunded', async () => {
    const id = await activeCard()
    const order = await payable('SKU-A', 1, GIFT)
    expect(await move(order, '_place', '_approve_and_capture', '_refund')).toEqual([
      'cancelled',
      'refunded',
      'unfulfilled',
    ])
    expect(await balanceOf(id)).toEqual(['active', 2000])
  })

  it('follows an order that is edited', async () => {
    const id = await activeCard({ balance_cents: 8000, single_use: true })
    const order = await payable('SKU-A', 2, GIFT)
    await move(order, '_place', '_start_editing')
    expect(await balanceOf(id)).toEqual(['redeemed', 0])
    const shirts = await lineOf(order, 'skus')
    await change(core.tokens.admin, shirts?.id ?? '', { quantity: 1 })
    expect(await orderOf(order)).toMatchObject({ gift_card_amount_cents: -5700, total_amount_cents: 0 })
    expect(await balanceOf(id)).toEqual(['redeemed', 0])
    await move(order, '_stop_editing')
    expect(await balanceOf(id)).toEqual(['redeemed', 2300])
    await move(order, '_start_editing')
    await changeOrder(order, { gift_card_code: null })
    // Without the card the order would cost more than it was placed for.
    expect(at(await send(order, '_stop_editing'))[0]?.[2]).not.toBeUndefined()
  })
})
