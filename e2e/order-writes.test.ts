/** Orders through the gateway with real tokens: begun in scope, read again, changed, deleted; and who may not. */
import { accessToken, connect, customerToken } from './support/connect.ts'
import { environment, first, publicMarket } from './support/demo.ts'
import { expectCoreError } from './support/expect-errors.ts'
import { linkedIds } from './support/sellable.ts'
import type { Reply } from './support/send.ts'
import type { ResourceDocument, ResourceObject, TokenBody } from './support/wire.ts'

const post = (token: string, body: object = {}, query: Readonly<Record<string, string>> = {}) =>
  connect().core('orders', { token, method: 'POST', query, body: { data: { type: 'orders', ...body } } })

const patch = (token: string, id: string, body: object, query: Readonly<Record<string, string>> = {}) =>
  connect().core(`orders/${id}`, {
    token,
    method: 'PATCH',
    query,
    body: { data: { type: 'orders', id, ...body } },
  })

const read = (token: string, id: string, query: Readonly<Record<string, string>> = {}) =>
  connect().core(`orders/${id}`, { token, query })

const dataOf = (reply: Reply, status: number): ResourceObject => {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
  return reply.json<ResourceDocument>().data
}

const signedIn = async (): Promise<string> => (await customerToken()).json<TokenBody>().access_token

const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  line_1: 'Via Roma 1',
  city: 'Torino',
  country_code: 'IT',
  phone: '+39 011 555',
}

describe('a guest', () => {
  test('begins an order in the market in scope and reads it by its id, but no list', async () => {
    const token = await accessToken('sales_channel')
    const made = dataOf(await post(token, { attributes: { language_code: 'it' } }), 201)
    expect(made.attributes).toMatchObject({ status: 'draft', language_code: 'it', total_amount_cents: 0 })
    const seen = dataOf(await read(token, made.id, { include: 'market' }), 200)
    expect(seen.attributes).toEqual(made.attributes)
    expect(linkedIds(seen, 'market')).toEqual([publicMarket().id])
    expectCoreError(await connect().core('orders', { token }), 401, 'UNAUTHORIZED')
  })

  test('begins an order in the store in scope', async () => {
    const store = first(environment().stores, 'store of a public market', ({ market_id }) =>
      environment().markets.some(({ id, private: isPrivate }) => id === market_id && !isPrivate),
    )
    const token = await accessToken('sales_channel', { scope: `store:id:${store.id}` })
    const { id } = dataOf(await post(token), 201)
    const seen = dataOf(await read(token, id, { include: 'market,store' }), 200)
    expect([linkedIds(seen, 'market'), linkedIds(seen, 'store')]).toEqual([[store.market_id], [store.id]])
  })

  test('gives it an email and an address, and the address decides the country', async () => {
    const token = await accessToken('sales_channel')
    const { id } = dataOf(await post(token), 201)
    const address = dataOf(
      await connect().core('addresses', {
        token,
        method: 'POST',
        body: { data: { type: 'addresses', attributes: ADDRESS } },
      }),
      201,
    )
    const changed = dataOf(
      await patch(token, id, {
        attributes: { customer_email: 'ada@guest.example', metadata: { gift: true } },
        relationships: { shipping_address: { data: { type: 'addresses', id: address.id } } },
      }),
      200,
    )
    expect(changed.attributes).toMatchObject({
      customer_email: 'ada@guest.example',
      metadata: { gift: true },
      country_code: 'IT',
    })
    expect(dataOf(await read(token, id), 200).attributes).toEqual(changed.attributes)
  })

  test('of another market sees and changes nothing of it', async () => {
    const { id } = dataOf(await post(await accessToken('sales_channel')), 201)
    const other = first(
      environment().markets,
      'second public market',
      (market) => !market.private && market.id !== publicMarket().id,
    )
    const token = await accessToken('sales_channel', { scope: `market:id:${other.id}` })
    expectCoreError(await read(token, id), 401, 'UNAUTHORIZED')
    expectCoreError(await patch(token, id, { attributes: { reference: 'mine' } }), 401, 'UNAUTHORIZED')
  })

  test('neither deletes it nor places it while it is empty', async () => {
    const token = await accessToken('sales_channel')
    const { id } = dataOf(await post(token), 201)
    expectCoreError(await connect().core(`orders/${id}`, { token, method: 'DELETE' }), 401, 'UNAUTHORIZED')
    const placed = await patch(token, id, { attributes: { _place: true } })
    expectCoreError(placed, 422, 'VALIDATION_ERROR')
    expect(placed.text).toContain('cannot transition from draft to placed')
  })
})

describe('a customer', () => {
  test('begins an order of their own, reads it by its id and in the list, and changes it', async () => {
    const token = await signedIn()
    const made = dataOf(await post(token, {}, { include: 'customer' }), 201)
    expect(made.attributes['customer_email']).toBe(environment().customer.email)
    const seen = dataOf(await read(token, made.id, { include: 'customer' }), 200)
    expect([seen.attributes, linkedIds(seen, 'customer')]).toEqual([
      made.attributes,
      linkedIds(made, 'customer'),
    ])
    const { data } = await connect().collection('orders', { token, query: { 'filter[q][id_eq]': made.id } })
    expect(data.map(({ id }) => id)).toEqual([made.id])
    const changed = dataOf(await patch(token, made.id, { attributes: { reference: 'mine' } }), 200)
    expect(changed.attributes['reference']).toBe('mine')
  })

  test('changes no order of a guest, and no guest theirs', async () => {
    const [guest, customer] = [await accessToken('sales_channel'), await signedIn()]
    const ofGuest = dataOf(await post(guest), 201).id
    const ofCustomer = dataOf(await post(customer), 201).id
    for (const [token, id] of [
      [customer, ofGuest],
      [guest, ofCustomer],
    ] as const) {
      expectCoreError(await read(token, id), 401, 'UNAUTHORIZED')
      expectCoreError(await patch(token, id, { attributes: { reference: 'mine' } }), 401, 'UNAUTHORIZED')
    }
  })
})

describe('an integration', () => {
  test('deletes a draft', async () => {
    const { id } = dataOf(await post(await accessToken('sales_channel')), 201)
    const token = await accessToken('integration')
    const removed = await connect().core(`orders/${id}`, { token, method: 'DELETE' })
    expect([removed.status, removed.text]).toEqual([204, ''])
    expectCoreError(await read(token, id), 404, 'RECORD_NOT_FOUND')
  })

  test('deletes no order that was placed', async () => {
    const token = await accessToken('integration')
    const query = { 'page[size]': 1, 'filter[q][status_eq]': 'placed' }
    const [order] = (await connect().collection('orders', { token, query })).data
    const reply = await connect().core(`orders/${order?.id ?? ''}`, { token, method: 'DELETE' })
    expectCoreError(reply, 423, 'LOCKED')
    dataOf(await read(token, order?.id ?? ''), 200)
  })
})
