/** What webhooks are told, and what happens when receivers do not take it. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { eventually } from '@merx/testing/eventually'
import { Webhook } from 'standardwebhooks'
import { createOutside } from '../../../src/outside/outside.ts'
import type { Outside } from '../../../src/outside/outside.ts'
import { failed } from '../../../src/outside/result.ts'
import type { OutsideResult } from '../../../src/outside/result.ts'
import { isSignedWith } from '../../../src/outside/signature.ts'
import { listOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { deliverAll, makeCustomer, makeWebhook, openCalling, openWebhookReceiver } from './receivers.ts'
import type { WebhookReceiver } from './receivers.ts'

let core: TestCore
let receiver: WebhookReceiver
beforeAll(async () => {
  const post: Outside['post'] = async (call) => (await holding?.(call.url)) ?? outside.post(call)
  core = await openCalling('deliveries', { outside: { ...outside, post } })
})
afterAll(() => core.close())
beforeEach(async () => {
  await core.pool.query('DELETE FROM webhooks')
  receiver = await openWebhookReceiver()
})
afterEach(() => receiver.close())

const deliver = () => deliverAll(core)
const hook = (attributes: object = {}) =>
  makeWebhook(core, { topic: 'customers.create', callback_url: receiver.url, ...attributes })
const patch = (type: string, id: string, attributes: object) =>
  core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, { data: { type, id, attributes } })
const makeTag = (name: string) =>
  core.send('POST', '/api/tags', core.tokens.admin, { data: { type: 'tags', attributes: { name } } })
const callbacks = async () =>
  listOf(await core.get('/api/event_callbacks?sort=id&page[size]=25', core.tokens.admin)).data.map(
    ({ attributes }) => attributes,
  )
const waiting = async (): Promise<readonly unknown[]> =>
  (await core.pool.query<object>('SELECT attempts, due_at, failed_at FROM webhook_deliveries ORDER BY id'))
    .rows
/** As if the time of the next retry had come. */
const retryNow = () =>
  core.pool.query('UPDATE webhook_deliveries SET due_at = now() WHERE due_at IS NOT NULL')

const outside = createOutside({ allowedNetworks: ['127.0.0.0/8'] })
let holding: ((url: string) => Promise<OutsideResult | undefined>) | undefined

/** Calls of the address take until `release`, and have failed then. */
const hold = (url: string) => {
  const released = Promise.withResolvers<OutsideResult>()
  let calls = 0
  holding = (called) => {
    if (called !== url) return Promise.resolve(undefined)
    calls += 1
    return released.promise
  }
  return {
    calls: () => calls,
    release: () => {
      holding = undefined
      released.resolve(failed('timeout', 'no answer'))
    },
  }
}

describe('a call', () => {
  test('has the body of GET without host, compact, signed in both ways', async () => {
    const { secret } = await hook()
    const id = await makeCustomer(core)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    const { headers = {}, body = '' } = receiver.received[0] ?? {}
    const shown = singleOf(await core.get(`/api/customers/${id}`, core.tokens.admin)).data
    const hostless = JSON.parse(
      JSON.stringify({ data: shown }).replaceAll('http://localhost:8080', ''),
    ) as unknown
    expect(JSON.parse(body)).toEqual(hostless)
    expect(body).toBe(JSON.stringify(JSON.parse(body)))
    expect(body).toMatch(
      new RegExp(`^{"data":{"id":"${id}","type":"customers","links":{"self":"/api/customers/${id}"},`),
    )
    expect(body).toContain('"reference":null')
    expect(body).toContain('"metadata":{}')
    expect(headers['x-commercelayer-topic']).toBe('customers.create')
    expect(isSignedWith(body, secret, headers['x-commercelayer-signature'] ?? '')).toBe(true)
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    const [event] = listOf(
      await core.get(`/api/customers/${id}/events?filter[q][name_eq]=customers.create`, core.tokens.admin),
    ).data
    expect(headers['webhook-id']).toBe(event?.id)
  })

  test('has what the webhook includes', async () => {
    await hook({ topic: 'orders.create', include_resources: ['market', 'customer'] })
    const market = { data: { type: 'markets', id: encodeId('markets', 1) } }
    await core.send('POST', '/api/orders', core.tokens.admin, {
      data: { type: 'orders', attributes: { customer_email: 'ada@example.com' }, relationships: { market } },
    })
    await deliver()
    const { data, included } = JSON.parse(receiver.received[0]?.body ?? '') as {
      data: { relationships: Record<string, { data: unknown }> }
      included: readonly { type: string; attributes: object }[]
    }
    expect(data.relationships['market']?.data).toEqual(market.data)
    expect(included.map(({ type }) => type).sort()).toEqual(['customers', 'markets'])
    // What calls are signed with is nobody else's business.
    expect(included.find(({ type }) => type === 'markets')?.attributes).toMatchObject({ shared_secret: null })
  })

  test('about what is gone has its id and nulls', async () => {
    await hook({ topic: 'customers.destroy' })
    const id = await makeCustomer(core)
    await core.send('DELETE', `/api/customers/${id}`, core.tokens.admin)
    await deliver()
    const { data } = JSON.parse(receiver.received[0]?.body ?? '') as {
      data: { id: string; attributes: Record<string, unknown> }
    }
    expect(data.id).toBe(id)
    expect(new Set(Object.values(data.attributes))).toEqual(new Set([null]))
  })

  test('about tags shows them', async () => {
    await hook({ topic: 'customers.tagged' })
    const id = await makeCustomer(core)
    await makeTag('vip')
    await patch('customers', id, { _add_tags: 'vip' })
    await deliver()
    expect(receiver.received.map(({ body }) => body)).toEqual([expect.stringContaining('"name":"vip"')])
  })

  test('is kept as an event callback', async () => {
    const { id } = await hook()
    await makeCustomer(core)
    await deliver()
    expect(await callbacks()).toMatchObject([
      { callback_url: receiver.url, response_code: '200', response_message: 'OK' },
    ])
    const { body } = receiver.received[0] ?? { body: '' }
    expect((await callbacks())[0]?.['payload']).toEqual(JSON.parse(body))
    const shown = await core.get(`/api/webhooks/${id}?include=last_event_callbacks`, core.tokens.admin)
    expect(singleOf(shown).included).toHaveLength(1)
  })
})

describe('who is called', () => {
  test('every webhook of the topic, once for each event, in order', async () => {
    const other = await openWebhookReceiver()
    await hook()
    await hook({ callback_url: other.url })
    await hook({ topic: 'orders.place' })
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await makeCustomer(core))
    await deliver()
    const idOf = ({ body }: { readonly body: string }) =>
      (JSON.parse(body) as { data: { id: string } }).data.id
    expect(receiver.received.map(idOf).sort()).toEqual([...ids].sort())
    expect(other.received.map(idOf).sort()).toEqual([...ids].sort())
    await other.close()
  })

  test('nobody about what was before it, while it is disabled, or in another environment', async () => {
    await makeCustomer(core)
    const { id } = await hook()
    await patch('webhooks', id, { _disable: true })
    await makeCustomer(core)
    await deliver()
    await patch('webhooks', id, { _enable: true })
    const elsewhere = { data: { type: 'customers', attributes: { email: 'x@shop.test' } } }
    await core.send('POST', '/api/customers', core.tokens.otherOrganization, elsewhere)
    await deliver()
    expect(receiver.received).toEqual([])
  })

  test('nobody about what was rolled back', async () => {
    await hook()
    const client = await core.pool.connect()
    await client.query('BEGIN')
    await client.query(
      "INSERT INTO events (environment_id, name, resource_type, record_id) SELECT environment_id, 'customers.create', 'customers', 1 FROM webhooks",
    )
    await client.query('ROLLBACK')
    client.release()
    await deliver()
    expect(receiver.received).toEqual([])
  })

  test('about a transaction that commits after later ones, too', async () => {
    await hook()
    const client = await core.pool.connect()
    await client.query('BEGIN')
    await client.query(
      "INSERT INTO events (environment_id, name, resource_type, record_id) SELECT environment_id, 'customers.create', 'customers', 1 FROM webhooks",
    )
    await makeCustomer(core)
    await core.webhooks.runUntilIdle()
    expect(receiver.received).toEqual([])
    await client.query('COMMIT')
    client.release()
    await deliver()
    expect(receiver.received).toHaveLength(2)
  })

  test('again about an event that is triggered, with the same event id and another delivery id', async () => {
    await hook()
    await makeCustomer(core)
    await deliver()
    const event = receiver.received[0]?.headers['webhook-id'] ?? ''
    expect((await patch('events', event, { _trigger: true })).status).toBe(200)
    await deliver()
    const ids = receiver.received.map(({ headers }) => [headers['webhook-id'], headers['x-merx-delivery-id']])
    expect(ids.map(([id]) => id)).toEqual([event, event])
    expect(new Set(ids.map(([, delivery]) => delivery)).size).toBe(2)
  })
})

describe('a receiver that does not take it', () => {
  test('is called again by the schedule, ten times, with the same body and ids', async () => {
    receiver.answer = () => 500
    await hook()
    await makeCustomer(core)
    // The first retry is at once.
    await deliver()
    expect(receiver.received).toHaveLength(2)
    const delays: number[] = []
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      const { rows } = await core.pool.query<{ delay: string }>(
        `SELECT extract(epoch FROM due_at - (SELECT max(created_at) FROM event_callbacks)) AS delay
         FROM webhook_deliveries`,
      )
      delays.push(Number(rows[0]?.delay))
      await retryNow()
      await deliver()
    }
    const planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 50_400, 86_400]
    expect(delays).toEqual(planned)
    expect(receiver.received).toHaveLength(11)
    expect(await waiting()).toMatchObject([
      { attempts: 11, due_at: null, failed_at: expect.any(Date) as Date },
    ])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-merx-delivery-id'])).size).toBe(1)
    expect((await callbacks()).map(({ response_code: code }) => code)).toEqual(
      Array.from({ length: 11 }, () => '500'),
    )
  })

  test('the token of a password reset waits for its retry sealed', async () => {
    receiver.answer = () => 500
    await hook({ topic: 'customer_password_resets.create' })
    const email = 'forgetful@example.com'
    await core.send('POST', '/api/customers', core.tokens.admin, {
      data: { type: 'customers', attributes: { email } },
    })
    const reset = singleOf(
      await core.send('POST', '/api/customer_password_resets', core.tokens.admin, {
        data: { type: 'customer_password_resets', attributes: { customer_email: email } },
      }),
    )
    const token = String(reset.data.attributes['reset_password_token'])
    await deliver()
    expect(receiver.received[0]?.body).toContain(token)
    const { rows } = await core.pool.query<{ stored: string }>(
      `SELECT delivery::text AS stored FROM webhook_deliveries AS delivery
       UNION ALL SELECT callback::text FROM event_callbacks AS callback`,
    )
    expect(rows.length).toBeGreaterThan(1)
    for (const { stored } of rows) expect(stored).not.toContain(token)
    await retryNow()
    await deliver()
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  test('that takes it later has it delivered and its count set back', async () => {
    receiver.answer = () => 503
    const { id } = await hook()
    await makeCustomer(core)
    await deliver()
    receiver.answer = () => 200
    await retryNow()
    await deliver()
    expect(await waiting()).toEqual([])
    const { data } = singleOf(await core.get(`/api/webhooks/${id}`, core.tokens.admin))
    expect(data.attributes).toMatchObject({ circuit_failure_count: 0, circuit_state: 'closed' })
  })

  test('thirty times in a row opens the circuit: nothing is called until it is reset, then everything is', async () => {
    receiver.answer = () => 500
    const { id } = await hook()
    for (let count = 0; count < 20; count += 1) await makeCustomer(core)
    await deliver()
    const shown = async () =>
      singleOf(await core.get(`/api/webhooks/${id}`, core.tokens.admin)).data.attributes
    expect(await shown()).toMatchObject({ circuit_state: 'open' })
    const calls = receiver.received.length
    expect(calls).toBeGreaterThanOrEqual(30)
    await makeCustomer(core)
    await retryNow()
    await deliver()
    expect(receiver.received).toHaveLength(calls)
    receiver.answer = () => 204
    await patch('webhooks', id, { _reset_circuit: true })
    await deliver()
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(21)
    expect(await waiting()).toEqual([])
  })

  test('a private address is not called, and the callback says why', async () => {
    await hook()
    // As a name that leads somewhere else by now.
    await core.pool.query("UPDATE webhooks SET callback_url = 'http://169.254.169.254/latest'")
    await makeCustomer(core)
    await deliver()
    expect((await callbacks())[0]).toMatchObject({
      response_code: null,
      response_message: expect.stringContaining('address that may not be called') as string,
    })
  })
})

test('records keep their order: a second event waits until the first one was answered', async () => {
  let isOpen = 0
  let mostOpen = 0
  receiver.answer = async () => {
    isOpen += 1
    mostOpen = Math.max(mostOpen, isOpen)
    await new Promise((resolve) => setTimeout(resolve, 30))
    isOpen -= 1
    return 200
  }
  await hook({ topic: 'customers.tagged' })
  const id = await makeCustomer(core)
  const tags = ['a', 'b', 'c', 'd']
  for (const tag of tags) await makeTag(tag)
  for (const tag of tags) await patch('customers', id, { _add_tags: tag })
  await deliver()
  expect(mostOpen).toBe(1)
  const events = receiver.received.map(({ headers }) => headers['webhook-id'])
  const listed = listOf(
    await core.get(
      `/api/customers/${id}/events?filter[q][name_eq]=customers.tagged&sort=id`,
      core.tokens.admin,
    ),
  ).data
  expect(events).toEqual(listed.map((event) => event.id))
})

test('a receiver that hangs delays no other', async () => {
  const hanging = await openWebhookReceiver()
  const held = hold(hanging.url)
  await hook({ callback_url: hanging.url })
  await hook()
  for (let count = 0; count < 40; count += 1) await makeCustomer(core)
  const delivered = deliver()
  await eventually(() => receiver.received.length === 40)
  expect(held.calls()).toBe(32)
  held.release()
  await delivered
  await hanging.close()
})

test('an import is silent but for the status of orders', async () => {
  await hook()
  await hook({ topic: 'imports.complete' })
  const attributes = { resource_type: 'customers', inputs: [{ email: 'imported@shop.test' }] }
  await core.send('POST', '/api/imports', core.tokens.admin, { data: { type: 'imports', attributes } })
  await core.jobs.runUntilIdle()
  await deliver()
  expect(receiver.received.map(({ headers }) => headers['x-commercelayer-topic'])).toEqual([
    'imports.complete',
  ])
})
