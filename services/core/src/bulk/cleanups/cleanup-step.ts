/**
 * One step of a cleanup: the next records by number are deleted as a DELETE of each would, in the transaction of its job. Every
 * step starts after the last record of the one before, so a process that dies leaves none out and counts none twice.
 */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { readBatch } from '../../engine/read/read-batch.ts'
import type { Reading } from '../../engine/read/read-includes.ts'
import { createRecords } from '../../engine/read/records.ts'
import type { OpenRecord } from '../../engine/read/records.ts'
import type { Registry } from '../../engine/registry.ts'
import { attempt } from '../../engine/write/attempt.ts'
import { messagesOfError } from '../../engine/write/error-messages.ts'
import type { Messages } from '../../engine/write/error-messages.ts'
import { remove } from '../../engine/write/remove.ts'
import { defineJob } from '../../jobs/define-job.ts'
import type { JobContext, JobOutcome } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowPayload } from '../../jobs/row-job.ts'
import { logStatus } from '../log-status.ts'
import { nextRecords } from '../next-records.ts'
import { BULK_RETRY_DELAYS_SECONDS } from '../retry-delays.ts'
import { queryOfCleanup } from './begin-cleanup.ts'

/** About a second: the order feed waits for a transaction that writes (docs/adr/0009-order-feed.md). */
const RECORDS_OF_STEP = 100

const ERRORS_SHARE_MAX = 0.1

const FAILED = { cleanup: { base: ['failed for a reason that was logged'] } }

type CleanupRow = RowOf<'Cleanup'>

const FIND = `SELECT * FROM cleanups
  WHERE environment_id = $1 AND id = $2 AND status IN ('pending', 'in_progress') FOR UPDATE`

const ADVANCE = `
  UPDATE cleanups SET status = $3, started_at = coalesce(started_at, $4::timestamptz), last_record_id = $5,
    processed_count = processed_count + $6, errors_count = errors_count + $7, errors_log = errors_log || $8::jsonb,
    completed_at = CASE WHEN $3 = 'completed' THEN $4::timestamptz END,
    interrupted_at = CASE WHEN $3 = 'interrupted' THEN $4::timestamptz END
  WHERE environment_id = $1 AND id = $2`

interface Progress {
  readonly to: 'in_progress' | 'completed' | 'interrupted'
  readonly lastId: number
  readonly processed: number
  readonly errors: Readonly<Record<string, Messages>>
}

/** An error of ours interrupts the cleanup: it would be the same in every further attempt. */
export const runCleanup = defineJob<RowPayload>({
  name: 'cleanups.run',
  retryDelaysSeconds: BULK_RETRY_DELAYS_SECONDS,
  key: rowKey,
  run: async ({ environmentId, id }, context) => {
    const { run, log } = context
    const [row] = await run<CleanupRow>({ text: FIND, values: [environmentId, id] })
    if (row === undefined) return 'done'
    await run({ text: 'SAVEPOINT step', values: [] })
    const progress = await deleteNext(row, context).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'service_unavailable') throw error
      log.error({ err: error, cleanup_id: id }, 'a cleanup failed')
      await run({ text: 'ROLLBACK TO SAVEPOINT step', values: [] })
      return givenUp(row)
    })
    return advance(row, progress, context)
  },
  onFailed: async ({ environmentId, id }, context) => {
    const [row] = await context.run<CleanupRow>({ text: FIND, values: [environmentId, id] })
    if (row !== undefined) await advance(row, givenUp(row), context)
  },
})

const givenUp = ({ last_record_id: lastId }: CleanupRow): Progress => ({
  to: 'interrupted',
  lastId,
  processed: 0,
  errors: FAILED,
})

const deleteNext = async (row: CleanupRow, { run, registry, now }: JobContext): Promise<Progress> => {
  const definition = registry.require(row.resource_type)
  const { scope, who } = row.requested_by as { readonly scope: RequestScope; readonly who: Row }
  const reading = readingOf(scope, registry, run)
  const { filters } = queryOfCleanup(row.filters, definition, registry)
  const range = { lastId: row.last_record_id, finalId: row.final_record_id }
  const next = { filters: nextRecords(filters, definition, range), include: {} }
  const { records, hasMore } = await readBatch(definition, next, RECORDS_OF_STEP, reading)
  const errorsMax = Math.floor(row.records_count * ERRORS_SHARE_MAX) - row.errors_count
  const errors: Record<string, Messages> = {}
  let { lastId } = range
  let processed = 0
  for (const record of records) {
    const refusal = await attempt(run, record.definition, () =>
      remove(record.definition, record.number, { reading, now, actor: who }),
    )
    lastId = record.number
    if (refusal === undefined) processed += 1
    else errors[nameOf(record)] = messagesOfError(refusal)
    if (Object.keys(errors).length > errorsMax) return { to: 'interrupted', lastId, processed, errors }
  }
  return { to: hasMore ? 'in_progress' : 'completed', lastId, processed, errors }
}

const readingOf = (scope: RequestScope, registry: Registry, run: RunStatement): Reading => ({
  run,
  registry,
  scope,
  records: createRecords(registry, scope.environmentId, scope.restrictions),
  mayRead: () => true,
})

const nameOf = ({ row, id }: OpenRecord): string => (typeof row['code'] === 'string' ? row['code'] : id)

const advance = async (
  row: CleanupRow,
  { to, lastId, processed, errors }: Progress,
  { run, registry, now }: JobContext,
): Promise<JobOutcome> => {
  const { environment_id: environmentId, id: number, status: from } = row
  const log = JSON.stringify(errors)
  const count = errors === FAILED ? 0 : Object.keys(errors).length
  await run({ text: ADVANCE, values: [environmentId, number, to, now, lastId, processed, count, log] })
  await logStatus({ table: 'cleanups', environmentId, number, from, to }, registry, run)
  return to === 'in_progress' ? 'again' : 'done'
}
