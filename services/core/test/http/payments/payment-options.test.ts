/** Payment options: what an order adds to the requests of a payment gateway. */
import { customer, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { at, linkTo, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('payment_options')
})
afterAll(() => core.close())

const { draft } = orderCalls(() => core)

const create = (attributes: Body, relationships: Body, token = core.tokens.admin) =>
  core.send('POST', '/api/payment_options', token, {
    data: { type: 'payment_options', attributes, relationships },
  })

const CARD = { payment_source_type: 'stripe_payments', data: { capture_method: 'manual' } }

it('are written, listed with their order, and deleted with it', async () => {
  const order = await draft()
  const of = { order: linkTo('orders', order) }
  const { id, attributes } = singleOf(await create({ ...CARD, name: 'Cards' }, of)).data
  expect(attributes).toMatchObject({ ...CARD, name: 'Cards' })
  const path = `/api/payment_options/${id}`
  const changed = await core.send('PATCH', path, core.tokens.admin, {
    data: { type: 'payment_options', id, attributes: { data: { capture_method: 'automatic' } } },
  })
  expect(singleOf(changed).data.attributes['data']).toEqual({ capture_method: 'automatic' })
  const listed = listOf(await core.get(`/api/orders/${order}/payment_options`, core.tokens.admin))
  expect(listed.data.map((option) => option.id)).toEqual([id])
  await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)
  expect((await core.get(path, core.tokens.admin)).status).toBe(404)
})

it('say what is wrong with them', async () => {
  const of = { order: linkTo('orders', await draft()) }
  expect(at(await create({}, {}))).toEqual([
    ['422', '/data/attributes/payment_source_type', 'blank'],
    ['422', '/data/attributes/data', 'blank'],
    ['422', '/data/relationships/order', 'blank'],
  ])
  expect(at(await create({ ...CARD, payment_source_type: 'cash' }, of))).toEqual([
    ['422', '/data/attributes/payment_source_type', 'inclusion'],
  ])
  expect(at(await create({ ...CARD, data: 'manual' }, of))).toEqual([
    ['422', '/data/attributes/data', 'invalid'],
  ])
})

it('are closed to sales channels', async () => {
  const token = await core.tokens.mint(customer(1, [1]))
  expect((await core.get('/api/payment_options', token)).status).toBe(401)
  expect((await create(CARD, { order: linkTo('orders', await draft()) }, token)).status).toBe(401)
})
