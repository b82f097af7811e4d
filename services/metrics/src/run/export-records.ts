/** Writes the lines of a CSV export: first the keys of all its records, then their fields in parts. */
import { withSpan } from '@merx/telemetry/span'
import type { ExportPlan } from '../plan/plan.ts'
import { toHeader, toLines, type CsvOptions } from '../present/csv.ts'
import { violationsError } from '../request/violations.ts'
import { renderExportKeys, renderExportRecords } from '../sql/render.ts'
import { planQuery, type QueryDeps, type QueryRequest } from './plan-query.ts'
import { runStatements, type RunDeps } from './run-statements.ts'

const RECORDS_PER_STATEMENT = 1_000

/**
 * The set of records is fixed before the first line: until then this throws AppError 400, 401, 422 (also for more records than an
 * export may have) or 503. A record deleted while the export is written is left out.
 */
export const exportRecords =
  (deps: QueryDeps) =>
  async (request: QueryRequest): Promise<AsyncGenerator<string>> =>
    withSpan('metrics.export', { 'merx.resource': request.resource.name }, async () => {
      const { plan, query } = planQuery(deps, request)
      if (plan.kind !== 'export' || query.kind !== 'export') throw new Error(`${request.kind} is no export`)
      const engine = deps.engineFor(request.scope.organizationId)
      const budget = { ...deps.budget, rowsMax: plan.recordsMax + 1 }
      const statements = [renderExportKeys(plan)]
      const [found = []] = await runStatements({ engine, budget }, 'search', statements, request.signal)
      if (found.length > plan.recordsMax) {
        const message = `matches more than ${plan.recordsMax} records, the most that one export may have; narrow the dates or the filter`
        throw violationsError('metrics_query_too_large', [{ path: ['search'], message }])
      }
      const keys = found.map((row) => plan.reach.table.key.map((_, index) => String(row[`key${index}`])))
      return linesOf({ engine, budget: deps.budget }, request, plan, {
        keys,
        escapesFormulas: query.export.escapesFormulas,
      })
    })

async function* linesOf(
  deps: RunDeps,
  { signal }: QueryRequest,
  plan: ExportPlan,
  { keys, ...options }: CsvOptions & { readonly keys: readonly (readonly string[])[] },
): AsyncGenerator<string> {
  yield toHeader(plan.fields)
  for (let at = 0; at < keys.length; at += RECORDS_PER_STATEMENT) {
    const part = keys.slice(at, at + RECORDS_PER_STATEMENT)
    const [rows = []] = await runStatements(deps, 'search', [renderExportRecords(plan, part)], signal)
    yield toLines(plan.fields, part, rows, options)
  }
}
