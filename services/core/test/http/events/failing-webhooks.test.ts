/** Who is warned of a webhook that keeps failing, and when. */
import { createRecordingLogger } from '@merx/testing/silent-logger'
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
