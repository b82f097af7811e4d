/**
 * One step of an export: the next records by number, as one part of its file, in the transaction of its job. Every step
 * starts after the last record of the one before, so a process that dies leaves no gap and no repetition.
 */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { readBatch } from '../../engine/read/read-batch.ts'
import type { Reading } from '../../engine/read/read-includes.ts'
import { createRecords } from '../../engine/read/records.ts'
import type { Registry } from '../../engine/registry.ts'
import { defineJob } from '../../jobs/define-job.ts'
import type { JobContext, JobOutcome } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowPayload } from '../../jobs/row-job.ts'
import { logStatus } from '../log-status.ts'
import { nextRecords } from '../next-records.ts'
import { BULK_RETRY_DELAYS_SECONDS } from '../retry-delays.ts'
import { exportColumns, exportRecord } from './export-record.ts'
import type { ExportShape } from './export-record.ts'
import { toFields, toListQuery } from './export-shape.ts'
import { csvPart, jsonPart } from './write-part.ts'

/** Records in memory at once, with what they include. */
const RECORDS_OF_STEP = 200

interface ExportJob {
  readonly status: string
  readonly id: number
  readonly environmentId: number
  readonly definition: ResourceDefinition
  readonly isCsv: boolean
  readonly escapesFormulas: boolean
  readonly isDry: boolean
  readonly asked: { readonly includes: unknown; readonly fields: unknown; readonly filters: unknown }
  readonly lastId: number
  readonly finalId: number
  readonly requestedBy: {
    readonly scope: RequestScope
    readonly isConfidential: boolean
    readonly readable: readonly string[]
  }
}

const FIND = `
  SELECT id, environment_id, status, resource_type, format, includes, fields, filters, dry_data, escape_formulas,
    last_record_id, final_record_id, requested_by
  FROM exports WHERE environment_id = $1 AND id = $2 AND status IN ('pending', 'in_progress') FOR UPDATE`

const ADD_PART = `
  INSERT INTO export_parts (environment_id, export_id, position, content)
  SELECT $1, $2, coalesce(max(position) + 1, 0), $3 FROM export_parts WHERE environment_id = $1 AND export_id = $2`

const ADVANCE = `
  UPDATE exports SET status = CASE WHEN $5 THEN 'completed' ELSE 'in_progress' END,
    started_at = coalesce(started_at, $6::timestamptz), last_record_id = $3, processed_count = processed_count + $4,
    completed_at = CASE WHEN $5 THEN $6::timestamptz END,
    estimated_completion_at = CASE WHEN $5 THEN $6::timestamptz ELSE coalesce(started_at, $6::timestamptz)
      + ($6::timestamptz - coalesce(started_at, $6::timestamptz))
        * (records_count::float8 / greatest(processed_count + $4, 1)) END
  WHERE environment_id = $1 AND id = $2 RETURNING status`

const FAIL = `
  UPDATE exports SET status = 'failed', started_at = coalesce(started_at, $3::timestamptz), interrupted_at = $3,
    errors_log = $4::jsonb
  WHERE environment_id = $1 AND id = $2`

/** What cannot be exported at all fails the export: it would be the same in every further attempt. */
export const runExport = defineJob<RowPayload>({
  name: 'exports.run',
  retryDelaysSeconds: BULK_RETRY_DELAYS_SECONDS,
  key: rowKey,
  run: async ({ environmentId, id }, { run, registry, now, log }) => {
    const [row] = await run<RowOf<'Export'>>({ text: FIND, values: [environmentId, id] })
    if (row === undefined) return 'done'
    await run({ text: 'SAVEPOINT part', values: [] })
    try {
      return await writeNext(toJob(row, registry), registry, now, run)
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_unavailable') throw error
      log.error({ err: error, export_id: id }, 'an export failed')
      await run({ text: 'ROLLBACK TO SAVEPOINT part', values: [] })
      await fail(row, reasonOf(error), { run, registry, now })
      return 'done'
    }
  },
  onFailed: async ({ environmentId, id }, context) => {
    const [row] = await context.run<RowOf<'Export'>>({ text: FIND, values: [environmentId, id] })
    if (row !== undefined) await fail(row, REASON_LOGGED, context)
  },
})

const fail = async (
  { environment_id: environmentId, id, status }: RowOf<'Export'>,
  reason: string,
  { run, registry, now }: Pick<JobContext, 'run' | 'registry' | 'now'>,
): Promise<void> => {
  await run({ text: FAIL, values: [environmentId, id, now, errorsOf(reason)] })
  await logStatus({ table: 'exports', environmentId, number: id, from: status, to: 'failed' }, registry, run)
}

const REASON_LOGGED = 'failed for a reason that was logged'

const errorsOf = (reason: string): string => JSON.stringify({ base: [reason] })

/** The text of our own errors stays in the log. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AppErrors) return error.errors.map(reasonOf).join('; ')
  return error instanceof AppError ? (error.detail ?? error.code) : REASON_LOGGED
}

const toJob = (row: RowOf<'Export'>, registry: Registry): ExportJob => ({
  status: row.status,
  id: row.id,
  environmentId: row.environment_id,
  definition: registry.require(row.resource_type),
  isCsv: row.format === 'csv',
  escapesFormulas: row.escape_formulas,
  isDry: row.dry_data,
  asked: { includes: row.includes, fields: row.fields, filters: row.filters },
  lastId: row.last_record_id,
  finalId: row.final_record_id,
  requestedBy: row.requested_by as ExportJob['requestedBy'],
})

const writeNext = async (
  job: ExportJob,
  registry: Registry,
  now: Date,
  run: RunStatement,
): Promise<JobOutcome> => {
  const { definition, asked, lastId, escapesFormulas } = job
  const query = toListQuery(asked, definition, registry)
  const next = { filters: nextRecords(query.filters, definition, job), include: query.include }
  const { records, hasMore } = await readBatch(
    definition,
    next,
    RECORDS_OF_STEP,
    readingOf(job, registry, run),
  )
  const place = { isFirst: lastId === 0, isLast: !hasMore }
  const shape = shapeOf(job, registry)
  const exported = records.map((record) => exportRecord(record, shape))
  const content = job.isCsv
    ? await csvPart(
        exported,
        { columns: exportColumns(definition, query.include, shape), escapesFormulas },
        place,
      )
    : await jsonPart(exported, place)
  await run({ text: ADD_PART, values: [job.environmentId, job.id, content] })
  const last = records.at(-1)?.number ?? job.finalId
  const values = [job.environmentId, job.id, last, records.length, place.isLast, now]
  const [row] = await run<Pick<RowOf<'Export'>, 'status'>>({ text: ADVANCE, values })
  if (row === undefined) throw new Error('an export is gone while it runs')
  const change = {
    environmentId: job.environmentId,
    number: job.id,
    from: job.status,
    to: row.status,
  }
  await logStatus({ table: 'exports', ...change }, registry, run)
  return place.isLast ? 'done' : 'again'
}

const readingOf = (
  { requestedBy, environmentId }: ExportJob,
  registry: Registry,
  run: RunStatement,
): Reading => ({
  run,
  registry,
  scope: requestedBy.scope,
  records: createRecords(registry, environmentId, requestedBy.scope.restrictions),
  mayRead: (type) => requestedBy.readable.includes(type),
})

const shapeOf = ({ asked, definition, isDry, requestedBy }: ExportJob, registry: Registry): ExportShape => ({
  fields: toFields(asked, definition, registry),
  isDry,
  registry,
  render: {
    mode: requestedBy.scope.mode,
    organizationId: requestedBy.scope.organizationId,
    baseUrl: '',
    isConfidential: requestedBy.isConfidential,
  },
})
