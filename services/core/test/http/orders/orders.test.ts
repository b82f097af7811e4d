/** contract, Scopes rule 5: a new order belongs to the market and the store in scope. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, openCore, salesChannel, singleOf, storeClaim } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('orders')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Body = Readonly<Record<string, unknown>>

const one = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
const INCLUDE = 'include=market,store,customer'

const create = async (token: string, data: Body = {}, include = INCLUDE) =>
  core.send('POST', `/api/orders?${include}`, token, { data: { type: 'orders', ...data } })

const linked = (response: Awaited<ReturnType<typeof create>>, name: string) =>
  singleOf(response).data.relationships?.[name]?.data

const at = (response: Awaited<ReturnType<typeof create>>) =>
  errorsOf(response).map(({ status, source, meta }) => [status, source?.pointer, meta?.['error']])

describe('POST /api/orders', () => {
  it('takes market, store, currency and number from the scope of a sales channel', async () => {
    const token = await core.tokens.mint(salesChannel([], { market: undefined, store: storeClaim(1) }))
    const response = await create(token, {}, '')
    expect(response.status).toBe(201)
    expect(singleOf(response).data.attributes).toMatchObject({
      status: 'draft',
      payment_status: 'unpaid',
      fulfillment_status: 'unfulfilled',
      currency_code: 'EUR',
      tax_included: true,
      language_code: 'en',
      total_amount_cents: 0,
      formatted_total_amount: '€0,00',
      number: expect.stringMatching(/^\d+$/) as unknown,
    })
    const { rows } = await core.pool.query('SELECT market_id, store_id FROM orders WHERE id >= 5000')
    expect(rows).toEqual([{ market_id: 1, store_id: 1 }])
  })

  it('can be read again by the sales channel that made it', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const { data } = singleOf(await create(token, {}, ''))
    expect((await core.get(`/api/orders/${data.id}`, token)).status).toBe(200)
    const elsewhere = await core.tokens.mint(salesChannel([2]))
    expect((await core.get(`/api/orders/${data.id}`, elsewhere)).status).toBe(401)
  })

  it('of a customer is theirs, whatever was sent', async () => {
    const token = await core.tokens.mint(customer(1, [1]))
    const response = await create(token, {}, 'include=customer')
    expect(linked(response, 'customer')).toEqual(one('customers', 1).data)
    expect(singleOf(response).data.attributes['customer_email']).toBe('ada@example.com')
    const other = await create(token, { relationships: { customer: one('customers', 2) } }, '')
    expect(at(other)).toEqual([['422', '/data/relationships/customer', 'noent']])
  })

  it('of an integration names its market, and may name a store of it', async () => {
    const relationships = {
      market: one('markets', 1),
      store: one('stores', 1),
      shipping_address: one('addresses', 2),
    }
    const response = await create(core.tokens.admin, { relationships })
    expect([linked(response, 'market'), linked(response, 'store')]).toEqual([
      relationships.market.data,
      relationships.store.data,
    ])
    expect(singleOf(response).data.attributes['country_code']).toBe('US')
  })

  it.each<[string, Body, readonly unknown[]]>([
    ['no market', {}, ['422', '/data/relationships/market', 'blank']],
    [
      'a disabled market',
      { relationships: { market: one('markets', 3) } },
      ['422', '/data/relationships/market', 'disabled'],
    ],
    [
      'a store of another market',
      { relationships: { market: one('markets', 2), store: one('stores', 1) } },
      ['422', '/data/relationships/store', 'invalid'],
    ],
    [
      'a coupon that does not exist',
      { attributes: { coupon_code: 'X' }, relationships: { market: one('markets', 1) } },
      ['422', '/data/attributes/coupon_code', 'noent_coupon'],
    ],
    [
      'a payment method of another market',
      { relationships: { market: one('markets', 1), payment_method: one('payment_methods', 2) } },
      ['422', '/data/relationships/payment_method', 'unavailable'],
    ],
    [
      'a market of another organization, once',
      { relationships: { market: one('markets', 1001) } },
      ['422', '/data/relationships/market', 'noent'],
    ],
    [
      'a payment source that is not there',
      {
        relationships: {
          market: one('markets', 1),
          payment_source: { data: { type: 'wire_transfers', id: 'xxxxxxxxxx' } },
        },
      },
      ['422', '/data/relationships/payment_source', 'noent'],
    ],
  ])('refuses %s', async (_name, data, expected) => {
    expect(at(await create(core.tokens.admin, data, ''))).toEqual([expected])
  })

  it('refuses a market or a store other than the one in scope', async () => {
    const token = await core.tokens.mint(salesChannel([1], { store: storeClaim(1) }))
    for (const relationships of [{ market: one('markets', 2) }, { store: one('stores', 2) }]) {
      expect((await create(token, { relationships }, '')).status).toBe(422)
    }
  })

  it('refuses a sales channel what it may never send', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const response = await create(token, { attributes: { number: 'mine' } }, '')
    expect(errorsOf(response)[0]).toMatchObject({
      code: 'PARAM_NOT_ALLOWED',
      source: { pointer: '/data/attributes/number' },
    })
  })

  it('gives each order a number of its own, also to simultaneous writers', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const made = await Promise.all(Array.from({ length: 6 }, () => create(token, {}, '')))
    expect(new Set(made.map((response) => singleOf(response).data.attributes['number'])).size).toBe(6)
  })
})
