/** Gift cards and recipients as resources: what they take, what they refuse, how a balance moves by hand, and who sees them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { giftCardCalls } from '../support/gift-card-calls.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('gift_card_records')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { sendCard, changeCard, draftCard, activeCard, cardOf } = giftCardCalls(() => core)
const guest = () => core.tokens.mint(salesChannel([1]))

describe('a gift card', () => {
  it('begins as a draft with its balance and a code of its own', async () => {
    const response = await sendCard({ currency_code: 'EUR', balance_cents: 5000 })
    expect(attributesOf(response)).toMatchObject({
      status: 'draft',
      code: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      balance_cents: 5000,
      initial_balance_cents: 5000,
      formatted_balance: '€50,00',
      balance_max_cents: null,
      balance_log: [],
      usage_log: {},
      single_use: false,
      rechargeable: true,
      distribute_discount: true,
      expires_at: null,
    })
  })

  it('has the currency of its market', async () => {
    const market = { market: one('markets', 2) }
    expect(attributesOf(await sendCard({ balance_cents: 100 }, market))).toMatchObject({
      currency_code: 'USD',
    })
    expect(at(await sendCard({ balance_cents: 100, currency_code: 'EUR' }, market))).toEqual([
      ['422', '/data/attributes/currency_code', 'currency_mismatch'],
    ])
  })

  it.each<[string, Body, string, string]>([
    ['no currency and no market', { currency_code: null }, 'currency_code', 'blank'],
    ['no balance', { balance_cents: null }, 'balance_cents', 'blank'],
    ['a negative balance', { balance_cents: -1 }, 'balance_cents', 'greater_than_or_equal_to'],
    ['more than its ceiling', { balance_max_cents: 10 }, 'balance_cents', 'less_than_or_equal_to'],
    ['a short code', { code: 'GIFT' }, 'code', 'too_short'],
    ['a long code', { code: 'G'.repeat(41) }, 'code', 'too_long'],
  ])('is refused with %s', async (_case, attributes, name, error) => {
    const response = await sendCard({ currency_code: 'EUR', balance_cents: 2000, ...attributes })
    expect(at(response)).toEqual([['422', `/data/attributes/${name}`, error]])
  })

  it('is the only one with its code', async () => {
    await draftCard()
    const again = await sendCard({ currency_code: 'EUR', balance_cents: 1, code: 'GIFT2026' })
    expect(at(again)).toEqual([['422', '/data/attributes/code', 'taken']])
  })

  it('is purchased, activated and deactivated by integrations', async () => {
    const id = await draftCard()
    const statuses: unknown[] = []
    for (const trigger of ['_purchase', '_activate', '_deactivate', '_activate', '_activate'])
      statuses.push(attributesOf(await changeCard(id, { [trigger]: true }))['status'])
    expect(statuses).toEqual(['inactive', 'active', 'inactive', 'active', 'active'])
    expect(at(await changeCard(id, { _purchase: true }))).toEqual([
      ['422', '/data/attributes/status', 'invalid_transition'],
    ])
  })

  it('keeps its currency once it is no draft', async () => {
    const id = await draftCard()
    expect(attributesOf(await changeCard(id, { currency_code: 'USD' }))).toMatchObject({
      currency_code: 'USD',
    })
    await changeCard(id, { _purchase: true })
    expect(at(await changeCard(id, { currency_code: 'EUR' }))).toEqual([
      ['422', '/data/attributes/currency_code', 'not_editable'],
    ])
  })

  it('is not deleted while a line item is of it', async () => {
    const id = await draftCard()
    const order = singleOf(
      await core.send('POST', '/api/orders', core.tokens.admin, {
        data: { type: 'orders', attributes: {}, relationships: { market: one('markets', 1) } },
      }),
    ).data.id
    singleOf(
      await core.send('POST', '/api/line_items', core.tokens.admin, {
        data: {
          type: 'line_items',
          attributes: { quantity: 1 },
          relationships: { order: linkTo('orders', order), item: linkTo('gift_cards', id) },
        },
      }),
    )
    expect((await core.send('DELETE', `/api/gift_cards/${id}`, core.tokens.admin)).status).toBe(423)
    await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)
    expect((await core.send('DELETE', `/api/gift_cards/${id}`, core.tokens.admin)).status).toBe(204)
  })
})

describe('a balance', () => {
  it('of a draft is what the card begins with', async () => {
    const id = await draftCard()
    expect(attributesOf(await changeCard(id, { balance_cents: 700 }))).toMatchObject({
      initial_balance_cents: 700,
      balance_log: [],
    })
  })

  it('changes by an amount, and every change is logged', async () => {
    const id = await activeCard()
    await changeCard(id, { _balance_change_cents: 500 })
    await changeCard(id, { balance_cents: 2100 })
    const { balance_cents: balance, initial_balance_cents: initial, balance_log: log } = await cardOf(id)
    expect([balance, initial]).toEqual([2100, 2000])
    expect(log).toEqual([
      { datetime: expect.any(String) as unknown, balance_change_cents: 500 },
      { datetime: expect.any(String) as unknown, balance_change_cents: -400 },
    ])
  })

  it('keeps the newest hundred of its log', async () => {
    const id = await activeCard()
    await core.pool.query(
      `UPDATE gift_cards SET balance_log = (SELECT jsonb_agg('{"datetime":"2026-01-01T00:00:00.000Z","balance_change_cents":1}'::jsonb)
        FROM generate_series(1, 100))`,
    )
    const { balance_log: log } = attributesOf(await changeCard(id, { _balance_change_cents: 7 }))
    expect((log as readonly Body[]).map((entry) => entry['balance_change_cents'])).toEqual([
      ...Array<number>(99).fill(1),
      7,
    ])
  })

  it.each<[string, Body, Body, string]>([
    ['below zero', {}, { _balance_change_cents: -2001 }, 'greater_than_or_equal_to'],
    [
      'above its ceiling',
      { balance_max_cents: 2500 },
      { _balance_change_cents: 501 },
      'less_than_or_equal_to',
    ],
    [
      'on a card that is not rechargeable',
      { rechargeable: false },
      { _balance_change_cents: 1 },
      'not_rechargeable',
    ],
    ['beyond all amounts', {}, { _balance_change_cents: Number.MAX_SAFE_INTEGER }, 'less_than_or_equal_to'],
    ['twice in one request', {}, { _balance_change_cents: 1, balance_cents: 5 }, 'invalid'],
  ])('is not changed %s', async (_case, card, attributes, error) => {
    const id = await activeCard(card)
    expect(at(await changeCard(id, attributes))).toEqual([
      ['422', '/data/attributes/_balance_change_cents', error],
    ])
    expect(await cardOf(id)).toMatchObject({ balance_cents: 2000, balance_log: [] })
  })

  it('does not get a ceiling that is below it', async () => {
    const id = await activeCard()
    expect(at(await changeCard(id, { balance_max_cents: 1999 }))).toEqual([
      ['422', '/data/attributes/balance_max_cents', 'less_than_or_equal_to'],
    ])
  })

  it('changes by every amount when many are sent at once', async () => {
    const id = await activeCard({ balance_max_cents: 2_000_000 })
    await Promise.all(Array.from({ length: 20 }, () => changeCard(id, { _balance_change_cents: 10 })))
    const { balance_cents: balance, balance_log: log } = await cardOf(id)
    expect([balance, (log as readonly unknown[]).length]).toEqual([2200, 20])
  })
})

describe('a recipient', () => {
  const recipientsOf = async (id: string) =>
    singleOf(await core.get(`/api/gift_cards/${id}/gift_card_recipient`, core.tokens.admin)).data

  it('is found or made by an email', async () => {
    const first = await draftCard({ recipient_email: 'eve@example.com' })
    const second = await draftCard({ code: 'GIFT2027', recipient_email: 'Eve@Example.com' })
    expect((await recipientsOf(first)).id).toBe((await recipientsOf(second)).id)
    expect(attributesOf(await changeCard(first, { recipient_email: null }))['recipient_email']).toBeNull()
  })

  it('made by a sales channel is always a new one, so that nobody is looked up by their email', async () => {
    const first = await draftCard({ recipient_email: 'eve@example.com' })
    const response = await sendCard(
      { currency_code: 'EUR', balance_cents: 100, recipient_email: 'eve@example.com' },
      {},
      await guest(),
    )
    expect((await recipientsOf(singleOf(response).data.id)).id).not.toBe((await recipientsOf(first)).id)
  })

  it('gives its email, also when that changes', async () => {
    const recipient = singleOf(
      await core.send('POST', '/api/gift_card_recipients', core.tokens.admin, {
        data: { type: 'gift_card_recipients', attributes: { email: 'eve@example.com', first_name: 'Eve' } },
      }),
    ).data.id
    const id = await draftCard({}, { gift_card_recipient: linkTo('gift_card_recipients', recipient) })
    expect((await cardOf(id))['recipient_email']).toBe('eve@example.com')
    await core.send('PATCH', `/api/gift_card_recipients/${recipient}`, core.tokens.admin, {
      data: { type: 'gift_card_recipients', id: recipient, attributes: { email: 'eve@example.org' } },
    })
    expect((await cardOf(id))['recipient_email']).toBe('eve@example.org')
    const other = await sendCard(
      { currency_code: 'EUR', balance_cents: 1, recipient_email: 'bob@example.com' },
      { gift_card_recipient: linkTo('gift_card_recipients', recipient) },
    )
    expect(at(other)).toEqual([['422', '/data/attributes/recipient_email', 'invalid']])
  })
})

describe('sales channels', () => {
  it('make and change drafts, and move none of them on', async () => {
    const token = await guest()
    const id = singleOf(await sendCard({ currency_code: 'EUR', balance_cents: 100 }, {}, token)).data.id
    expect(attributesOf(await changeCard(id, { balance_cents: 200 }, token))['balance_cents']).toBe(200)
    for (const trigger of ['_purchase', '_activate', '_deactivate'])
      expect((await changeCard(id, { [trigger]: true }, token)).status).toBe(401)
    expect((await cardOf(id))['status']).toBe('draft')
  })

  it('see nothing of a card that is no draft, or of another market', async () => {
    const token = await guest()
    const id = await draftCard()
    expect((await core.get(`/api/gift_cards/${id}`, token)).status).toBe(200)
    await changeCard(id, { _purchase: true })
    expect((await core.get(`/api/gift_cards/${id}`, token)).status).toBe(401)
    expect((await changeCard(id, { balance_cents: 1 }, token)).status).toBe(401)
    const elsewhere = await draftCard({ code: 'GIFT2027', currency_code: 'USD' })
    expect((await core.get(`/api/gift_cards/${elsewhere}`, token)).status).toBe(401)
    expect((await core.get('/api/gift_cards', token)).status).toBe(401)
  })
})

test('a gift card of nobody is not found', async () => {
  expect((await core.get(`/api/gift_cards/${encodeId('gift_cards', 999)}`, core.tokens.admin)).status).toBe(
    404,
  )
})
