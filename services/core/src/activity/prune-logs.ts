/** Deletes what is older than its setting, in every environment: docs/reference/retention.md says which rows stay. */
import { defineJob } from '../jobs/define-job.ts'
import type { JobDefinition } from '../jobs/define-job.ts'

/** Days that rows are kept. */
export interface Retention {
  readonly eventDays: number
  readonly eventCallbackDays: number
  readonly webhookDeliveryDays: number
  /** 0 keeps them for ever. */
  readonly versionDays: number
  readonly bulkJobDays: number
}

interface PrunedTable {
  readonly table: string
  readonly days: keyof Retention
  /** So many rows that a batch takes a fraction of a second. */
  readonly batch: number
  /** SQL: the time from which the days count. */
  readonly since: string
  /** SQL of a row `old` that is past its days: whether it may go. */
  readonly isOver: string
}

const DAY_MS = 86_400_000

// Jobs that run are resumed by their rows.
const IS_FINISHED = `old.status NOT IN ('pending', 'in_progress')`

const TABLES: readonly PrunedTable[] = [
  {
    table: 'webhook_deliveries',
    days: 'webhookDeliveryDays',
    batch: 5_000,
    since: 'coalesce(old.failed_at, old.created_at)',
    // Failed for the last time, or held back by an open circuit; what is due is never deleted, unless its event is gone.
    isOver: `(old.due_at IS NULL OR NOT EXISTS (SELECT FROM events AS event
      WHERE event.environment_id = old.environment_id AND event.id = old.event_id))`,
  },
  {
    table: 'events',
    days: 'eventDays',
    batch: 5_000,
    since: 'old.created_at',
    // Sending one again counts as a change: its days begin again, and a batch that meets the change leaves the row alone.
    isOver: `old.updated_at < $1 AND old.triggered_at IS NULL
      AND (old.transaction_id IS NULL OR (old.transaction_id, old.id) <= (SELECT transaction_id, event_id FROM webhook_cursor))
      AND NOT EXISTS (SELECT FROM webhook_deliveries AS delivery
        WHERE delivery.environment_id = old.environment_id AND delivery.event_id = old.id)`,
  },
  {
    table: 'event_callbacks',
    days: 'eventCallbackDays',
    batch: 1_000,
    since: 'old.created_at',
    isOver: 'true',
  },
  { table: 'versions', days: 'versionDays', batch: 5_000, since: 'old.created_at', isOver: 'true' },
  { table: 'imports', days: 'bulkJobDays', batch: 20, since: 'old.updated_at', isOver: IS_FINISHED },
  { table: 'exports', days: 'bulkJobDays', batch: 20, since: 'old.updated_at', isOver: IS_FINISHED },
  { table: 'cleanups', days: 'bulkJobDays', batch: 20, since: 'old.updated_at', isOver: IS_FINISHED },
]

/** Rows that somebody writes at this moment wait for the next run. */
const deleteOldest = ({ table, since, isOver }: PrunedTable): string => `
  WITH gone AS (
    DELETE FROM ${table} WHERE (environment_id, id) IN (
      SELECT environment_id, id FROM ${table} AS old WHERE ${since} < $1 AND ${isOver}
      ORDER BY ${since} LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::integer AS count FROM gone`

/** One batch of each table in one transaction, again until no batch is full. */
export const pruneLogs = (retention: Retention): JobDefinition =>
  defineJob({
    name: 'logs.prune',
    retryDelaysSeconds: [60, 600],
    cron: '23 * * * *',
    run: async (_payload, { run, now, log }) => {
      const deleted: Record<string, number> = {}
      let hasMore = false
      for (const pruned of TABLES) {
        const days = retention[pruned.days]
        if (days === 0) continue
        const [gone] = await run<{ readonly count: number }>({
          text: deleteOldest(pruned),
          values: [new Date(now.getTime() - days * DAY_MS), pruned.batch],
        })
        const count = gone?.count ?? 0
        if (count > 0) deleted[pruned.table] = count
        hasMore ||= count === pruned.batch
      }
      if (Object.keys(deleted).length > 0) log.info({ deleted }, 'rows past their days were deleted')
      return hasMore ? 'again' : 'done'
    },
  })
