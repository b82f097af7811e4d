/** /internal/webhooks, as `merx webhooks` calls it: what waits and fails, sending again, resetting circuits. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCoreDatabase } from '../../db/support/core-database.ts'
import type { CoreDatabase } from '../../db/support/core-database.ts'
import { createSmallShop, insert } from '../../db/support/small-shop.ts'
import type { SmallShop } from '../../db/support/small-shop.ts'
import { openInternalCalls, refusalOf } from '../support/internal-calls.ts'
import type { InternalCalls } from '../support/internal-calls.ts'

let core: CoreDatabase
let internal: InternalCalls
let shop: SmallShop
let other: SmallShop
let number = 0
let id = ''
beforeAll(async () => {
  core = await openCoreDatabase('internal_webhooks')
  shop = await createSmallShop(core.database)
  other = await createSmallShop(core.database, { organizationId: 'oTheROrgaN' })
  internal = await openInternalCalls(core.database)
})
afterAll(async () => {
  await internal.close()
  await core.drop()
})
beforeEach(async () => {
  for (const table of ['webhook_deliveries', 'events', 'webhooks'])
    await core.database.query(`DELETE FROM ${table}`)
  await core.database.query(
    `UPDATE webhook_cursor SET transaction_id = pg_current_xact_id()::text::bigint, event_id = ${Number.MAX_SAFE_INTEGER}`,
  )
  number = await makeWebhook(shop)
  id = encodeId('webhooks', number)
})

const makeWebhook = ({ environmentId }: SmallShop, values: object = {}) =>
  insert(core.database, 'webhooks', {
    environment_id: environmentId,
    topic: 'orders.place',
    callback_url: 'http://127.0.0.1/hook',
    ...values,
  })
const makeEvent = (createdAt = '2026-01-15T12:00:00Z', { environmentId }: SmallShop = shop) =>
  insert(core.database, 'events', {
    environment_id: environmentId,
    name: 'orders.place',
    resource_type: 'orders',
    record_id: 1,
    transaction_id: 1,
    created_at: createdAt,
  })
const makeDelivery = (values: object) =>
  insert(core.database, 'webhook_deliveries', {
    environment_id: shop.environmentId,
    webhook_id: number,
    event_id: 1,
    lane: 1,
    ...values,
  })
const NOW = new Date()
const resend = (body: object, webhook = id) =>
  internal.call('POST', `/internal/webhooks/${webhook}/resend`, body)
const due = async () =>
  (
    await core.database.query<{ event_id: number }>(
      'SELECT event_id FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY event_id',
    )
  ).map(({ event_id: event }) => event)

describe('GET /internal/webhooks', () => {
  const list = (organization = shop.organizationId, mode = 'test') =>
    internal.call('GET', `/internal/webhooks?organization_id=${organization}&mode=${mode}`)

  test('lists those of the environment with their deliveries, the ones that fail most first', async () => {
    await makeDelivery({ due_at: NOW })
    await makeDelivery({ due_at: NOW })
    await makeDelivery({})
    await makeDelivery({ failed_at: NOW })
    const failing = await makeWebhook(shop, { circuit_failure_count: 30, circuit_state: 'open', name: 'ERP' })
    await makeWebhook(other)
    const response = await list()
    expect([response.status, response.body]).toEqual([
      200,
      {
        webhooks: [
          expect.objectContaining({
            ...{
              id: encodeId('webhooks', failing),
              name: 'ERP',
              circuit_state: 'open',
              circuit_failure_count: 30,
            },
            ...{ waiting: 0, held: 0, failed: 0 },
          }),
          {
            ...{
              id,
              name: null,
              topic: 'orders.place',
              callback_url: 'http://127.0.0.1/hook',
              disabled_at: null,
            },
            ...{ circuit_state: 'closed', circuit_failure_count: 0, waiting: 2, held: 1, failed: 1 },
          },
        ],
      },
    ])
    expect(response.text).not.toContain('secret')
  })

  test('is empty for another mode, and refuses one that is none', async () => {
    expect((await list(shop.organizationId, 'live')).body).toEqual({ webhooks: [] })
    expect(refusalOf(await list(shop.organizationId, 'both'))).toMatchObject({
      status: 400,
      sources: ['/mode'],
    })
  })
})

describe('POST /internal/webhooks/:id/resend', () => {
  test('makes what failed due again', async () => {
    const event = await makeEvent()
    await makeDelivery({ event_id: event, failed_at: NOW })
    await makeDelivery({ event_id: event })
    expect((await resend({})).body).toEqual({ count: 1 })
    expect(await due()).toEqual([event])
  })

  test('makes a delivery of one event of the topic and environment', async () => {
    const event = await makeEvent()
    const foreign = await makeEvent(undefined, other)
    expect((await resend({ event_id: encodeId('events', event) })).body).toEqual({ count: 1 })
    expect((await resend({ event_id: encodeId('events', event) })).body).toEqual({ count: 0 })
    expect((await resend({ event_id: encodeId('events', foreign) })).body).toEqual({ count: 0 })
    expect(await due()).toEqual([event])
  })

  test('makes deliveries of the events of a time', async () => {
    const events = []
    for (const hour of ['11', '12', '13']) events.push(await makeEvent(`2026-01-15T${hour}:00:00Z`))
    const to = '2026-01-15T12:00:00Z'
    expect((await resend({ from: '2026-01-15T12:00:00Z', to })).body).toEqual({ count: 1 })
    expect((await resend({ from: '2026-01-15T10:00:00Z' })).body).toEqual({ count: 2 })
    expect(await due()).toEqual(events)
  })

  test.each([
    ['a time that is none', { from: 'yesterday' }, 400, ['/from']],
    ['an end alone', { to: '2026-01-15T12:00:00Z' }, 400, ['/from']],
    ['an unknown member', { failed: true }, 400, ['/failed']],
    [
      'a time that ends before it begins',
      { from: '2026-01-16T12:00:00Z', to: '2026-01-15T12:00:00Z' },
      422,
      [undefined],
    ],
    ['an event with a time', { event_id: 'xxxxxxxxxx', from: '2026-01-15T12:00:00Z' }, 422, [undefined]],
    ['an event that is none', { event_id: 'xxxxxxxxxx' }, 404, [undefined]],
  ])('refuses %s', async (_name, body, status, sources) => {
    expect(refusalOf(await resend(body))).toMatchObject({ status, sources })
  })

  test('refuses more than 10,000 events, a disabled webhook, one that is none, and callers without the key', async () => {
    await core.database.query(
      `INSERT INTO events (environment_id, name, resource_type, record_id, transaction_id)
       SELECT $1, 'orders.place', 'orders', n, 1 FROM generate_series(1, 10001) AS n`,
      [shop.environmentId],
    )
    const tooMany = await resend({ from: '2026-01-15T12:00:00Z' })
    expect([tooMany.status, tooMany.text]).toEqual([
      422,
      expect.stringContaining('more than 10000 events of orders.place'),
    ])
    const disabled = encodeId('webhooks', await makeWebhook(shop, { disabled_at: NOW }))
    const refused = await resend({}, disabled)
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(`'${disabled}' is disabled`),
    ])
    for (const none of ['xxxxxxxxxx', 'x', encodeId('webhooks', number + 1_000)])
      expect(refusalOf(await resend({}, none))).toMatchObject({ status: 404 })
    const { status } = await internal.client.request('POST', `/internal/webhooks/${id}/resend`, { body: {} })
    expect(status).toBe(401)
    expect(await due()).toEqual([])
  })
})

test('POST /internal/webhooks/:id/reset-circuit closes it', async () => {
  await core.database.query("UPDATE webhooks SET circuit_state = 'open', circuit_failure_count = 31")
  const reset = (webhook: string) => internal.call('POST', `/internal/webhooks/${webhook}/reset-circuit`, {})
  expect((await reset(id)).status).toBe(204)
  expect(await core.database.query('SELECT circuit_state, circuit_failure_count FROM webhooks')).toEqual([
    { circuit_state: 'closed', circuit_failure_count: 0 },
  ])
  expect(refusalOf(await reset('xxxxxxxxxx'))).toMatchObject({ status: 404 })
})
