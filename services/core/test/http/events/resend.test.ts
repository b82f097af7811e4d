/** `_resend` of webhooks: what is delivered again, to whom, and what is refused. */
import { errorsOf, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { deliverAll, makeCustomer, makeWebhook, openCalling, openWebhookReceiver } from './receivers.ts'
import type { WebhookReceiver } from './receivers.ts'

let core: TestCore
let receiver: WebhookReceiver
beforeAll(async () => {
  core = await openCalling('resend')
})
afterAll(() => core.close())
beforeEach(async () => {
  await core.pool.query('DELETE FROM webhooks')
  await core.pool.query('DELETE FROM events')
  receiver = await openWebhookReceiver()
})
afterEach(() => receiver.close())

const TOPIC = 'customers.create'
const hook = (attributes: object = {}) =>
  makeWebhook(core, { topic: TOPIC, callback_url: receiver.url, ...attributes })
const patch = (id: string, attributes: object, token = core.tokens.admin) =>
  core.send('PATCH', `/api/webhooks/${id}`, token, { data: { type: 'webhooks', id, attributes } })
const resend = async (id: string, attributes: object = {}) => {
  const response = await patch(id, { _resend: true, ...attributes })
  expect(response.status).toBe(200)
  await deliverAll(core)
}
const eventIds = (from = receiver) => from.received.map(({ headers }) => headers['webhook-id'])
const states = async (): Promise<readonly unknown[]> =>
  (
    await core.pool.query<object>(
      `SELECT attempts, due_at IS NOT NULL AS is_due, failed_at IS NOT NULL AS has_failed FROM webhook_deliveries ORDER BY id`,
    )
  ).rows
/** As if all retries had failed. */
const failAll = () =>
  core.pool.query('UPDATE webhook_deliveries SET attempts = 11, due_at = NULL, failed_at = now()')
const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString()

describe('_resend', () => {
  test('sends what failed for the last time, with the same body and ids, and the schedule begins again', async () => {
    receiver.answer = () => 500
    const { id } = await hook()
    for (let count = 0; count < 3; count += 1) await makeCustomer(core)
    await deliverAll(core)
    await failAll()
    const sent = receiver.received.splice(0)
    await resend(id)
    expect(await states()).toEqual(
      Array.from({ length: 3 }, () => ({ attempts: 2, is_due: true, has_failed: false })),
    )
    await failAll()
    receiver.received.splice(0)
    receiver.answer = () => 200
    await resend(id)
    expect(await states()).toEqual([])
    const identityOf = ({ headers, body }: (typeof sent)[number]) =>
      [headers['webhook-id'], headers['x-merx-delivery-id'], body].join(' ')
    expect(receiver.received.map(identityOf).sort()).toEqual([...new Set(sent.map(identityOf))].sort())
  })

  test('leaves alone what was delivered, what waits for a retry, and other webhooks', async () => {
    const other = await openWebhookReceiver()
    const { id } = await hook()
    await makeCustomer(core)
    await deliverAll(core)
    receiver.answer = () => 500
    other.answer = () => 500
    await hook({ callback_url: other.url })
    await makeCustomer(core)
    await deliverAll(core)
    const before = await states()
    expect(before).toHaveLength(2)
    await resend(id)
    expect(await states()).toEqual(before)
    await failAll()
    other.received.splice(0)
    await resend(id)
    expect(other.received).toEqual([])
    await other.close()
  })

  test('with a time sends everything of it again, also what was delivered or was before the webhook', async () => {
    await makeCustomer(core)
    await makeCustomer(core)
    await core.pool.query(
      `UPDATE events SET created_at = now() - interval '3 hours' WHERE id = (SELECT min(id) FROM events)`,
    )
    await core.webhooks.runUntilIdle()
    const { id } = await hook()
    await makeCustomer(core)
    await deliverAll(core)
    expect(receiver.received).toHaveLength(1)
    await resend(id, { _resend_from: hours(-4) })
    expect(receiver.received).toHaveLength(4)
    expect(new Set(eventIds()).size).toBe(3)
    receiver.received.splice(0)
    await resend(id, { _resend_from: hours(-4), _resend_to: hours(-2) })
    expect(receiver.received).toHaveLength(1)
    await resend(id, { _resend_from: hours(-2), _resend_to: hours(1) })
    expect(new Set(eventIds()).size).toBe(3)
  })

  test('with a time sends what failed or waits only once', async () => {
    receiver.answer = () => 500
    const { id } = await hook()
    await makeCustomer(core)
    await deliverAll(core)
    await failAll()
    await makeCustomer(core)
    await deliverAll(core)
    await resend(id, { _resend_from: hours(-1) })
    expect(await states()).toEqual([
      { attempts: 2, is_due: true, has_failed: false },
      { attempts: 2, is_due: true, has_failed: false },
    ])
  })

  test('does not overtake the dispatcher: what it has not read yet is sent once', async () => {
    const { id } = await hook()
    await makeCustomer(core)
    expect((await patch(id, { _resend: true, _resend_from: hours(-1) })).status).toBe(200)
    await deliverAll(core)
    expect(receiver.received).toHaveLength(1)
  })

  test('waits for the reset of an open circuit', async () => {
    const { id } = await hook()
    await makeCustomer(core)
    await deliverAll(core)
    await core.pool.query("UPDATE webhooks SET circuit_state = 'open', circuit_failure_count = 30")
    receiver.received.splice(0)
    await resend(id, { _resend_from: hours(-1) })
    expect(receiver.received).toEqual([])
    await resend(id, { _reset_circuit: true })
    expect(receiver.received).toHaveLength(1)
  })

  test('what is due now is taken now, although times are rounded to milliseconds', async () => {
    await hook()
    await makeCustomer(core)
    await deliverAll(core)
    await core.pool.query(`UPDATE events SET triggered_at = now()`)
    await core.pool.query("UPDATE webhooks SET circuit_state = 'open'")
    await core.webhooks.runUntilIdle()
    for (let round = 0; round < 50; round += 1) {
      await core.pool.query("UPDATE webhooks SET circuit_state = 'closed'")
      await core.webhooks.runUntilIdle()
      expect(receiver.received).toHaveLength(2 + round)
      await core.pool.query("UPDATE webhooks SET circuit_state = 'open'")
      await core.pool.query(`UPDATE events SET triggered_at = now()`)
      await core.webhooks.runUntilIdle()
    }
  })

  test('without anything to send is a success', async () => {
    const { id } = await hook()
    await resend(id)
    await resend(id, { _resend_from: hours(-1) })
    expect(receiver.received).toEqual([])
  })

  test('_enable and _resend work in one request', async () => {
    receiver.answer = () => 500
    const { id } = await hook()
    await makeCustomer(core)
    await deliverAll(core)
    await failAll()
    await patch(id, { _disable: true })
    receiver.received.splice(0)
    receiver.answer = () => 200
    await resend(id, { _enable: true })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('_resend is refused', () => {
  test.each([
    ['with a time that is none', { _resend_from: 'yesterday' }, '_resend_from', /ISO 8601 date-time/],
    [
      'with an end that is none',
      { _resend_from: hours(-1), _resend_to: '2026-13-01' },
      '_resend_to',
      /ISO 8601/,
    ],
    ['with a number', { _resend_from: 5 }, '_resend_from', /must be a string/],
    ['with an end alone', { _resend_to: hours(0) }, '_resend_to', /is for _resend_from; send both/],
    [
      'with a time that ends before it begins',
      { _resend_from: hours(0), _resend_to: hours(-1) },
      '_resend_from',
      /after _resend_to/,
    ],
    [
      'with a time without _resend',
      { _resend: false, _resend_from: hours(-1) },
      '_resend_from',
      /is for _resend; send both/,
    ],
    ['with a value', { _resend: 'all' }, '_resend', /true or false/],
  ])('%s', async (_name, attributes, attribute, detail) => {
    const { id } = await hook()
    const response = await patch(id, { _resend: true, ...attributes })
    expect([response.status, errorsOf(response)]).toMatchObject([
      422,
      [
        {
          source: { pointer: `/data/attributes/${attribute}` },
          detail: expect.stringMatching(detail) as string,
        },
      ],
    ])
  })

  test('while the webhook is disabled', async () => {
    const { id } = await hook()
    await patch(id, { _disable: true })
    const response = await patch(id, { _resend: true })
    expect([response.status, errorsOf(response)]).toMatchObject([
      422,
      [
        {
          source: { pointer: '/data/attributes/_resend' },
          detail: expect.stringMatching(/disabled.*_enable/) as string,
        },
      ],
    ])
  })

  test('for more than 10,000 events of a time; of what failed 10,000 go at once', async () => {
    const { id } = await hook()
    await core.pool.query(
      `INSERT INTO events (environment_id, name, resource_type, record_id, transaction_id)
       SELECT environment_id, topic, 'customers', n, 1 FROM webhooks, generate_series(1, 10001) AS n`,
    )
    const response = await patch(id, { _resend: true, _resend_from: hours(-1) })
    expect([response.status, errorsOf(response)]).toMatchObject([
      422,
      [{ detail: expect.stringMatching(/more than 10000 events of customers\.create; narrow it/) as string }],
    ])
    await core.pool.query('DELETE FROM events WHERE id = (SELECT min(id) FROM events)')
    expect((await patch(id, { _resend: true, _resend_from: hours(-1) })).status).toBe(200)
    expect(await states()).toHaveLength(10_000)
    await failAll()
    await core.pool.query(
      `INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, lane, failed_at)
       SELECT environment_id, webhook_id, event_id, lane, failed_at FROM webhook_deliveries LIMIT 1`,
    )
    expect((await patch(id, { _resend: true })).status).toBe(200)
    const { rows } = await core.pool.query(
      'SELECT count(*)::integer AS left FROM webhook_deliveries WHERE failed_at IS NOT NULL',
    )
    expect(rows).toEqual([{ left: 1 }])
    await core.pool.query('DELETE FROM webhook_deliveries')
  })

  test('for a sales channel, a role that only reads, and another organization', async () => {
    const { id } = await hook()
    const status = async (token: string) => (await patch(id, { _resend: true }, token)).status
    expect(await status(await core.tokens.mint(salesChannel([1])))).toBe(401)
    expect(await status(core.tokens.readOnly)).toBe(401)
    expect(await status(core.tokens.otherOrganization)).toBe(404)
  })
})

describe('an import', () => {
  const importCustomer = async (email: string) => {
    const attributes = { resource_type: 'customers', inputs: [{ email }] }
    await core.send('POST', '/api/imports', core.tokens.admin, { data: { type: 'imports', attributes } })
    await core.jobs.runUntilIdle()
    await deliverAll(core)
  }
  afterEach(() => core.pool.query(`UPDATE environments SET settings = '{}'`))

  test('calls webhooks of every topic when imports_trigger_webhooks is set, of this environment only', async () => {
    await hook()
    await core.pool.query(
      `UPDATE environments SET settings = '{"imports_trigger_webhooks": true}' WHERE id <> 1`,
    )
    await importCustomer('silent@shop.test')
    expect(receiver.received).toEqual([])
    await core.pool.query(
      `UPDATE environments SET settings = '{"imports_trigger_webhooks": true}' WHERE id = 1`,
    )
    await importCustomer('loud@shop.test')
    expect(receiver.received.map(({ body }) => body)).toEqual([expect.stringContaining('loud@shop.test')])
  })

  test('is sent again only when it was to be sent at all', async () => {
    const { id } = await hook()
    await importCustomer('again@shop.test')
    await resend(id, { _resend_from: hours(-1) })
    expect(receiver.received).toEqual([])
    await core.pool.query(
      `UPDATE environments SET settings = '{"imports_trigger_webhooks": true}' WHERE id = 1`,
    )
    await resend(id, { _resend_from: hours(-1) })
    expect(receiver.received).toHaveLength(1)
  })
})
