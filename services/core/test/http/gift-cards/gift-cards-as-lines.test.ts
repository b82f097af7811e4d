/** Gift cards that orders buy as lines: one order each, for what is on them, active once it is placed. */
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { giftCardCalls } from '../support/gift-card-calls.ts'
import {
  ADDRESSES,
  at,
  attributesOf,
  checkoutCalls,
  linkTo,
  one,
  orderCalls,
  WITH_SHIPPING,
} from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('gift_cards_as_lines')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { draft, add, changeOrder, orderOf, remove, change } = orderCalls(() => core)
const { payable, send, pay, move } = checkoutCalls(() => core)
const { draftCard, activeCard, changeCard, balanceOf, topics } = giftCardCalls(() => core)

describe('a gift card that is bought', () => {
  const buy = (order: string, card: string, attributes: Body = {}) =>
    add(core.tokens.admin, order, { quantity: 1, ...attributes }, { item: linkTo('gift_cards', card) })

  const buying = async (card: string): Promise<string> => {
    const order = await draft({ customer_email: 'ada@example.com' })
    singleOf(await buy(order, card))
    await changeOrder(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) })
    await pay(order)
    return order
  }

  it('costs what is on it, and is active once the order is placed', async () => {
    const card = await draftCard()
    const order = await buying(card)
    expect(await orderOf(order)).toMatchObject({
      status: 'pending',
      subtotal_amount_cents: 2000,
      total_amount_cents: 2000,
      skus_count: 0,
      gift_card_amount_cents: 0,
    })
    expect(await move(order, '_place')).toEqual(['placed', 'authorized', 'not_required'])
    expect(await balanceOf(card)).toEqual(['active', 2000])
    expect(await topics()).toEqual(['create', 'purchase', 'activate'].map((event) => `gift_cards.${event}`))
    const spent = await payable('SKU-A', 1, { gift_card_code: 'GIFT2026' })
    expect(await move(spent, '_place')).toEqual(['placed', 'authorized', 'unfulfilled'])
  })

  it('cannot be used any more when its order is cancelled', async () => {
    const card = await draftCard()
    const order = await buying(card)
    await move(order, '_place', '_cancel')
    expect(await balanceOf(card)).toEqual(['inactive', 2000])
  })

  it('that is used up is no money again when its order is cancelled, and then the one that used it', async () => {
    const card = await draftCard({ single_use: true })
    const order = await buying(card)
    await move(order, '_place')
    const spent = await payable('SKU-A', 1, { gift_card_code: 'GIFT2026' })
    await move(spent, '_place')
    expect(await balanceOf(card)).toEqual(['redeemed', 0])
    await move(order, '_cancel')
    expect(await balanceOf(card)).toEqual(['inactive', 0])
    await move(spent, '_cancel')
    expect(await balanceOf(card)).toEqual(['inactive', 2000])
    expect((await topics()).at(-1)).toBe('gift_cards.deactivate')
  })

  it('is bought by one order only', async () => {
    const card = await draftCard()
    const [first, second] = [await buying(card), await buying(card)]
    await move(first, '_place')
    expect(at(await send(second, '_place'))).toEqual([
      ['422', '/data/relationships/line_items', 'invalid_gift_card'],
    ])
    await move(first, '_cancel')
    expect(await balanceOf(card)).toEqual(['inactive', 2000])
  })

  it('is sold for what is on it, also when that was changed since', async () => {
    const card = await draftCard()
    const order = await buying(card)
    await changeCard(card, { balance_cents: 900_000 })
    expect(at(await send(order, '_place'))).toEqual([
      ['422', '/data/relationships/line_items', 'invalid_gift_card'],
    ])
    expect(await balanceOf(card)).toEqual(['draft', 900_000])
  })

  it('costs what an integration says', async () => {
    const card = await draftCard()
    const order = await draft({ customer_email: 'ada@example.com' })
    expect(
      attributesOf(await buy(order, card, { unit_amount_cents: 1500, name: 'Discounted' })),
    ).toMatchObject({
      unit_amount_cents: 1500,
      name: 'Discounted',
    })
    await changeOrder(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) })
    await pay(order)
    expect((await move(order, '_place'))[0]).toBe('placed')
    expect(await balanceOf(card)).toEqual(['active', 2000])
  })

  it.each<[string, Body, Body, string, string]>([
    ['more than one of it', {}, { quantity: 2 }, 'attributes/quantity', 'equal_to'],
    ['an empty one', { balance_cents: 0 }, {}, 'relationships/item', 'no_balance'],
    ['one in another currency', { currency_code: 'USD' }, {}, 'relationships/item', 'currency_mismatch'],
    ['a SKU with it', {}, { sku_code: 'SKU-A' }, 'attributes/sku_code', 'invalid'],
  ])('is not %s', async (_case, card, line, pointer, error) => {
    const id = await draftCard(card)
    const order = await draft()
    expect(at(await buy(order, id, line))).toEqual([['422', `/data/${pointer}`, error]])
  })

  it('is a draft, and its line changes no more than its name', async () => {
    const card = await activeCard()
    const order = await draft()
    expect(at(await buy(order, card))).toEqual([['422', '/data/relationships/item', 'not_draft']])
    const line = singleOf(await buy(order, await draftCard({ code: 'GIFT2027' }))).data.id
    expect(at(await change(core.tokens.admin, line, { quantity: 2 }))).toEqual([
      ['422', '/data/attributes/quantity', 'not_editable'],
    ])
    expect(attributesOf(await change(core.tokens.admin, line, { name: 'For you' }))['name']).toBe('For you')
    expect((await remove(core.tokens.admin, line)).status).toBe(204)
  })
})
