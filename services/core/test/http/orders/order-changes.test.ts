/** PATCH and DELETE of orders: what may change in which status, by whom, and what follows (lifecycles.md 1.2). */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import {
  customer,
  errorsOf,
  listOf,
  openCore,
  salesChannel,
  singleOf,
  storeClaim,
} from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('order_changes')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Body = Readonly<Record<string, unknown>>
type Response = Awaited<ReturnType<TestCore['send']>>

const one = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
const market = { market: one('markets', 1) }

const begin = async (token: string, relationships: Body = {}): Promise<string> =>
  singleOf(await core.send('POST', '/api/orders', token, { data: { type: 'orders', relationships } })).data.id

const change = (token: string, id: string, attributes: Body, relationships: Body = {}, include = '') =>
  core.send('PATCH', `/api/orders/${id}${include}`, token, {
    data: { type: 'orders', id, attributes, relationships },
  })

const setStatus = (id: string, status: string) =>
  core.pool.query('UPDATE orders SET status = $2 WHERE id = $1', [decodeId('orders', id), status])

const inStatus = async (status: string, relationships: Body = {}): Promise<string> => {
  const id = await begin(core.tokens.admin, { ...market, ...relationships })
  await setStatus(id, status)
  return id
}

const attributesOf = (response: Response) => singleOf(response).data.attributes

const at = (response: Response) =>
  errorsOf(response).map(({ status, source, meta }) => [status, source?.pointer, meta?.['error']])

const versionOf = async (id: string): Promise<unknown> => {
  const { rows } = await core.pool.query<{ order: string; log: string }>(
    `SELECT orders.version AS order, order_changes.version AS log FROM orders
     JOIN order_changes ON order_changes.order_id = orders.id WHERE orders.id = $1`,
    [decodeId('orders', id)],
  )
  return [rows[0]?.order, rows[0]?.log].map(Number)
}

describe('what describes an order', () => {
  it.each(['draft', 'placed', 'approved', 'cancelled'])('can be changed while it is %s', async (status) => {
    const id = await inStatus(status)
    const described = {
      number: 'WEB-1',
      reference: 'R-1',
      reference_origin: 'ERP',
      metadata: { gift: true },
      affiliate_code: 'A',
      language_code: 'it',
      cart_url: 'https://shop.example/cart',
      return_url: 'https://shop.example/return',
      terms_url: 'https://shop.example/terms',
      privacy_url: 'https://shop.example/privacy',
    }
    const response = await change(core.tokens.admin, id, described)
    expect(response.status).toBe(200)
    expect(attributesOf(response)).toMatchObject(described)
  })

  it('is in the log of changes with the version of the row, at once', async () => {
    const id = await begin(core.tokens.admin, market)
    expect(await versionOf(id)).toEqual([1, 1])
    await change(core.tokens.admin, id, { reference: 'R-1' })
    expect(await versionOf(id)).toEqual([2, 2])
  })

  it('leaves no trace when it is refused', async () => {
    const id = await begin(core.tokens.admin, market)
    const response = await change(core.tokens.admin, id, { reference: 'R-1', coupon_code: 'X' })
    expect(response.status).toBe(422)
    expect(await versionOf(id)).toEqual([1, 1])
    expect(attributesOf(await core.get(`/api/orders/${id}`, core.tokens.admin))['reference']).toBeNull()
  })

  it.each<[string, Body, string]>([
    ['a number that another order has', { number: '2' }, 'taken'],
    ['an address that is none', { cart_url: 'javascript:alert(1)' }, 'invalid'],
    ['a language that is none', { language_code: 'italian' }, 'invalid'],
    ['no number', { number: null }, 'blank'],
  ])('refuses %s', async (_name, attributes, error) => {
    const id = await begin(core.tokens.admin, market)
    const [name = ''] = Object.keys(attributes)
    expect(at(await change(core.tokens.admin, id, attributes))).toEqual([
      ['422', `/data/attributes/${name}`, error],
    ])
  })

  it('archives an order, once, and brings it back', async () => {
    const id = await inStatus('approved')
    const archivedAt = async (attributes: Body) =>
      attributesOf(await change(core.tokens.admin, id, attributes))['archived_at']
    const first = await archivedAt({ _archive: true })
    expect(first).toEqual(expect.stringMatching(/Z$/))
    expect(await archivedAt({ _archive: true })).toBe(first)
    expect(await archivedAt({ _unarchive: true })).toBeNull()
  })
})

describe('what belongs to the making of an order', () => {
  const ATTRIBUTES = {
    autorefresh: false,
    place_async: true,
    freight_taxable: true,
    payment_method_taxable: true,
    adjustment_taxable: true,
    gift_card_taxable: true,
    shipping_country_code_lock: 'US',
    expires_at: '2027-01-01T00:00:00.000Z',
    expiration_info: { summary_message: 'Be quick' },
  }

  it.each(['draft', 'pending', 'editing'])('can be changed while it is %s', async (status) => {
    const response = await change(core.tokens.admin, await inStatus(status), ATTRIBUTES)
    expect(response.status).toBe(200)
    expect(attributesOf(response)).toMatchObject(ATTRIBUTES)
  })

  it.each(['placing', 'placed', 'approved', 'cancelled'])('is closed while it is %s', async (status) => {
    const id = await inStatus(status)
    const response = await change(
      core.tokens.admin,
      id,
      { ...ATTRIBUTES, guest: true, customer_email: 'new@example.com' },
      {
        market: one('markets', 2),
        shipping_address: one('addresses', 2),
        customer: one('customers', 1),
        store: { data: null },
        payment_method: one('payment_methods', 1),
      },
    )
    const names = [...Object.keys(ATTRIBUTES), 'guest', 'customer_email'].map((name) => `attributes/${name}`)
    const links = ['market', 'shipping_address', 'customer', 'store', 'payment_method'].map(
      (name) => `relationships/${name}`,
    )
    expect(
      at(response)
        .map(([, pointer]) => pointer)
        .sort(),
    ).toEqual([...names, ...links].map((pointer) => `/data/${pointer}`).sort())
    expect(new Set(at(response).map(([, , error]) => error))).toEqual(new Set(['not_editable']))
    expect(errorsOf(response)[0]?.title).toContain(`an order that is ${status}`)
  })
})

describe('the address of an order', () => {
  it('decides its country: that of shipping, else that of billing', async () => {
    const id = await begin(core.tokens.admin, market)
    const countryWith = async (relationships: Body) =>
      attributesOf(await change(core.tokens.admin, id, {}, relationships))['country_code']
    expect(await countryWith({ billing_address: one('addresses', 1) })).toBe('IT')
    expect(await countryWith({ shipping_address: one('addresses', 2) })).toBe('US')
    expect(await countryWith({ shipping_address: { data: null } })).toBe('IT')
    expect(await countryWith({ billing_address: { data: null } })).toBeNull()
  })

  it('can be corrected: the order follows, once, and so does its version', async () => {
    const addresses = { shipping_address: one('addresses', 2), billing_address: one('addresses', 1) }
    const id = await begin(core.tokens.admin, { ...market, ...addresses })
    const correct = (number: number, attributes: Body) =>
      core.send('PATCH', `/api/addresses/${encodeId('addresses', number)}`, core.tokens.admin, {
        data: { type: 'addresses', id: encodeId('addresses', number), attributes },
      })
    const country = async () =>
      attributesOf(await core.get(`/api/orders/${id}`, core.tokens.admin))['country_code']
    expect((await correct(2, { country_code: 'DE' })).status).toBe(200)
    expect([await country(), await versionOf(id)]).toEqual(['DE', [2, 2]])
    await correct(1, { country_code: 'FR', city: 'Lyon' })
    expect([await country(), await versionOf(id)]).toEqual(['DE', [3, 3]])
    await change(core.tokens.admin, id, {}, { shipping_address: { data: null } })
    await correct(1, { country_code: 'ES' })
    expect([await country(), await versionOf(id)]).toEqual(['ES', [5, 5]])
  })

  it('must be one that the writer sees', async () => {
    const guest = await core.tokens.mint(salesChannel([1]))
    const id = await begin(guest)
    const response = await change(guest, id, {}, { shipping_address: one('addresses', 1) })
    expect(at(response)).toEqual([['422', '/data/relationships/shipping_address', 'noent']])
  })
})

describe('the customer of an order', () => {
  it('brings an email along, which stays when the customer is given up', async () => {
    const id = await begin(core.tokens.admin, market)
    const emailAfter = async (attributes: Body, relationships: Body) =>
      attributesOf(await change(core.tokens.admin, id, attributes, relationships))['customer_email']
    expect(await emailAfter({}, { customer: one('customers', 1) })).toBe('ada@example.com')
    const both = await emailAfter({ customer_email: 'VIP@example.com' }, { customer: one('customers', 2) })
    expect(both).toBe('vip@example.com')
    expect(await emailAfter({}, { customer: { data: null } })).toBe('vip@example.com')
  })

  it('is found by any spelling of the email', async () => {
    const id = await begin(core.tokens.admin, market)
    await change(core.tokens.admin, id, { customer_email: 'Zoë@Example.com' })
    for (const filter of ['customer_email_eq', 'customer_email_start', 'customer_email_in']) {
      const asked = `/api/orders?filter[q][${filter}]=${encodeURIComponent('zoe\u0308@EXAMPLE.com')}`
      const page = await core.get(asked, core.tokens.admin)
      expect(listOf(page).data.map(({ id: found }) => found)).toEqual([id])
    }
  })

  it('may be given up: an order of nobody is a draft', async () => {
    const id = await inStatus('pending', { customer: one('customers', 1) })
    await core.pool.query(
      `INSERT INTO line_items (environment_id, order_id, item_type, item_id, sku_code, quantity, currency_code)
       VALUES (1, $1, 'skus', 1, 'SKU-A', 1, 'EUR')`,
      [decodeId('orders', id)],
    )
    const withEmail = await change(core.tokens.admin, id, {}, { customer: { data: null } })
    expect(attributesOf(withEmail)).toMatchObject({ status: 'pending', customer_email: 'ada@example.com' })
    const ofNobody = await change(core.tokens.admin, id, { customer_email: null })
    expect(attributesOf(ofNobody)).toMatchObject({ status: 'draft', customer_email: null })
  })

  it('stays the owner of the token', async () => {
    const token = await core.tokens.mint(customer(1, [1]))
    const id = await begin(token)
    const response = await change(token, id, {}, { customer: { data: null } }, '?include=customer')
    expect(singleOf(response).data.relationships?.['customer']?.data).toEqual(one('customers', 1).data)
    expect(at(await change(token, id, {}, { customer: one('customers', 2) }))).toEqual([
      ['422', '/data/relationships/customer', 'noent'],
    ])
  })
})

describe('the store of an order', () => {
  it('is one of its market', async () => {
    const america = await begin(core.tokens.admin, { market: one('markets', 2) })
    expect(at(await change(core.tokens.admin, america, {}, { store: one('stores', 1) }))).toEqual([
      ['422', '/data/relationships/store', 'invalid'],
    ])
    const id = await begin(core.tokens.admin, market)
    const response = await change(core.tokens.admin, id, {}, { store: one('stores', 2) }, '?include=store')
    expect(singleOf(response).data.relationships?.['store']?.data).toEqual(one('stores', 2).data)
    const without = await change(core.tokens.admin, id, {}, { store: { data: null } }, '?include=store')
    expect(singleOf(without).data.relationships?.['store']?.data).toBeNull()
  })

  it('is the one in scope', async () => {
    const token = await core.tokens.mint(salesChannel([1], { store: storeClaim(1) }))
    const id = await begin(token)
    expect((await change(token, id, {}, { store: one('stores', 2) })).status).toBe(422)
    const response = await change(token, id, {}, { store: { data: null } }, '?include=store')
    expect(singleOf(response).data.relationships?.['store']?.data).toEqual(one('stores', 1).data)
  })
})

describe('what waits for the order workflows', () => {
  it('is refused, each member by name', async () => {
    const id = await begin(core.tokens.admin, market)
    const response = await change(core.tokens.admin, id, {
      _commit_invoice: true,
      _refund_invoice: true,
    })
    expect(at(response)).toEqual([
      ['422', '/data/attributes/_commit_invoice', 'not_supported'],
      ['422', '/data/attributes/_refund_invoice', 'not_supported'],
    ])
    expect(errorsOf(response)[1]?.title).toBe('cannot be done to an order yet')
  })

  it('is no fault while nothing of it changes', async () => {
    const unchanged = await change(
      core.tokens.admin,
      encodeId('orders', 1),
      { coupon_code: null, _place: false },
      { ...market, payment_method: one('payment_methods', 1) },
    )
    expect(unchanged.status).toBe(200)
  })
})

describe('who may', () => {
  it('sales channels change what is in the making, nothing after', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    const id = await begin(token)
    for (const status of ['draft', 'pending']) {
      await setStatus(id, status)
      expect((await change(token, id, { reference: status })).status).toBe(200)
    }
    for (const status of ['editing', 'placing', 'placed', 'approved', 'cancelled']) {
      await setStatus(id, status)
      expect([status, (await change(token, id, { reference: 'late' })).status]).toEqual([status, 401])
    }
  })

  it('sales channels of another market or store change nothing', async () => {
    const id = await begin(await core.tokens.mint(salesChannel([1])))
    const others = [salesChannel([2]), salesChannel([1], { store: storeClaim(1) })]
    for (const claims of others) {
      expect((await change(await core.tokens.mint(claims), id, { reference: 'mine' })).status).toBe(401)
    }
  })

  it('customers change their own orders only', async () => {
    const ada = await core.tokens.mint(customer(1, [1]))
    const id = await begin(ada)
    expect((await change(ada, id, { reference: 'mine' })).status).toBe(200)
    const others = [customer(2, [1]), salesChannel([1])]
    for (const claims of others) {
      expect((await change(await core.tokens.mint(claims), id, { reference: 'mine' })).status).toBe(401)
    }
  })

  it.each(['number', 'expires_at', 'expiration_info', '_reset_circuit', '_approve'])(
    'sales channels never send %s',
    async (name) => {
      const token = await core.tokens.mint(salesChannel([1]))
      const response = await change(token, await begin(token), { [name]: null })
      expect(errorsOf(response)).toMatchObject([
        { code: 'PARAM_NOT_ALLOWED', source: { pointer: `/data/attributes/${name}` } },
      ])
    },
  )

  it('roles that only read change and delete nothing, other environments find nothing', async () => {
    const id = await begin(core.tokens.admin, market)
    const { readOnly, live, otherOrganization } = core.tokens
    for (const [token, status] of [
      [readOnly, 401],
      [live, 404],
      [otherOrganization, 404],
    ] as const) {
      expect((await change(token, id, { reference: 'x' })).status).toBe(status)
      expect((await core.send('DELETE', `/api/orders/${id}`, token)).status).toBe(status)
    }
  })
})

describe('DELETE /api/orders/<id>', () => {
  const remove = (id: string, token = core.tokens.admin) => core.send('DELETE', `/api/orders/${id}`, token)

  it.each(['draft', 'pending'])(
    'deletes an order that is %s with its lines, and says so to the feed',
    async (status) => {
      await core.pool.query('UPDATE orders SET status = $1 WHERE id = 1', [status])
      const { status: answered, text } = await remove(encodeId('orders', 1))
      expect([answered, text]).toEqual([204, ''])
      expect((await core.get(`/api/orders/${encodeId('orders', 1)}`, core.tokens.admin)).status).toBe(404)
      const { rows } = await core.pool.query(
        `SELECT (SELECT count(*)::int FROM line_items WHERE order_id = 1) AS lines, is_deleted
       FROM order_changes WHERE order_id = 1`,
      )
      expect(rows).toEqual([{ lines: 0, is_deleted: true }])
    },
  )

  it.each(['editing', 'placing', 'placed', 'approved', 'cancelled'])(
    'is locked while it is %s',
    async (status) => {
      const id = await inStatus(status)
      expect(errorsOf(await remove(id))).toMatchObject([
        {
          status: '423',
          code: 'LOCKED',
          detail: `An order can be deleted while it is draft or pending; this one is ${status}.`,
        },
      ])
      expect((await core.get(`/api/orders/${id}`, core.tokens.admin)).status).toBe(200)
    },
  )

  it('is not for sales channels', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await remove(await begin(token), token)).status).toBe(401)
  })
})
