/** Webhooks as a resource: what they accept, show and refuse. */
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('webhooks')
})
afterAll(() => core.close())

const document = (attributes: object, id?: string) => ({
  data: { type: 'webhooks', ...(id === undefined ? {} : { id }), attributes },
})
const GOOD = { topic: 'orders.place', callback_url: 'https://shop.test/hooks' }
const post = (attributes: object, token = core.tokens.admin) =>
  core.send('POST', '/api/webhooks', token, document(attributes))
const patch = (id: string, attributes: object, token = core.tokens.admin) =>
  core.send('PATCH', `/api/webhooks/${id}`, token, document(attributes, id))

test('a new one is enabled, closed, named after its id, and has a secret', async () => {
  const { id, attributes } = singleOf(await post(GOOD)).data
  expect(attributes).toMatchObject({
    ...GOOD,
    name: `Webhook ${id}`,
    include_resources: null,
    disabled_at: null,
    circuit_state: 'closed',
    circuit_failure_count: 0,
    shared_secret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
})

test('the database holds no secret', async () => {
  const { attributes } = singleOf(await post(GOOD)).data
  const { rows } = await core.pool.query('SELECT row_to_json(webhooks)::text AS text FROM webhooks')
  expect(rows.map(({ text }) => String(text)).join()).not.toContain(attributes['shared_secret'])
})

test.each([
  [
    'a topic of another event',
    { topic: 'orders.eat' },
    '/data/attributes/topic',
    /allowed for orders: .*orders\.place/,
  ],
  [
    'a topic of a type without topics',
    { topic: 'prices.create' },
    '/data/attributes/topic',
    /types that have topics: .*orders/,
  ],
  ['a blank topic', { topic: '' }, '/data/attributes/topic', /blank/],
  [
    'an include that is none',
    { include_resources: ['eggs'] },
    '/data/attributes/include_resources',
    /cannot include "eggs".*allowed: .*line_items/,
  ],
  [
    'an include that is no text',
    { include_resources: [1] },
    '/data/attributes/include_resources',
    /list of paths/,
  ],
  ['an address without http', { callback_url: 'ftp://shop.test' }, '/data/attributes/callback_url', /./],
  [
    'an address with a password',
    { callback_url: 'https://a:b@shop.test' },
    '/data/attributes/callback_url',
    /user name or password/,
  ],
  ['a secret of their own', { shared_secret: 'x' }, '/data/attributes/shared_secret', /./],
])('refuses %s and says what is allowed', async (_name, attributes, pointer, detail) => {
  const response = await post({ ...GOOD, ...attributes })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(errorsOf(response)).toMatchObject([
    { source: { pointer }, detail: expect.stringMatching(detail) as string },
  ])
})

test('a changed topic is checked with the includes that are there', async () => {
  const { id } = singleOf(await post({ ...GOOD, include_resources: ['line_items.item'] })).data
  expect(errorsOf(await patch(id, { topic: 'customers.create' }))).toMatchObject([
    { source: { pointer: '/data/attributes/include_resources' } },
  ])
  expect((await patch(id, { topic: 'customers.create', include_resources: [] })).status).toBe(200)
})

test('is disabled and enabled, its circuit reset, its secret changed', async () => {
  const { id, attributes } = singleOf(await post(GOOD)).data
  expect(singleOf(await patch(id, { _disable: true })).data.attributes['disabled_at']).not.toBeNull()
  expect(singleOf(await patch(id, { _enable: true })).data.attributes['disabled_at']).toBeNull()
  await core.pool.query("UPDATE webhooks SET circuit_state = 'open', circuit_failure_count = 30")
  expect(singleOf(await patch(id, { _reset_circuit: true })).data.attributes).toMatchObject({
    circuit_state: 'closed',
    circuit_failure_count: 0,
  })
  const { attributes: regenerated } = singleOf(await patch(id, { _regenerate_shared_secret: true })).data
  expect(regenerated['shared_secret']).not.toBe(attributes['shared_secret'])
})

test('lists as the dashboard asks for them', async () => {
  for (const query of [
    'filter[q][circuit_state_eq]=closed&filter[q][disabled_at_null]=true&sort=-created_at',
    'include=last_event_callbacks',
    'filter[q][name_or_topic_cont]=orders',
  ])
    expect([query, (await core.get(`/api/webhooks?${query}`, core.tokens.admin)).status]).toEqual([
      query,
      200,
    ])
  const callbacks = await core.get(
    '/api/event_callbacks?filter[q][webhook_id_eq]=xxxxxxxxxx&sort=-created_at,response_code,response_message',
    core.tokens.admin,
  )
  expect(listOf(callbacks).data).toEqual([])
})

test('are nothing for sales channels and for other organizations', async () => {
  const { id } = singleOf(await post(GOOD)).data
  const channel = await core.tokens.mint(salesChannel([1]))
  expect((await post(GOOD, channel)).status).toBe(401)
  expect((await core.get(`/api/webhooks/${id}`, channel)).status).toBe(401)
  expect((await core.get(`/api/webhooks/${id}`, core.tokens.otherOrganization)).status).toBe(404)
  expect((await core.get('/api/webhooks', core.tokens.readOnly)).status).toBe(200)
})
