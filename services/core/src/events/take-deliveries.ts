/** The deliveries that are due now and are not in memory yet, of every lane as many as it has room for. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../engine/database/run-statement.ts'

export interface DueDelivery extends Row {
  readonly id: number
  readonly environment_id: number
  readonly organization_id: string
  readonly mode: 'test' | 'live'
  readonly webhook_id: number
  readonly event_id: number
  readonly lane: number
  /** Attempts so far. */
  readonly attempts: number
  /** What the first attempt sent, sealed; null before it. */
  readonly body: string | null
  readonly topic: string
  readonly resource_type: string
  readonly record_id: number
  readonly callback_url: string
  readonly include_resources: readonly string[] | null
  readonly shared_secret: string
  readonly is_disabled: boolean
  readonly circuit_state: string
}

export const LANE_TAKE_MAX = 200

// Lane after lane by the index, so that neither long lanes nor many delay the others. What is made due now is stored up to half a
// millisecond later, because the column is rounded. It is planned each time: a plan kept from an empty queue takes seconds on a long one.
const TAKE = `
  WITH RECURSIVE lanes AS (
    (SELECT lane FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT next.lane FROM webhook_deliveries AS next
      WHERE next.due_at IS NOT NULL AND next.lane > lanes.lane ORDER BY next.lane LIMIT 1)
    FROM lanes WHERE lanes.lane IS NOT NULL)
  SELECT delivery.id, delivery.environment_id, environment.organization_id, environment.mode, delivery.webhook_id,
    delivery.event_id, delivery.lane, delivery.attempts, delivery.body, event.name AS topic, event.resource_type,
    event.record_id, webhook.callback_url, webhook.include_resources, webhook.shared_secret,
    webhook.disabled_at IS NOT NULL AS is_disabled, webhook.circuit_state
  FROM lanes CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries AS due
    WHERE due.lane = lanes.lane AND due.due_at <= now() + interval '1 millisecond' AND due.id <> ALL($1::bigint[])
    ORDER BY due.due_at, due.id LIMIT ${LANE_TAKE_MAX}) AS delivery
  JOIN webhooks AS webhook ON webhook.environment_id = delivery.environment_id AND webhook.id = delivery.webhook_id
  JOIN events AS event ON event.environment_id = delivery.environment_id AND event.id = delivery.event_id
  JOIN environments AS environment ON environment.id = delivery.environment_id
  WHERE delivery.lane <> ALL($2::bigint[])
  ORDER BY delivery.due_at, delivery.id`

/** @param taken ids in memory @param full lanes without room */
export const takeDeliveries = (
  { taken, full }: { readonly taken: readonly number[]; readonly full: readonly number[] },
  run: RunStatement,
): Promise<readonly DueDelivery[]> => run<DueDelivery>({ text: TAKE, values: [taken, full] })
