/** One attempt: the headers of the vendor and of Standard Webhooks, and the call. */
import { createHmac } from 'node:crypto'
import { sharedSecretOf } from '../definitions/shared-secret.ts'
import type { Registry } from '../engine/registry.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import type { Outside } from '../outside/outside.ts'
import type { OutsideResult } from '../outside/result.ts'
import type { DueDelivery } from './take-deliveries.ts'

export interface DeliverDeps {
  readonly outside: Pick<Outside, 'post'>
  readonly registry: Pick<Registry, 'ids'>
  readonly secretBox: Pick<SecretBox, 'derive'>
  readonly now: () => Date
}

/**
 * Standard Webhooks: base64 of HMAC-SHA256 over id, time and body. Libraries take `shared_secret` as it is shown, and read
 * it as base64, so the key are these bytes.
 */
const standardSignature = (id: string, timestamp: string, body: string, secret: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/**
 * `webhook-id` is the event: the same for every attempt, and when it is sent again on purpose. `x-merx-delivery-id` is the
 * delivery: the same for its attempts, another one when the event is sent again.
 */
export const deliverWebhook = (
  delivery: DueDelivery,
  body: string,
  { outside, registry, secretBox, now }: DeliverDeps,
): Promise<OutsideResult> => {
  const secret = sharedSecretOf(delivery, secretBox)
  const id = registry.ids.encode('events', delivery.event_id)
  const timestamp = String(Math.floor(now().getTime() / 1_000))
  return outside.post({
    url: delivery.callback_url,
    body,
    secret,
    headers: {
      'x-commercelayer-topic': delivery.topic,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': standardSignature(id, timestamp, body, secret),
      'x-merx-delivery-id': registry.ids.encode('webhook_deliveries', delivery.id),
    },
  })
}
