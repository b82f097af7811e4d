/** One metrics query from body to answer: parse, resolve, plan, render, run, present. Only the engine does I/O. */
import type { Clock } from '@merx/telemetry/clock'
import { withSpan } from '@merx/telemetry/span'
import type { Resource } from './catalogue/attribute.ts'
import type { Row } from './engine/engine.ts'
import { isSmall, type KnownParts } from './engine/known-parts.ts'
import type { KnownCounts } from './known-counts.ts'
import type { KnownSpacings } from './known-spacings.ts'
import { timeStage } from './telemetry.ts'
import { buildPlan } from './plan/build-plan.ts'
import { applyPasses } from './plan/passes/index.ts'
import type { Plan } from './plan/plan.ts'
import { requireReadable } from './plan/require-readable.ts'
import { toHeader, toLines } from './present/csv.ts'
import { present, type Presented } from './present/present.ts'
import { presentSearch } from './present/search.ts'
import type { CursorCodec } from './request/cursor.ts'
import { faultsError } from './request/faults.ts'
import { parse, type QueryDialect } from './request/parse.ts'
import { bodyKeyOf, type Kind, type Query } from './request/query.ts'
import type { MayRead } from './request/readable-types.ts'
import { resolve } from './request/resolve.ts'
import type { Scope } from './request/scope.ts'
import { runLevels } from './run-levels.ts'
import { runSearch } from './run-search.ts'
import { runCounted, runStatements, type RunDeps } from './run-statements.ts'
import { renderExportKeys, renderExportRecords } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

export interface AnswerDeps extends RunDeps {
  readonly dialect: QueryDialect
  readonly cursors: CursorCodec
  readonly clock: Clock
  /** Undefined: of no table is it known how many rows it has. */
  readonly parts?: KnownParts
  /** Undefined: every search is like the first. */
  readonly spacings?: KnownSpacings
  /** Undefined: every search counts all that match. */
  readonly counts?: KnownCounts
}

export interface Answered extends Presented {
  /** The request as sent, when it asked to have it repeated (vendor dialect). */
  readonly payload?: unknown
}

/** Who asks what of which resource. `signal` ends the query when its caller went away. */
export interface Ask {
  readonly kind: Kind
  readonly resource: Resource
  readonly body: unknown
  readonly scope: Scope
  readonly mayRead: MayRead
  readonly signal: AbortSignal
}

const planFor = (deps: AnswerDeps, asked: Ask) => timeStage('plan', () => plan(deps, asked))

const plan = ({ dialect, cursors, clock }: AnswerDeps, { kind, resource, body, scope, mayRead }: Ask) => {
  const raw = parse(bodyKeyOf(kind), body, dialect)
  const query = resolve(kind, raw, scope, { resource, dialect, cursors, now: clock.now(), mayRead })
  const asked = buildPlan(query)
  requireReadable(asked, mayRead)
  return { raw, query, plan: applyPasses(asked, { scope, resource }) }
}

const presented = async (
  deps: AnswerDeps,
  { kind, signal }: Ask,
  query: Query,
  plan: Plan,
): Promise<Presented> => {
  const known = deps.parts?.rowsOf(plan.reach.table.name)
  const budget = isSmall(known) ? { ...deps.budget, threadsMax: 1 } : deps.budget
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    const [rows = []] = await runStatements({ ...deps, budget }, kind, [statement], signal)
    return rows
  }
  const count = (statement: Statement) => runCounted({ ...deps, budget }, kind, statement, signal)
  if (plan.kind === 'search' && query.kind === 'search') {
    const found = await runSearch(plan, {
      run,
      count,
      rows: known,
      spacings: deps.spacings,
      counts: deps.counts,
    })
    return timeStage('present', () => presentSearch(query, found, deps.cursors))
  }
  if (plan.kind !== 'aggregate' || query.kind === 'search' || query.kind === 'export') {
    throw new Error(`${plan.kind} is no answer to ${query.kind}`)
  }
  const levels = await runLevels(plan, run)
  return timeStage('present', () => present(query, levels))
}

/** Throws AppError 400, 401, 422 or 503. */
export const answer =
  (deps: AnswerDeps) =>
  async (asked: Ask): Promise<Answered> =>
    withSpan(
      'metrics.answer',
      { 'merx.kind': asked.kind, 'merx.resource': asked.resource.name },
      async () => {
        const { raw, query, plan } = planFor(deps, asked)
        const payload = raw.wantsPayload ? { payload: { filter: raw.filter, [asked.kind]: raw.query } } : {}
        return { ...(await presented(deps, asked, query, plan)), ...payload }
      },
    )

/** Records read at once while an export is written. */
const EXPORT_PART = 1_000

/**
 * The lines of an export, a part at a time. Which records it has is decided before the first line: until then it throws
 * AppError 400, 401, 422 (also for more records than an export may have) or 503. A record deleted meanwhile is left out.
 */
export const exportLines =
  (deps: AnswerDeps) =>
  async (asked: Ask): Promise<AsyncGenerator<string>> =>
    withSpan('metrics.export', { 'merx.resource': asked.resource.name }, async () => {
      const { plan } = planFor(deps, asked)
      if (plan.kind !== 'export') throw new Error(`${asked.kind} is no export`)
      const budget = { ...deps.budget, rowsMax: plan.recordsMax + 1 }
      const statements = [renderExportKeys(plan)]
      const [found = []] = await runStatements({ ...deps, budget }, 'search', statements, asked.signal)
      if (found.length > plan.recordsMax) {
        const message = `matches more than ${plan.recordsMax} records, the most that one export may have; narrow the dates or the filter`
        throw faultsError('metrics_query_too_large', [{ path: ['search'], message }])
      }
      const keys = found.map((row) => plan.reach.table.key.map((_, index) => String(row[`key${index}`])))
      return linesOf(deps, asked, plan, keys)
    })

async function* linesOf(
  deps: AnswerDeps,
  { signal }: Ask,
  plan: Parameters<typeof renderExportRecords>[0],
  keys: readonly (readonly string[])[],
): AsyncGenerator<string> {
  yield toHeader(plan.fields)
  for (let at = 0; at < keys.length; at += EXPORT_PART) {
    const part = keys.slice(at, at + EXPORT_PART)
    const [rows = []] = await runStatements(deps, 'search', [renderExportRecords(plan, part)], signal)
    yield toLines(plan.fields, part, rows)
  }
}
