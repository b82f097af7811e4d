/** What deliveries ended with, many in one transaction: event callbacks, what is left to do, and the circuits. */
import type { Database } from '../engine/database/database.ts'
import { runIn } from '../engine/database/run-statement.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import {
  recordFailures,
  recordSuccess,
  WEBHOOK_FAILURES_MAX,
  WEBHOOK_FAILURES_WARNED,
} from '../outside/circuit.ts'
import type { CircuitRow } from '../outside/circuit.ts'
import { keptAnswer } from '../outside/kept-answer.ts'
import { isSuccess } from '../outside/result.ts'
import type { OutsideResult } from '../outside/result.ts'
import { RETRY_DELAYS_SECONDS } from './retry-schedule.ts'
import type { DueDelivery } from './take-deliveries.ts'

export interface AttemptResult {
  readonly delivery: DueDelivery
  /** Null when it could not be made; nothing was called then. */
  readonly body: string | null
  readonly result: OutsideResult
}

/** `held`: the circuit is open. `dropped`: the webhook was disabled since. Nothing was called. */
export interface NotCalled {
  readonly delivery: DueDelivery
  readonly outcome: 'held' | 'dropped'
}

/** A webhook that has failed so often in a row that somebody should look: once at the warning, once when its circuit opens. */
export interface FailingWebhook {
  readonly webhookId: number
  /** In a row. */
  readonly failures: number
  readonly hasOpened: boolean
  readonly lastAttempt: AttemptResult
}

// A webhook that was deleted meanwhile has no callbacks any more.
const CALLBACKS = `
  INSERT INTO event_callbacks (environment_id, webhook_id, event_id, callback_url, payload, response_code, response_message)
  SELECT webhook.environment_id, webhook.id, entry.event_id, entry.callback_url, entry.payload, entry.response_code,
    entry.response_message
  FROM json_to_recordset($1::json) AS entry (environment_id bigint, webhook_id bigint, event_id bigint, callback_url text,
    payload jsonb, response_code text, response_message text)
  JOIN (
    SELECT environment_id, id FROM webhooks WHERE (environment_id, id) IN (
      SELECT environment_id, webhook_id FROM json_to_recordset($1::json) AS called (environment_id bigint, webhook_id bigint))
    FOR KEY SHARE) AS webhook ON webhook.environment_id = entry.environment_id AND webhook.id = entry.webhook_id`

const DONE = `
  DELETE FROM webhook_deliveries AS delivery USING unnest($1::bigint[], $2::bigint[]) AS done (environment_id, id)
  WHERE delivery.environment_id = done.environment_id AND delivery.id = done.id`

const HOLD = `
  UPDATE webhook_deliveries AS delivery SET due_at = NULL FROM unnest($1::bigint[], $2::bigint[]) AS held (environment_id, id)
  WHERE delivery.environment_id = held.environment_id AND delivery.id = held.id`

const AGAIN = `
  UPDATE webhook_deliveries AS delivery SET attempts = failed.attempts, body = failed.body,
    due_at = now() + failed.delay * interval '1 second',
    failed_at = CASE WHEN failed.delay IS NULL THEN now() END
  FROM json_to_recordset($1::json) AS failed (environment_id bigint, id bigint, attempts integer, body text, delay integer)
  WHERE delivery.environment_id = failed.environment_id AND delivery.id = failed.id`

const idsOf = (deliveries: readonly DueDelivery[]) => [
  deliveries.map(({ environment_id }) => environment_id),
  deliveries.map(({ id }) => id),
]

export interface RecordingDeps {
  readonly database: Pick<Database, 'transaction'>
  readonly secretBox: Pick<SecretBox, 'seal'>
}

/** @returns webhooks that somebody should look at now, by number */
export const recordResults = (
  called: readonly AttemptResult[],
  notCalled: readonly NotCalled[],
  { database, secretBox }: RecordingDeps,
): Promise<readonly FailingWebhook[]> =>
  database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const gone = [
      ...called.filter(({ result }) => isSuccess(result)).map(({ delivery }) => delivery),
      ...notCalled.filter(({ outcome }) => outcome === 'dropped').map(({ delivery }) => delivery),
    ]
    const held = notCalled.filter(({ outcome }) => outcome === 'held').map(({ delivery }) => delivery)
    const failed = called.filter(({ result }) => !isSuccess(result))
    if (called.length > 0) await run({ text: CALLBACKS, values: [JSON.stringify(called.map(toCallback))] })
    if (gone.length > 0) await run({ text: DONE, values: idsOf(gone) })
    if (held.length > 0) await run({ text: HOLD, values: idsOf(held) })
    if (failed.length > 0)
      await run({
        text: AGAIN,
        values: [JSON.stringify(failed.map((attempt) => toRetry(attempt, secretBox)))],
      })
    return recordCircuits(called, run)
  })

const toCallback = ({ delivery, body, result }: AttemptResult) => ({
  environment_id: delivery.environment_id,
  webhook_id: delivery.webhook_id,
  event_id: delivery.event_id,
  callback_url: delivery.callback_url,
  payload: withoutSecrets(body),
  ...keptAnswer(result),
})

/** Whoever may read callbacks must not be able to set the password of a customer. */
const withoutSecrets = (body: string | null): unknown =>
  body === null
    ? null
    : JSON.parse(body, (name, value: unknown) =>
        name === 'reset_password_token' && value !== null ? '[redacted]' : value,
      )

/** A body may hold what is not to be stored in clear, such as the token of a password reset. */
const toRetry = ({ delivery, body }: AttemptResult, secretBox: RecordingDeps['secretBox']) => ({
  environment_id: delivery.environment_id,
  id: delivery.id,
  attempts: delivery.attempts + 1,
  body: body === null ? null : secretBox.seal(body),
  delay: RETRY_DELAYS_SECONDS[delivery.attempts] ?? null,
})

/** Failures in a row, in the order in which the calls ended. Rows are locked in order of number. */
const recordCircuits = async (
  called: readonly AttemptResult[],
  run: RunStatement,
): Promise<readonly FailingWebhook[]> => {
  const failing: FailingWebhook[] = []
  const byWebhook = Map.groupBy(called, ({ delivery }) => delivery.webhook_id)
  for (const [webhookId, results] of [...byWebhook].sort(([a], [b]) => a - b)) {
    const lastAttempt = results.at(-1)
    if (lastAttempt === undefined) continue
    const { environment_id: environmentId } = lastAttempt.delivery
    const row: CircuitRow = { table: 'webhooks', environmentId, id: webhookId, opensAt: WEBHOOK_FAILURES_MAX }
    const lastSuccess = results.findLastIndex(({ result }) => isSuccess(result))
    if (lastSuccess !== -1) await recordSuccess(row, run)
    const more = results.length - 1 - lastSuccess
    const counted = more > 0 ? await recordFailures(row, more, run) : undefined
    if (counted === undefined) continue
    const { circuit_failure_count: failures, hasOpened } = counted
    const isWarned = failures >= WEBHOOK_FAILURES_WARNED && failures - more < WEBHOOK_FAILURES_WARNED
    if (hasOpened || isWarned) failing.push({ webhookId, failures, hasOpened, lastAttempt })
  }
  return failing
}
