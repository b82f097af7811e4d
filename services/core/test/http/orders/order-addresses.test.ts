/** Addresses of an order that are copies: of another address, of the order's other one, and into the address book. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
let ada: string
let guest: string

beforeAll(async () => {
  core = await openCore('order_addresses')
  ada = await core.tokens.mint(customer(1, [1]))
  guest = await core.tokens.mint(salesChannel([1]))
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, draft, changeOrder, setOrder } = orderCalls(() => core)

const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  line_1: 'Via Po 2',
  city: 'Torino',
  country_code: 'IT',
  phone: '+39 1',
  reference: 'from-the-book',
  metadata: { floor: 3 },
}

const newAddress = async (token = core.tokens.admin, attributes: Body = {}): Promise<string> =>
  singleOf(
    await core.send('POST', '/api/addresses', token, {
      data: { type: 'addresses', attributes: { ...ADDRESS, ...attributes } },
    }),
  ).data.id

const change = (order: string, token: string, attributes: Body, relationships: Body = {}) =>
  core.send('PATCH', `/api/orders/${order}?include=billing_address,shipping_address`, token, {
    data: { type: 'orders', id: order, attributes, relationships },
  })

/** The addresses of an order after a write: id and what an address says. */
const addressesOf = (response: Awaited<ReturnType<typeof change>>) => {
  const { data, included = [] } = singleOf(response)
  const find = (name: string) => {
    const { id } = data.relationships?.[name]?.data as { readonly id: string }
    const found = included.find((each) => each.id === id)
    return { id, ...found?.attributes }
  }
  return { billing: find('billing_address'), shipping: find('shipping_address'), order: data.attributes }
}

describe('an order', () => {
  it('copies an address by its id: a new row, with the reference and what else is written of it', async () => {
    const source = await newAddress()
    const { billing, shipping, order } = addressesOf(
      await change(await draft(), core.tokens.admin, {
        _billing_address_clone_id: source,
        _shipping_address_clone_id: source,
      }),
    )
    for (const copy of [billing, shipping]) expect(copy).toMatchObject(ADDRESS)
    expect(new Set([source, billing.id, shipping.id]).size).toBe(3)
    expect(order['country_code']).toBe('IT')
  })

  it.each([
    ['_shipping_address_same_as_billing', 'billing_address'],
    ['_billing_address_same_as_shipping', 'shipping_address'],
  ])('%s copies the %s that the same request sends', async (trigger, name) => {
    const order = await begin(guest)
    const sent = await newAddress(guest)
    const attributes = { customer_email: 'new@example.com', [trigger]: true }
    const { billing, shipping } = addressesOf(
      await change(order, guest, attributes, { [name]: linkTo('addresses', sent) }),
    )
    expect(billing).toMatchObject(ADDRESS)
    expect(shipping).toMatchObject(ADDRESS)
    expect([billing.id, shipping.id].filter((id) => id === sent)).toHaveLength(1)
  })

  it('copies a copy: the billing address by id, and the shipping address from it', async () => {
    const attributes = {
      _billing_address_clone_id: await newAddress(),
      _shipping_address_same_as_billing: true,
    }
    const { billing, shipping } = addressesOf(await change(await draft(), core.tokens.admin, attributes))
    expect(shipping).toMatchObject(ADDRESS)
    expect(shipping.id).not.toBe(billing.id)
  })

  it.each<[string, (source: string) => Body]>([
    ['_billing_address_clone_id', (source) => ({ _billing_address_clone_id: source })],
    ['_shipping_address_clone_id', (source) => ({ _shipping_address_clone_id: source })],
    ['_shipping_address_same_as_billing', () => ({ _shipping_address_same_as_billing: true })],
    ['_billing_address_same_as_shipping', () => ({ _billing_address_same_as_shipping: true })],
    [
      'a copy and a copy of it',
      (source) => ({ _billing_address_clone_id: source, _shipping_address_same_as_billing: true }),
    ],
  ])(
    'makes no second copy when %s is repeated, and a new one of an address that changed',
    async (_what, sent) => {
      const source = await newAddress()
      const order = await draft()
      const own = await newAddress(core.tokens.admin, { city: 'Milano' })
      const linked = linkTo('addresses', own)
      const both = { billing_address: linked, shipping_address: linked }
      expect((await change(order, core.tokens.admin, {}, both)).status).toBe(200)
      const counted = async () => {
        const { rows } = await core.pool.query<{ readonly rows: string; readonly logged: string }>(
          `SELECT (SELECT count(*) FROM addresses) AS rows, (SELECT count(*) FROM versions) AS logged`,
        )
        return rows
      }
      const first = addressesOf(await change(order, core.tokens.admin, sent(source)))
      const before = await counted()
      expect(addressesOf(await change(order, core.tokens.admin, sent(source)))).toMatchObject({
        billing: { id: first.billing.id },
        shipping: { id: first.shipping.id },
      })
      expect(await counted()).toEqual(before)
      for (const id of [source, own])
        await core.send('PATCH', `/api/addresses/${id}`, core.tokens.admin, {
          data: { type: 'addresses', id, attributes: { city: 'Oslo' } },
        })
      const { billing, shipping } = addressesOf(await change(order, core.tokens.admin, sent(source)))
      expect([first.billing.id, first.shipping.id]).not.toEqual([billing.id, shipping.id])
      expect([billing, shipping]).toContainEqual(expect.objectContaining({ city: 'Oslo' }))
    },
  )

  it('copies an address that it shares with another record, although it says the same', async () => {
    const shared = linkTo('addresses', await newAddress())
    const both = { billing_address: shared, shipping_address: shared }
    const attributes = { _billing_address_clone_id: shared.data.id }
    const order = await draft()
    await change(order, core.tokens.admin, {}, both)
    const { billing, shipping } = addressesOf(await change(order, core.tokens.admin, attributes))
    expect(shipping.id).toBe(shared.data.id)
    expect(billing).toMatchObject(ADDRESS)
    expect(billing.id).not.toBe(shared.data.id)
  })

  it('plans its shipments for the copied address', async () => {
    await core.pool.query(`
      INSERT INTO shipping_zones (id, environment_id, name, country_code_regex) VALUES (1, 1, 'US', 'US');
      INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents, shipping_zone_id)
        VALUES (1, 1, 'Post', 'EUR', 700, 1);
      UPDATE markets SET default_shipping_method_id = 1 WHERE id = 1 AND environment_id = 1`)
    const order = await draft({ customer_email: 'ada@example.com' })
    const { add } = orderCalls(() => core)
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })
    const attributes = { _shipping_address_clone_id: encodeId('addresses', 2) }
    const changed = singleOf(await changeOrder(order, attributes)).data.attributes
    expect(changed).toMatchObject({ country_code: 'US', shipping_amount_cents: 700 })
  })

  it.each([
    [
      'two sources of one address',
      { _shipping_address_clone_id: 'x', _shipping_address_same_as_billing: true },
      [['422', '/data/attributes/_shipping_address_same_as_billing', 'invalid']],
    ],
    [
      'addresses that are each the same as the other',
      { _shipping_address_same_as_billing: true, _billing_address_same_as_shipping: true },
      [['422', '/data/attributes/_shipping_address_same_as_billing', 'invalid']],
    ],
    [
      'the same as an address it does not have',
      { _shipping_address_same_as_billing: true },
      [['422', '/data/attributes/_shipping_address_same_as_billing', 'blank']],
    ],
    [
      'an id of no address',
      { _billing_address_clone_id: 'nobody' },
      [['422', '/data/attributes/_billing_address_clone_id', 'noent']],
    ],
  ])('refuses %s', async (_what, attributes, errors) => {
    expect(at(await change(await draft(), core.tokens.admin, attributes))).toEqual(errors)
  })

  it('refuses a linked address and a copy for the same place', async () => {
    const response = await change(
      await draft(),
      core.tokens.admin,
      { _billing_address_clone_id: await newAddress() },
      { billing_address: one('addresses', 1) },
    )
    expect(at(response)).toEqual([['422', '/data/attributes/_billing_address_clone_id', 'invalid']])
  })

  it('takes no new address once it is placed', async () => {
    const order = await draft()
    await setOrder(order, `status = 'placed'`)
    const response = await change(order, core.tokens.admin, { _billing_address_clone_id: await newAddress() })
    expect(at(response)).toEqual([['422', '/data/attributes/_billing_address_clone_id', 'not_editable']])
  })

  it('is not placed in the request that copies an address', async () => {
    const attributes = { _place: true, _billing_address_clone_id: await newAddress() }
    expect(at(await change(await draft(), core.tokens.admin, attributes))).toContainEqual([
      '422',
      '/data/attributes/_billing_address_clone_id',
      'invalid',
    ])
  })
})

describe('who copies', () => {
  const intoBook = async (): Promise<string> => {
    const address = await newAddress(ada)
    const relationships = { address: linkTo('addresses', address) }
    const data = { type: 'customer_addresses', attributes: {}, relationships }
    expect((await core.send('POST', '/api/customer_addresses', ada, { data })).status).toBe(201)
    return address
  }

  it('is the customer whose address book it is', async () => {
    const { billing } = addressesOf(
      await change(await begin(ada), ada, {
        _billing_address_clone_id: await intoBook(),
        _shipping_address_same_as_billing: true,
      }),
    )
    expect(billing).toMatchObject(ADDRESS)
  })

  it.each([
    ['a guest', () => guest],
    ['another customer', () => core.tokens.mint(customer(2, [1]))],
  ])('is not %s', async (_who, tokenOf) => {
    const address = await intoBook()
    const token = await tokenOf()
    const response = await change(await begin(token), token, { _billing_address_clone_id: address })
    expect(at(response)).toEqual([['422', '/data/attributes/_billing_address_clone_id', 'noent']])
  })

  it('does not copy the address of a stock location for a shop front', async () => {
    const response = await change(await begin(guest), guest, {
      _billing_address_clone_id: encodeId('addresses', 1),
    })
    expect(at(response)).toEqual([['422', '/data/attributes/_billing_address_clone_id', 'noent']])
  })
})

describe('an address book', () => {
  const SAVE_BOTH = {
    _save_billing_address_to_customer_address_book: true,
    _save_shipping_address_to_customer_address_book: true,
  }

  const bookOf = async (number: number) =>
    listOf(
      await core.get(
        `/api/customers/${encodeId('customers', number)}/customer_addresses?include=address`,
        core.tokens.admin,
      ),
    )

  it('keeps a copy of each address of the order, once', async () => {
    const order = await begin(ada)
    const billing = linkTo('addresses', await newAddress(ada))
    const shipping = linkTo('addresses', await newAddress(ada, { city: 'Milano', line_2: 'Floor 2' }))
    const relationships = { billing_address: billing, shipping_address: shipping }
    for (const answer of [
      await change(order, ada, SAVE_BOTH, relationships),
      await change(order, ada, SAVE_BOTH),
    ])
      expect(answer.status).toBe(200)
    const { data, included = [] } = await bookOf(1)
    expect(data.map(({ attributes }) => attributes['customer_email'])).toEqual([
      'ada@example.com',
      'ada@example.com',
    ])
    expect(included.map(({ attributes }) => attributes['city']).toSorted()).toEqual(['Milano', 'Torino'])
    expect(included.map(({ id }) => id)).not.toContain(billing.data.id)
    const { rows } = await core.pool.query(
      `SELECT count(*)::int AS count FROM events WHERE name = 'customer_addresses.create'`,
    )
    expect(rows).toEqual([{ count: 2 }])
  })

  it('keeps an address once that is billing and shipping address', async () => {
    const attributes = { ...SAVE_BOTH, _shipping_address_same_as_billing: true }
    const relationships = { billing_address: linkTo('addresses', await newAddress(ada)) }
    expect((await change(await begin(ada), ada, attributes, relationships)).status).toBe(200)
    expect((await bookOf(1)).data).toHaveLength(1)
  })

  it('is not written to by a guest who knows the email of a customer with a password', async () => {
    await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE id = 1 AND environment_id = 1`)
    const order = await begin(
      core.tokens.admin,
      { customer_email: 'ada@example.com', guest: true },
      { market: one('markets', 1) },
    )
    const relationships = { billing_address: linkTo('addresses', await newAddress(guest)) }
    const attributes = { _save_billing_address_to_customer_address_book: true }
    expect(at(await change(order, guest, attributes, relationships))).toEqual([
      ['422', '/data/attributes/_save_billing_address_to_customer_address_book', 'not_allowed'],
    ])
    expect((await bookOf(1)).data).toHaveLength(0)
  })

  it.each([
    ['a customer', {}],
    ['an address', { customer_email: 'ada@example.com' }],
  ])('needs an order with %s', async (_what, attributes) => {
    const sent = { _save_billing_address_to_customer_address_book: true }
    expect(at(await change(await draft(attributes), core.tokens.admin, sent))).toEqual([
      ['422', '/data/attributes/_save_billing_address_to_customer_address_book', 'blank'],
    ])
  })

  it.each(['filter[country_code]=US', 'filter[q][country_code_eq]=US', 'filter[q][country_code_in]=US,CA'])(
    'is filtered with %s, also after an address moved',
    async (filter) => {
      const order = await draft({ customer_email: 'ada@example.com' })
      const linked = await change(order, core.tokens.admin, SAVE_BOTH, {
        billing_address: linkTo('addresses', await newAddress()),
        shipping_address: linkTo('addresses', await newAddress(core.tokens.admin, { city: 'Oslo' })),
      })
      expect(linked.status).toBe(200)
      const query = filter.replaceAll('[', '%5B').replaceAll(']', '%5D')
      const count = async () =>
        listOf(await core.get(`/api/customer_addresses?${query}`, core.tokens.admin)).meta.record_count
      expect(await count()).toBe(0)
      const { included = [] } = await bookOf(1)
      const moved = included.find(({ attributes }) => attributes['city'] === 'Oslo')
      await core.send('PATCH', `/api/addresses/${moved?.id ?? ''}`, core.tokens.admin, {
        data: { type: 'addresses', id: moved?.id, attributes: { country_code: 'US' } },
      })
      expect(await count()).toBe(1)
    },
  )
})
