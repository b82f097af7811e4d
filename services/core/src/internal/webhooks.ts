/** Internal endpoints for operators (`merx webhooks`): what waits and fails, sending again, and resetting circuits. */
import { AppError } from '@merx/errors/app-error'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Database } from '../engine/database/database.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { runIn } from '../engine/database/run-statement.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { RESEND_MAX, resend } from '../events/resend.ts'
import type { Resend } from '../events/resend.ts'
import { resetCircuit } from '../outside/circuit.ts'
import type { EnvironmentName, ResendRequest } from './request-schemas.ts'

export interface WebhookState {
  readonly id: string
  readonly name: string | null
  readonly topic: string
  readonly callback_url: string
  readonly disabled_at: Date | null
  readonly circuit_state: string
  readonly circuit_failure_count: number
  /** Deliveries that are due or wait for a retry, that an open circuit holds back, and that failed for the last time. */
  readonly waiting: number
  readonly held: number
  readonly failed: number
}

interface Deps {
  readonly database: Database
  readonly ids: Pick<PublicIds, 'encode' | 'decode'>
}

const LISTED_MAX = 1_000

const WEBHOOKS = `
  SELECT webhook.id, webhook.name, webhook.topic, webhook.callback_url, webhook.disabled_at, webhook.circuit_state,
    webhook.circuit_failure_count, delivery.waiting, delivery.held, delivery.failed
  FROM environments JOIN webhooks AS webhook ON webhook.environment_id = environments.id
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE due_at IS NOT NULL)::integer AS waiting,
      count(*) FILTER (WHERE due_at IS NULL AND failed_at IS NULL)::integer AS held,
      count(*) FILTER (WHERE failed_at IS NOT NULL)::integer AS failed
    FROM webhook_deliveries WHERE environment_id = webhook.environment_id AND webhook_id = webhook.id) AS delivery
  WHERE environments.organization_id = $1 AND environments.mode = $2
  ORDER BY webhook.circuit_failure_count DESC, webhook.id LIMIT ${LISTED_MAX}`

/** Those that fail most first. */
export const listWebhooks = async (
  { database, ids }: Deps,
  { organization_id, mode }: EnvironmentName,
): Promise<readonly WebhookState[]> => {
  const rows = await database.query<Omit<WebhookState, 'id'> & { readonly id: number }>(WEBHOOKS, [
    organization_id,
    mode,
  ])
  return rows.map((row) => ({ ...row, id: ids.encode('webhooks', row.id) }))
}

type WebhookRow = Pick<RowOf<'Webhook'>, 'id' | 'environment_id' | 'topic' | 'disabled_at'>

/** Throws AppError when there is none of the id. */
const lockWebhook = async (id: string, { ids }: Deps, run: RunStatement): Promise<WebhookRow> => {
  const number = ids.decode('webhooks', id)
  const text = 'SELECT id, environment_id, topic, disabled_at FROM webhooks WHERE id = $1 FOR UPDATE'
  const [row] = number === undefined ? [] : await run<WebhookRow>({ text, values: [number] })
  if (row === undefined) throw new AppError('record_not_found', { detail: `There is no webhook '${id}'.` })
  return row
}

const refuse = (detail: string): AppError => new AppError('validation_error', { detail })

const toResend = ({ event_id: eventId, from, to }: ResendRequest, ids: Deps['ids']): Resend => {
  if (eventId !== undefined) {
    if (from !== undefined) throw refuse('Send one event or a time, not both.')
    const number = ids.decode('events', eventId)
    if (number === undefined)
      throw new AppError('record_not_found', { detail: `There is no event '${eventId}'.` })
    return { kind: 'event', eventId: number }
  }
  if (from === undefined) return { kind: 'failed' }
  const time = {
    kind: 'time',
    from: new Date(from),
    to: to === undefined ? new Date() : new Date(to),
  } as const
  if (time.from > time.to)
    throw refuse(`The time begins at ${from}, after its end, ${time.to.toISOString()}.`)
  return time
}

/** @returns how many deliveries there are again */
export const resendWebhook = (deps: Deps, id: string, request: ResendRequest): Promise<number> =>
  deps.database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const webhook = await lockWebhook(id, deps, run)
    if (webhook.disabled_at !== null) throw refuse(`The webhook '${id}' is disabled; enable it first.`)
    const { environment_id: environmentId, topic } = webhook
    const count = await resend({ environmentId, id: webhook.id, topic }, toResend(request, deps.ids), run)
    if (count === undefined)
      throw refuse(`There are more than ${RESEND_MAX} events of ${topic} in this time; narrow it.`)
    return count
  })

/** What the circuit held back is due again; the dispatcher looks once a second. */
export const resetWebhook = (deps: Deps, id: string): Promise<void> =>
  deps.database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const { environment_id: environmentId, id: number } = await lockWebhook(id, deps, run)
    const { circuit_state: state, circuit_failure_count: count } = resetCircuit()
    await run({
      text: 'UPDATE webhooks SET circuit_state = $3, circuit_failure_count = $4 WHERE environment_id = $1 AND id = $2',
      values: [environmentId, number, state, count],
    })
  })
