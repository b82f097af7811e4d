/** Answers `analysis/fbt` (frequently bought together), the one analysis that is not a query of a resource. */
import { withSpan } from '@merx/telemetry/span'
import type { Fbt } from '../catalogue/attribute.ts'
import type { Row } from '../engine/engine.ts'
import { applyPasses } from '../plan/passes/index.ts'
import type { FbtPlan } from '../plan/plan.ts'
import { requireReadable } from '../plan/require-readable.ts'
import type { MayRead } from '../request/readable-types.ts'
import { resolveFbt } from '../request/resolve-fbt.ts'
import type { Scope } from '../request/scope.ts'
import { renderPairs } from '../sql/render.ts'
import type { Answered } from './answer-query.ts'
import type { QueryDeps } from './plan-query.ts'
import { runStatements } from './run-statements.ts'

export interface FbtRequest {
  readonly body: unknown
  readonly scope: Scope
  readonly mayRead: MayRead
  readonly signal: AbortSignal
}

const toRecord = ({ item_id: itemId, value, type, name }: Row) => ({
  item_id: itemId,
  value: Number(value),
  type,
  ...(name === null || name === undefined ? {} : { name }),
})

/** Throws AppError 400, 401, 422 or 503. */
export const answerFbt =
  (deps: QueryDeps, fbt: Fbt) =>
  async ({ body, scope, mayRead, signal }: FbtRequest): Promise<Answered> =>
    withSpan('metrics.fbt', {}, async () => {
      const { itemIds, payload } = resolveFbt(body, fbt, deps.dialect)
      const reach = { table: fbt.resource.table, predicates: [] }
      const unscoped: FbtPlan = {
        kind: 'fbt',
        reach,
        itemIds,
        itemTypes: fbt.itemTypes,
        limit: fbt.recordsMax,
      }
      requireReadable(unscoped, mayRead)
      const plan = applyPasses(unscoped, { scope, resource: fbt.resource })
      if (plan.kind !== 'fbt') throw new Error('a pass changed the kind of the plan')
      const [rows = []] = await runStatements(
        { engine: deps.engineFor(scope.organizationId), budget: deps.budget },
        'filter',
        [renderPairs(plan)],
        signal,
      )
      return { data: rows.map(toRecord), ...(payload === undefined ? {} : { payload }) }
    })
