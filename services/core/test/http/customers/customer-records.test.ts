/** What belongs to a customer: the address book and subscriptions, by whom they are written and who sees them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { at, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
let ada: string
let vip: string
let guest: string

beforeAll(async () => {
  core = await openCore('customer_records')
  ada = await core.tokens.mint(customer(1, [1]))
  vip = await core.tokens.mint(customer(2, [1]))
  guest = await core.tokens.mint(salesChannel([1]))
  await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE id = 1`)
})
afterAll(() => core.close())

const create = (type: string, token: string, attributes: Body, relationships: Body = {}) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const patch = (type: string, id: string, token: string, attributes: Body, relationships: Body = {}) =>
  core.send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, attributes, relationships } })

const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  line_1: 'Via Po 2',
  city: 'Torino',
  country_code: 'IT',
  phone: '+39 1',
}

const newAddress = async (token: string, attributes: Body = {}): Promise<string> =>
  singleOf(await create('addresses', token, { ...ADDRESS, ...attributes })).data.id

describe('an address book', () => {
  it('is filled by its customer, who is named by the token alone', async () => {
    const address = await newAddress(ada)
    const { data } = singleOf(
      await create('customer_addresses', ada, {}, { address: linkTo('addresses', address) }),
    )
    expect(data.attributes).toMatchObject({
      name: 'Ada Lovelace, Via Po 2, Torino (IT) +39 1',
      customer_email: 'ada@example.com',
    })
    const own = listOf(await core.get(`/api/customers/${encodeId('customers', 1)}/customer_addresses`, ada))
    expect(own.data.map(({ id }) => id)).toContain(data.id)
  })

  it('keeps names and email in step with the address and the customer', async () => {
    const address = await newAddress(core.tokens.admin)
    const { id } = singleOf(
      await create(
        'customer_addresses',
        core.tokens.admin,
        { customer_email: 'Moves@example.com' },
        { address: linkTo('addresses', address) },
      ),
    ).data
    const read = async () =>
      singleOf(await core.get(`/api/customer_addresses/${id}?include=customer`, core.tokens.admin))
    const before = await read()
    expect(before.data.attributes['customer_email']).toBe('moves@example.com')
    await patch('addresses', address, core.tokens.admin, { city: 'Milano' })
    await patch('customers', before.included?.[0]?.id ?? '', core.tokens.admin, {
      email: 'moved@example.com',
    })
    expect((await read()).data.attributes).toMatchObject({
      name: 'Ada Lovelace, Via Po 2, Milano (IT) +39 1',
      customer_email: 'moved@example.com',
    })
  })

  it.each([
    ['without names', {}],
    [
      'of a business',
      { business: true, company: 'Merx', line_2: 'Floor 3', zip_code: '10121', state_code: 'TO' },
    ],
    ['with blank parts', { line_2: '', zip_code: '', state_code: null }],
  ])('names an address %s as the address does', async (_how, attributes) => {
    const address = await newAddress(core.tokens.admin, attributes)
    const body = { address: linkTo('addresses', address), customer: one('customers', 1) }
    const named = singleOf(await create('customer_addresses', core.tokens.admin, {}, body)).data
    const { data } = singleOf(await core.get(`/api/addresses/${address}`, core.tokens.admin))
    expect(named.attributes['name']).toBe(data.attributes['name'])
  })

  it('is not seen, changed or deleted by other customers, nor are its addresses', async () => {
    const address = await newAddress(ada)
    const { id } = singleOf(
      await create('customer_addresses', ada, {}, { address: linkTo('addresses', address) }),
    ).data
    for (const path of [`customer_addresses/${id}`, `addresses/${address}`]) {
      expect((await core.get(`/api/${path}`, vip)).status).not.toBe(200)
      expect((await core.get(`/api/${path}`, guest)).status).not.toBe(200)
      expect((await core.get(`/api/${path}`, ada)).status).toBe(200)
    }
    expect((await patch('customer_addresses', id, vip, { reference: 'x' })).status).not.toBe(200)
    expect((await core.send('DELETE', `/api/customer_addresses/${id}`, vip)).status).not.toBe(204)
    expect(listOf(await core.get('/api/customer_addresses', vip)).meta.record_count).toBe(0)
    const linked = await create('customer_addresses', vip, {}, { address: linkTo('addresses', address) })
    expect(at(linked)).toEqual([['422', '/data/relationships/address', 'noent']])
    expect((await core.send('DELETE', `/api/customer_addresses/${id}`, ada)).status).toBe(204)
  })

  it.each([
    [
      'another email than that of its customer',
      { customer_email: 'vip@example.com' },
      ['/data/attributes/customer_email', 'invalid'],
    ],
    ['no customer at all', undefined, ['/data/relationships/customer', 'blank']],
  ])('refuses %s', async (_what, attributes, [pointer, error]) => {
    const address = await newAddress(core.tokens.admin)
    const body = {
      address: linkTo('addresses', address),
      ...(attributes === undefined ? {} : { customer: one('customers', 1) }),
    }
    const response = await create('customer_addresses', core.tokens.admin, attributes ?? {}, body)
    expect(at(response)).toEqual([['422', pointer, error]])
  })
})

describe('a subscription', () => {
  it('of a guest makes a customer of the email, and is theirs until they have a password', async () => {
    const attributes = { customer_email: 'reader@example.com', reference: 'newsletter' }
    const { id } = singleOf(await create('customer_subscriptions', guest, attributes)).data
    expect((await core.get(`/api/customer_subscriptions/${id}`, guest)).status).toBe(200)
    await core.pool.query(`UPDATE customers SET password_hash = 'x' WHERE email = 'reader@example.com'`)
    expect((await core.get(`/api/customer_subscriptions/${id}`, guest)).status).not.toBe(200)
  })

  it('is had once, and by its customer', async () => {
    const attributes = { customer_email: 'ada@example.com', reference: 'sales' }
    const { id } = singleOf(await create('customer_subscriptions', ada, attributes)).data
    expect((await create('customer_subscriptions', ada, attributes)).status).toBe(409)
    expect(at(await create('customer_subscriptions', vip, attributes))).toEqual([
      ['422', '/data/attributes/customer_email', 'invalid'],
    ])
    expect((await core.get(`/api/customer_subscriptions/${id}`, vip)).status).not.toBe(200)
    expect(listOf(await core.get('/api/customer_subscriptions', ada)).data.map((one) => one.id)).toEqual([id])
  })
})
