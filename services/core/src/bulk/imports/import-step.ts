/**
 * One step of an import: a slice of its items and the count of them, in the transaction of its job. A process that dies
 * before the commit has done nothing; the job runs again and continues where the counts say.
 */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import { defineJob } from '../../jobs/define-job.ts'
import type { JobContext } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowPayload } from '../../jobs/row-job.ts'
import { logStatus } from '../log-status.ts'
import { BULK_RETRY_DELAYS_SECONDS } from '../retry-delays.ts'
import { applyItems } from './apply-items.ts'
import type { Item } from './import-item.ts'
import { hasErrors } from './import-target.ts'
import type { ItemOutcome } from './import-target.ts'
import { findImportable } from './importable.ts'
import { openSecrets, secretNamesOf, upToSecrets } from './sealed-values.ts'

/** Of one transaction: enough to be fast, few enough that an interrupt waits only a moment. */
const ITEMS_OF_STEP = 1_000

/** About two seconds: the order feed waits for a transaction that writes (docs/adr/0009-order-feed.md). */
const HASHES_OF_STEP = 100

/** Warnings beyond these are only counted. */
const WARNINGS_LOGGED_MAX = 1_000

const ERRORS_SHARE_MAX = 0.1

/** Events that the transaction writes while it is on are imported ones: most webhooks are silent to them (ADR 91). */
const MARK = { text: `SELECT set_config('merx.is_import', $1, true)` }

const FAILED = JSON.stringify({ import: { base: ['failed for a reason that was logged'] } })

export interface ImportJob {
  readonly id: number
  readonly environmentId: number
  readonly status: string
  readonly resourceType: string
  readonly format: string
  readonly parentId: string | null
  readonly size: number
  readonly processed: number
  readonly errors: number
  readonly warnings: number
  readonly skipErrors: boolean
  readonly scope: RequestScope
  readonly who: Row
}

const FIND = `
  SELECT id, environment_id, status, resource_type, format, parent_resource_id, inputs_size, processed_count, errors_count,
    warnings_count, skip_errors, requested_by
  FROM imports WHERE environment_id = $1 AND id = $2 AND status IN ('pending', 'in_progress') FOR UPDATE`

const SLICE = `
  SELECT jsonb_path_query_array(inputs, '$[$from to $to]', jsonb_build_object('from', $3::int, 'to', $4::int)) AS items
  FROM imports WHERE environment_id = $1 AND id = $2`

const ADVANCE = `
  UPDATE imports SET status = $3, started_at = coalesce(started_at, $4), processed_count = processed_count + $5,
    errors_count = errors_count + $6, warnings_count = warnings_count + $7, errors_log = errors_log || $8::jsonb,
    warnings_log = warnings_log || $9::jsonb, completed_at = CASE WHEN $3 = 'completed' THEN $4::timestamptz END,
    interrupted_at = CASE WHEN $3 = 'interrupted' THEN $4::timestamptz END
  WHERE environment_id = $1 AND id = $2`

const GIVE_UP = `
  UPDATE imports SET status = 'interrupted', started_at = coalesce(started_at, $3::timestamptz), interrupted_at = $3,
    errors_log = errors_log || $4::jsonb
  WHERE environment_id = $1 AND id = $2`

/** An error of ours interrupts the import: it would be the same in every further attempt. */
export const runImport = defineJob<RowPayload>({
  name: 'imports.run',
  retryDelaysSeconds: BULK_RETRY_DELAYS_SECONDS,
  key: rowKey,
  run: async ({ environmentId, id }, context) => {
    const { run, registry, now, log } = context
    const [row] = await run<RowOf<'Import'>>({ text: FIND, values: [environmentId, id] })
    if (row === undefined) return 'done'
    const job = toJob(row)
    await run({ text: 'SAVEPOINT step', values: [] })
    const to = await applySlice(job, context).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'service_unavailable') throw error
      log.error({ err: error, import_id: job.id }, 'an import failed')
      await run({ text: 'ROLLBACK TO SAVEPOINT step', values: [] })
      await run({ text: GIVE_UP, values: [environmentId, id, now, FAILED] })
      return 'interrupted'
    })
    await logStatus({ table: 'imports', environmentId, number: id, from: job.status, to }, registry, run)
    return to === 'in_progress' ? 'again' : 'done'
  },
  onFailed: async ({ environmentId, id }, { run, registry, now }) => {
    const [row] = await run<RowOf<'Import'>>({ text: FIND, values: [environmentId, id] })
    if (row === undefined) return
    await run({ text: GIVE_UP, values: [environmentId, id, now, FAILED] })
    const change = { environmentId, number: id, from: row.status, to: 'interrupted' }
    await logStatus({ table: 'imports', ...change }, registry, run)
  },
})

/** Gives the status the import has after it. */
const applySlice = async (job: ImportJob, { run, registry, now, secretBox }: JobContext): Promise<string> => {
  const target = targetOf(job, remembering(registry), now, run)
  const secrets = secretNamesOf(target.definition, target.importable, registry)
  const slice = upToSecrets(await sliceOf(job, run), secrets, HASHES_OF_STEP)
  const items = openSecrets(slice, secrets, secretBox)
  const errorsMax = job.skipErrors ? Infinity : Math.floor(job.size * ERRORS_SHARE_MAX) - job.errors
  await run({ ...MARK, values: ['on'] })
  const outcomes = await applyItems(items, errorsMax, target)
  await run({ ...MARK, values: ['off'] })
  return advance(job, items, outcomes, errorsMax, now, run)
}

/** Most items name the same few resources, and a decoded id costs more than all the rest of an item. */
const remembering = (registry: Registry): Registry => {
  const known = new Map<string, number | undefined>()
  const decode = (type: string, id: string): number | undefined => {
    const key = `${type} ${id}`
    if (!known.has(key)) known.set(key, registry.ids.decode(type, id))
    return known.get(key)
  }
  return { ...registry, ids: { ...registry.ids, decode } }
}

const toJob = (row: RowOf<'Import'>): ImportJob => ({
  id: row.id,
  environmentId: row.environment_id,
  status: row.status,
  resourceType: row.resource_type,
  format: row.format,
  parentId: row.parent_resource_id,
  size: row.inputs_size,
  processed: row.processed_count,
  errors: row.errors_count,
  warnings: row.warnings_count,
  skipErrors: row.skip_errors,
  ...(row.requested_by as { readonly scope: RequestScope; readonly who: Row }),
})

const sliceOf = async (job: ImportJob, run: RunStatement): Promise<readonly Item[]> => {
  const from = job.processed + job.errors
  const values = [job.environmentId, job.id, from, from + ITEMS_OF_STEP - 1]
  const [row] = await run<{ readonly items: readonly Item[] | null }>({ text: SLICE, values })
  return row?.items ?? []
}

const targetOf = (job: ImportJob, registry: Registry, now: Date, run: RunStatement) => {
  const importable = findImportable(job.resourceType)
  if (importable === undefined) throw new Error(`an import of ${job.resourceType} was accepted`)
  return {
    definition: registry.require(job.resourceType),
    importable,
    parentId: job.parentId,
    isText: job.format === 'csv',
    registry,
    scope: job.scope,
    who: job.who,
    now,
    run,
  }
}

/** Gives the status the import has now. */
const advance = async (
  job: ImportJob,
  items: readonly Item[],
  outcomes: readonly ItemOutcome[],
  errorsMax: number,
  now: Date,
  run: RunStatement,
): Promise<string> => {
  const failed = outcomes.filter(hasErrors).length
  const from = job.processed + job.errors
  const isOver = from + outcomes.length >= job.size
  const status = failed > errorsMax ? 'interrupted' : isOver ? 'completed' : 'in_progress'
  const warned = outcomes.filter(({ warnings }) => Object.keys(warnings).length > 0).length
  const warnings =
    job.warnings >= WARNINGS_LOGGED_MAX ? {} : await logOf('warnings', job, items, outcomes, run)
  await run({
    text: ADVANCE,
    values: [
      job.environmentId,
      job.id,
      status,
      now,
      outcomes.length - failed,
      failed,
      warned,
      JSON.stringify(await logOf('errors', job, items, outcomes, run)),
      JSON.stringify(warnings),
    ],
  })
  return status
}

/** Identifier of an item → its messages; a second item with the same one gets its position in its name. */
const logOf = async (
  member: 'errors' | 'warnings',
  job: ImportJob,
  items: readonly Item[],
  outcomes: readonly ItemOutcome[],
  run: RunStatement,
): Promise<Readonly<Record<string, unknown>>> => {
  // without a prototype: an item may be called `__proto__`
  const log = Object.create(null) as Record<string, unknown>
  const found = outcomes.flatMap((outcome, at) => {
    const messages = outcome[member]
    return Object.keys(messages).length === 0 ? [] : [{ messages, at, name: nameOf(items[at]) }]
  })
  if (found.length === 0) return log
  const [row] = await run({
    text: `SELECT ARRAY(SELECT key FROM jsonb_object_keys(${member}_log) AS key WHERE key = ANY($3::text[])) AS names
      FROM imports WHERE environment_id = $1 AND id = $2`,
    values: [job.environmentId, job.id, found.flatMap(({ name }) => name ?? [])],
  })
  const taken = new Set(Array.isArray(row?.['names']) ? row['names'] : [])
  for (const { messages, at, name } of found) {
    const place = job.processed + job.errors + at + 1
    const key = name === undefined ? `item ${place}` : taken.has(name) ? `${name} (item ${place})` : name
    taken.add(key)
    log[key] = messages
  }
  return log
}

const nameOf = (item: Item | undefined): string | undefined => {
  const identifier = ['code', 'sku_code', 'number', 'email', 'name', 'reference', 'id']
    .map((name) => item?.[name])
    .find(
      (value): value is string | number =>
        (typeof value === 'string' && value !== '') || typeof value === 'number',
    )
  return identifier === undefined ? undefined : String(identifier).slice(0, 200)
}
