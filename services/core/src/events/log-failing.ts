/** The lines about webhooks that keep failing, one at the warning and one when the circuit opens. */
import type { Logger } from '@merx/telemetry/logger'
import type { Registry } from '../engine/registry.ts'
import { keptAnswer } from '../outside/kept-answer.ts'
import type { FailingWebhook } from './record-results.ts'

/** The path and the query of an address may be secrets of the receiver. */
export const receiverOf = (callbackUrl: string): string => URL.parse(callbackUrl)?.host ?? ''

export const logFailing = (
  { webhookId, failures, hasOpened, lastAttempt: { delivery, result } }: FailingWebhook,
  { registry, log }: { readonly registry: Pick<Registry, 'ids'>; readonly log: Logger },
): void => {
  const { response_code: status, response_message: answer } = keptAnswer(result)
  const facts = {
    webhook: registry.ids.encode('webhooks', webhookId),
    receiver: receiverOf(delivery.callback_url),
    failures,
    status,
    answer,
  }
  if (hasOpened) log.warn(facts, 'the circuit of a webhook opened; it is not called until it is reset')
  else log.warn(facts, 'a webhook keeps failing')
}
