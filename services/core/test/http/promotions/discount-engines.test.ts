/** Accounts at discount engines: their credentials are sealed, markets name them, and nothing is called. */
import { decodeId, encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createSecretBox } from '../../../src/engine/secret-box.ts'
import { listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('discount_engines')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, ok, patch } = paymentCalls(() => core)
const { changeOrder } = orderCalls(() => core)

const TYPE = 'talon_one_accounts'
const CREDENTIALS = { api_key: 'hush-1', baseurl: 'hush.example.com' }

const create = (attributes: Body) =>
  core.send('POST', `/api/${TYPE}`, core.tokens.admin, { data: { type: TYPE, attributes } })

const newAccount = async (): Promise<string> =>
  singleOf(await create({ name: 'Ours', ...CREDENTIALS })).data.id

const useIn = (engine: unknown) => {
  const id = encodeId('markets', 1)
  return core.send('PATCH', `/api/markets/${id}`, core.tokens.admin, {
    data: { type: 'markets', id, relationships: { discount_engine: engine } },
  })
}

const { open } = createSecretBox(TEST_ID_SECRET)

const openedOf = async (id: string): Promise<Body> => {
  const { rows } = await core.pool.query<Body>('SELECT * FROM discount_engines WHERE id = $1', [
    decodeId('discount_engines', id),
  ])
  return Object.fromEntries(Object.keys(CREDENTIALS).map((name) => [name, open(rows[0]?.[`sealed_${name}`])]))
}

it('keeps its credentials sealed and shows them to nobody', async () => {
  const id = await newAccount()
  const read = singleOf(await core.get(`/api/${TYPE}/${id}`, core.tokens.admin)).data.attributes
  expect(read).toMatchObject({ name: 'Ours', manage_gift_cards: true, api_endpoint: null })
  for (const name of Object.keys(CREDENTIALS)) expect(read).not.toHaveProperty(name)
  expect(await openedOf(id)).toEqual(CREDENTIALS)
  ok(await patch(TYPE, id, { api_key: 'hush-2', manage_gift_cards: false }))
  expect(await openedOf(id)).toEqual({ ...CREDENTIALS, api_key: 'hush-2' })
  const { rows } = await core.pool.query<{ text: string }>(
    'SELECT discount_engines::text AS text FROM discount_engines UNION ALL SELECT versions::text FROM versions',
  )
  expect(rows.map(({ text }) => text).join()).not.toContain('hush')
  expect(listOf(await core.get('/api/discount_engines', core.tokens.admin)).data).toHaveLength(1)
  expect((await core.get(`/api/${TYPE}/${id}`, await core.tokens.mint(salesChannel([1])))).status).toBe(401)
  expect((await core.send('DELETE', `/api/${TYPE}/${id}`, core.tokens.admin)).status).toBe(204)
})

it('is refused without its credentials', async () => {
  expect(at(await create({ name: 'Ours' }))).toEqual([
    ['422', '/data/attributes/api_key', 'blank'],
    ['422', '/data/attributes/baseurl', 'blank'],
  ])
})

it('is that of a market, whose orders are placed without asking it', async () => {
  const id = await newAccount()
  const order = await payable()
  ok(await useIn(linkTo(TYPE, id)))
  expect((await core.send('DELETE', `/api/${TYPE}/${id}`, core.tokens.admin)).status).toBe(423)
  ok(await changeOrder(order, { _place: true }))
  const read = singleOf(
    await core.get(
      `/api/orders/${order}?include=discount_engine_item,market.discount_engine`,
      core.tokens.admin,
    ),
  )
  expect(read.data.relationships?.['discount_engine_item']?.data).toBeNull()
  expect(read.included?.map((each) => [each.type, each.id])).toContainEqual([TYPE, id])
  const items = listOf(await core.get('/api/discount_engine_items', core.tokens.admin))
  expect(items.meta.record_count).toBe(0)
  const refused = await core.send('POST', '/api/discount_engine_items', core.tokens.admin, {
    data: { type: 'discount_engine_items', attributes: { body: {} } },
  })
  expect(refused.status).toBe(405)
})
