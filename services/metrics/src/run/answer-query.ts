/** Answers one metrics query: plan, render, run, present. Only the engine does I/O. */
import { withSpan } from '@merx/telemetry/span'
import type { Row } from '../engine/engine.ts'
import type { Plan } from '../plan/plan.ts'
import { present, type Presented } from '../present/present.ts'
import { presentSearch } from '../present/search.ts'
import type { Query } from '../request/query.ts'
import { runSearch } from '../search/run-search.ts'
import type { Statement } from '../sql/statement.ts'
import { timeStage } from '../telemetry.ts'
import { planQuery, type QueryDeps, type QueryRequest } from './plan-query.ts'
import { runLevels } from './run-levels.ts'
import { runCounted, runStatements } from './run-statements.ts'

export interface Answered extends Presented {
  /** The request as sent, when the caller wants it repeated (vendor dialect). */
  readonly payload?: unknown
}

const runPlan = async (
  deps: QueryDeps,
  { kind, signal, scope }: QueryRequest,
  query: Query,
  plan: Plan,
): Promise<Presented> => {
  const isSmall = deps.tableSizes?.isSmall(plan.reach.table.name) === true
  const runDeps = {
    engine: deps.engineFor(scope.organizationId),
    budget: isSmall ? { ...deps.budget, threadsMax: 1 } : deps.budget,
  }
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    const [rows = []] = await runStatements(runDeps, kind, [statement], signal)
    return rows
  }
  if (plan.kind === 'search' && query.kind === 'search') {
    const found = await runSearch(plan, {
      run,
      runCounted: (statement) => runCounted(runDeps, kind, statement, signal),
      isCluster: deps.isCluster ?? false,
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
export const answerQuery =
  (deps: QueryDeps) =>
  async (request: QueryRequest): Promise<Answered> =>
    withSpan(
      'metrics.answer',
      { 'merx.kind': request.kind, 'merx.resource': request.resource.name },
      async () => {
        const { raw, query, plan } = planQuery(deps, request)
        const payload = raw.wantsPayload ? { payload: { filter: raw.filter, [request.kind]: raw.query } } : {}
        return { ...(await runPlan(deps, request, query, plan)), ...payload }
      },
    )
