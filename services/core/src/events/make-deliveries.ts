/** Committed events → deliveries, one for each webhook that wants the event, in the order of the events. */
import type { Database } from '../engine/database/database.ts'
import { runIn, runOn } from '../engine/database/run-statement.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { DECIDED, eventsAfter, presentPlace } from './follow-events.ts'
import { IS_DELIVERED_OF_IMPORTS } from './silent-imports.ts'

// No statement on these queues is prepared: a plan made while they were empty reads all of them when they are long.

/** Of one transaction. */
const EVENTS_MAX = 1_000

const INTO = 'INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, lane, due_at)'

/** Calls of one address of one shop are made in order: they are one lane. An open circuit holds a delivery back. */
const DELIVERY = `
  event.environment_id, webhook.id, event.id, hashtextextended(webhook.callback_url, webhook.environment_id) >> 11,
  CASE WHEN webhook.circuit_state = 'closed' THEN now() END`

const WANTED = `
  JOIN webhooks AS webhook ON webhook.environment_id = event.environment_id AND webhook.topic = event.name
    AND webhook.disabled_at IS NULL`

// A webhook gets what happens after it was made.
const FOLLOW = `
  WITH followed AS (${eventsAfter(EVENTS_MAX)}),
  made AS (
    ${INTO} SELECT ${DELIVERY} FROM followed AS event ${WANTED}
    WHERE webhook.created_at <= event.created_at AND ${IS_DELIVERED_OF_IMPORTS}
    ORDER BY event.transaction_id, event.id, webhook.id RETURNING 1),
  moved AS (
    UPDATE webhook_cursor SET transaction_id = last.transaction_id, event_id = last.id
    FROM (SELECT transaction_id, id FROM followed ORDER BY transaction_id DESC, id DESC LIMIT 1) AS last
    RETURNING 1)
  SELECT (SELECT count(*) FROM followed) AS followed, (SELECT count(*) FROM made) AS made FROM (SELECT count(*) FROM moved) AS cursor`

const PLACE = 'SELECT transaction_id, event_id FROM webhook_cursor'

// By the index: a scalar subquery keeps ORDER BY and LIMIT, which EXISTS drops, and then it reads every event from the first.
const IS_BEHIND = `
  SELECT (
    SELECT id FROM events
    WHERE (transaction_id, id) > ((SELECT transaction_id FROM webhook_cursor), (SELECT event_id FROM webhook_cursor))
      AND transaction_id < ${DECIDED}
    ORDER BY transaction_id, id LIMIT 1) IS NOT NULL AS behind`

/** Are there events that webhooks have not seen? */
export const isBehind = async (run: RunStatement): Promise<boolean> => {
  const [state] = await run<{ readonly behind: boolean }>({ text: IS_BEHIND, values: [] })
  return state?.behind === true
}

interface Place {
  readonly transaction_id: number
  readonly event_id: number
}

/** @returns how many events were followed; with the most that are followed at once there may be more */
export const makeDeliveries = async (database: Database): Promise<{ readonly hasMore: boolean }> => {
  if (!(await isBehind(runOn(database.pool)))) return { hasMore: false }
  return database.transaction(async (transaction) => {
    const [place] = await transaction.query<Place>(`${PLACE} FOR UPDATE`)
    if (place === undefined) throw new Error('webhook_cursor has no row')
    const values = [place.transaction_id, place.event_id]
    const [counts] = await transaction.query<{ followed: number }>(FOLLOW, values)
    return { hasMore: counts?.followed === EVENTS_MAX }
  })
}

const AGAIN = `
  WITH triggered AS (
    UPDATE events SET triggered_at = NULL
    WHERE (environment_id, id) IN (
      SELECT environment_id, id FROM events WHERE triggered_at IS NOT NULL
      ORDER BY triggered_at, id LIMIT ${EVENTS_MAX} FOR UPDATE SKIP LOCKED)
    RETURNING id, environment_id, name)
  ${INTO} SELECT ${DELIVERY} FROM triggered AS event ${WANTED} ORDER BY event.id, webhook.id`

/** Events that somebody asked to send again (`_trigger`), to the webhooks of today. */
export const makeTriggeredDeliveries = async (run: RunStatement): Promise<void> => {
  await run({ text: AGAIN, values: [] })
}

const RELEASE = `
  UPDATE webhook_deliveries AS delivery SET due_at = now() FROM webhooks AS webhook
  WHERE delivery.environment_id = webhook.environment_id AND delivery.webhook_id = webhook.id
    AND webhook.circuit_state = 'closed' AND delivery.due_at IS NULL AND delivery.failed_at IS NULL`

/** What an open circuit held back is due once it was reset. */
export const releaseHeld = async (run: RunStatement): Promise<void> => {
  await run({ text: RELEASE, values: [] })
}

/** Without a webhook nobody follows the events: the place just moves on, so that the first one does not begin in the past. */
export const skipEvents = (database: Database): Promise<void> =>
  database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const { transactionId, eventId } = await presentPlace(run)
    const text = `UPDATE webhook_cursor SET transaction_id = $1, event_id = $2 WHERE transaction_id < $1`
    await run({ text, values: [transactionId, eventId] })
  })

export const hasWebhooks = async (database: Database): Promise<boolean> => {
  const text = `SELECT EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL)
    OR EXISTS (SELECT FROM webhook_deliveries WHERE due_at IS NOT NULL) AS found`
  const [row] = await database.query<{ found: boolean }>(text)
  return row?.found === true
}
