/** Makes deliveries of one webhook again: those that failed for the last time, those of one event, or all of a time. */
import type { RunStatement } from '../engine/database/run-statement.ts'
import { IS_DELIVERED_OF_IMPORTS } from './silent-imports.ts'

/** Deliveries of one request. */
export const RESEND_MAX = 10_000

export interface ResentWebhook {
  readonly environmentId: number
  readonly id: number
  readonly topic: string
}

/** What is sent again: everything that failed, the oldest first; one event; or the events of a time. */
export type Resend =
  | { readonly kind: 'failed' }
  | { readonly kind: 'event'; readonly eventId: number }
  | { readonly kind: 'time'; readonly from: Date; readonly to: Date }

/** An open circuit holds them back. Its schedule of retries begins again. */
const AGAIN = `attempts = 0, failed_at = NULL, due_at = CASE WHEN webhook.circuit_state = 'closed' THEN now() END`

const WEBHOOK = 'webhook AS (SELECT * FROM webhooks WHERE environment_id = $1 AND id = $2)'

const FAILED = `
  WITH ${WEBHOOK},
  again AS (
    UPDATE webhook_deliveries AS delivery SET ${AGAIN} FROM webhook
    WHERE delivery.environment_id = $1 AND delivery.id IN (
      SELECT id FROM webhook_deliveries WHERE environment_id = $1 AND webhook_id = $2 AND due_at IS NULL AND failed_at IS NOT NULL
      ORDER BY id LIMIT ${RESEND_MAX})
    RETURNING 1)
  SELECT count(*)::integer AS count FROM again`

/** Of the webhook's topic, also from before it was made. Those that are not followed yet ($3 is the topic) are delivered anyway. */
const askedFor = (condition: string): string => `
  asked AS MATERIALIZED (
    SELECT event.id FROM events AS event
    WHERE event.environment_id = $1 AND event.name = $3 AND ${condition} AND ${IS_DELIVERED_OF_IMPORTS}
      AND (event.transaction_id IS NULL
        OR (event.transaction_id, event.id) <= (SELECT transaction_id, event_id FROM webhook_cursor))
    LIMIT ${RESEND_MAX + 1})`

const ONE = 'event.id = $4'
const OF_TIME = 'event.created_at >= $4 AND event.created_at <= $5'

/** What waits for its delivery or a retry is left alone, so that nothing is sent twice. */
const make = (condition: string): string => `
  WITH ${WEBHOOK}, ${askedFor(condition)},
  again AS (
    UPDATE webhook_deliveries AS delivery SET ${AGAIN} FROM webhook, asked
    WHERE delivery.environment_id = $1 AND delivery.webhook_id = $2 AND delivery.event_id = asked.id
      AND delivery.failed_at IS NOT NULL
    RETURNING 1),
  made AS (
    INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, lane, due_at)
    SELECT $1, $2, asked.id, hashtextextended(webhook.callback_url, webhook.environment_id) >> 11,
      CASE WHEN webhook.circuit_state = 'closed' THEN now() END
    FROM webhook, asked
    WHERE NOT EXISTS (SELECT FROM webhook_deliveries AS delivery
      WHERE delivery.environment_id = $1 AND delivery.webhook_id = $2 AND delivery.event_id = asked.id)
    ORDER BY asked.id
    RETURNING 1)
  SELECT (SELECT count(*) FROM again)::integer + (SELECT count(*) FROM made)::integer AS count`

const COUNT = `WITH ${askedFor(OF_TIME)} SELECT count(*)::integer AS count FROM asked, (SELECT $2::bigint) AS webhook`

/** @returns how many are sent again; undefined when there are more than RESEND_MAX, and then none is */
export const resend = async (
  { environmentId, id, topic }: ResentWebhook,
  what: Resend,
  run: RunStatement,
): Promise<number | undefined> => {
  const counted = async (text: string, ...values: readonly unknown[]): Promise<number> => {
    const [row] = await run<{ readonly count: number }>({ text, values: [environmentId, id, ...values] })
    return row?.count ?? 0
  }
  if (what.kind === 'failed') return counted(FAILED)
  if (what.kind === 'event') return counted(make(ONE), topic, what.eventId)
  if ((await counted(COUNT, topic, what.from, what.to)) > RESEND_MAX) return undefined
  return counted(make(OF_TIME), topic, what.from, what.to)
}
