/** Who is warned of a webhook that keeps failing, and when. */
import { createRecordingLogger } from '@merx/testing/silent-logger'
import { createOutside } from '../../../src/outside/outside.ts'
import { listOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { deliverAll, makeCustomer, makeWebhook, openCalling, openWebhookReceiver } from './receivers.ts'
import type { WebhookReceiver } from './receivers.ts'

const { log, lines } = createRecordingLogger()
let core: TestCore
let receiver: WebhookReceiver
beforeAll(async () => {
  core = await openCalling('failing_webhooks', { log })
  receiver = await openWebhookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await core.close()
})

/** Two calls each: the first retry is at once, and later ones are left out. */
const fail = async (customers: number) => {
  receiver.answer = () => 503
  for (let count = 0; count < customers; count += 1) await makeCustomer(core)
  await deliverAll(core)
  await core.pool.query('DELETE FROM webhook_deliveries')
}
const succeed = async () => {
  receiver.answer = () => 200
  await makeCustomer(core)
  await deliverAll(core)
}
const warnings = () => lines.filter(({ webhook }) => webhook !== undefined)

test('the log has one line at the fifth failure in a row and one when the circuit opens, without secrets', async () => {
  const callbackUrl = `${receiver.url}/path-that-is-a-secret?token=another`
  const { id, secret } = await makeWebhook(core, { topic: 'customers.create', callback_url: callbackUrl })
  await fail(2)
  expect(warnings()).toEqual([])
  await succeed()
  await fail(2)
  expect(warnings()).toEqual([])
  await fail(1)
  const line = {
    level: 'warn',
    webhook: id,
    receiver: new URL(receiver.url).host,
    failures: 5,
    status: '503',
    answer: 'Service Unavailable',
    msg: 'a webhook keeps failing',
  }
  expect(warnings()).toMatchObject([line])
  await fail(2)
  expect(warnings()).toHaveLength(1)
  await succeed()
  await fail(20)
  expect(
    warnings()
      .slice(1)
      .map(({ msg }) => msg),
  ).toEqual([
    'a webhook keeps failing',
    'the circuit of a webhook opened; it is not called until it is reset',
  ])
  const text = JSON.stringify(lines)
  for (const hidden of [secret, 'path-that-is-a-secret', 'another']) expect(text).not.toContain(hidden)
})

test('what breaks in Merx itself fails one delivery, and the others arrive', async () => {
  const outside = createOutside({ allowedNetworks: ['127.0.0.0/8'] })
  const breaking = await openCalling('breaking_webhooks', {
    log,
    outside: {
      post: (call) => {
        if (call.url.endsWith('/broken')) throw new TypeError('a defect')
        return outside.post(call)
      },
      close: () => outside.close(),
    },
  })
  receiver.answer = () => 200
  const broken = await makeWebhook(breaking, {
    topic: 'customers.create',
    callback_url: `${receiver.url}/broken`,
  })
  await makeWebhook(breaking, { topic: 'customers.create', callback_url: receiver.url })
  const before = receiver.received.length
  await makeCustomer(breaking)
  await deliverAll(breaking)
  expect(receiver.received.length).toBe(before + 1)
  const path = `/api/webhooks/${broken.id}/last_event_callbacks`
  const callbacks = listOf(await breaking.get(path, breaking.tokens.admin)).data
  expect(callbacks.map(({ attributes }) => attributes['response_message'])).toContain(
    'the call could not be made',
  )
  expect(lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toContain(
    'a webhook could not be called; it is tried again',
  )
  await breaking.close()
})
