/** Metrics of webhooks: attempts by outcome, what waits, for how long, and which receivers fail. */
import type { PublicIds } from '@merx/jsonapi/public-id'
import { instrumentsOf, observe } from '@merx/telemetry/metrics'
import type { Queryable } from '../engine/database/database.ts'
import { isSuccess } from '../outside/result.ts'
import { receiverOf } from './log-failing.ts'
import type { AttemptResult } from './record-results.ts'

const instruments = instrumentsOf('core', (meter) => ({
  attempts: meter.createCounter('merx_core_webhook_attempts', {
    description: 'Calls of webhooks by outcome: success, a status that is none, or why there was no answer.',
  }),
}))

export const countAttempt = ({ result }: Pick<AttemptResult, 'result'>): void => {
  const outcome = result.kind === 'failed' ? result.reason : isSuccess(result) ? 'success' : 'status'
  instruments().attempts.add(1, { outcome })
}

const WAITING = `
  SELECT count(*) FILTER (WHERE failed_at IS NULL AND due_at <= now())::float8 AS due,
    count(*) FILTER (WHERE failed_at IS NULL AND due_at > now())::float8 AS retry,
    count(*) FILTER (WHERE failed_at IS NULL AND due_at IS NULL)::float8 AS held,
    count(*) FILTER (WHERE failed_at IS NOT NULL)::float8 AS failed,
    coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at <= now())), 0)::float8 AS age
  FROM webhook_deliveries`

const FAILING = `
  SELECT id, callback_url, circuit_failure_count::float8 AS failures FROM webhooks
  WHERE disabled_at IS NULL AND circuit_failure_count > 0 ORDER BY circuit_failure_count DESC, id LIMIT 50`

interface Waiting {
  readonly due: number
  readonly retry: number
  readonly held: number
  readonly failed: number
  readonly age: number
}

type FailingRow = { readonly id: number; readonly callback_url: string; readonly failures: number }

/** Read at most once in this time: counting reads the whole table, which is short unless receivers fail. */
const READ_EVERY_MS = 5_000

/** @returns ends it */
export const observeWebhooks = (database: Queryable, ids: Pick<PublicIds, 'encode'>): (() => void) => {
  let known: { readonly at: number; readonly counts: Promise<readonly Waiting[]> } | undefined
  const waiting = async (): Promise<Waiting | undefined> => {
    const now = performance.now()
    if (known === undefined || now - known.at > READ_EVERY_MS)
      known = { at: now, counts: database.query<Waiting & Record<string, unknown>>(WAITING, []) }
    return (await known.counts)[0]
  }
  // A counter is exposed from its first value on; dashboards and rates begin at 0.
  instruments().attempts.add(0, { outcome: 'success' })
  const stops = [
    observe('core', {
      name: 'merx_core_webhook_deliveries',
      description:
        'Deliveries that are not done: due now, waiting for a retry, held by an open circuit, failed for the last time.',
      read: async () => {
        const counts = await waiting()
        if (counts === undefined) return []
        return (['due', 'retry', 'held', 'failed'] as const).map(
          (state) => [{ state }, counts[state]] as const,
        )
      },
    }),
    observe('core', {
      name: 'merx_core_webhook_oldest_due_seconds',
      description: 'How long the oldest delivery has been due.',
      read: async () => (await waiting())?.age,
    }),
    observe('core', {
      name: 'merx_core_webhook_failures',
      description: 'Failures in a row by webhook, of the 50 that fail most; at 30 its circuit opens.',
      read: async () => {
        const rows = await database.query<FailingRow>(FAILING, [])
        if (rows.length === 0) return [[{ webhook: '', receiver: '' }, 0] as const]
        return rows.map(({ id, callback_url: url, failures }) => {
          const labels = { webhook: ids.encode('webhooks', id), receiver: receiverOf(url) }
          return [labels, failures] as const
        })
      },
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
