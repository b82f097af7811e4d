/** Frequently bought together: the same stages as `answer.ts`, for the one analysis that is not a query of a resource. */
import { withSpan } from '@merx/telemetry/span'
import type { Answered, AnswerDeps } from './answer.ts'
import type { Fbt } from './catalogue/attribute.ts'
import type { Row } from './engine/engine.ts'
import { applyPasses } from './plan/passes/index.ts'
import type { FbtPlan } from './plan/plan.ts'
import { requireReadable } from './plan/require-readable.ts'
import type { MayRead } from './request/readable-types.ts'
import { resolveFbt } from './request/resolve-fbt.ts'
import type { Scope } from './request/scope.ts'
import { runStatements } from './run-statements.ts'
import { renderPairs } from './sql/render.ts'

export interface AskFbt {
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
  (deps: AnswerDeps, fbt: Fbt) =>
  async ({ body, scope, mayRead, signal }: AskFbt): Promise<Answered> =>
    withSpan('metrics.fbt', {}, async () => {
      const { itemIds, payload } = resolveFbt(body, fbt, deps.dialect)
      const reach = { table: fbt.resource.table, predicates: [] }
      const asked: FbtPlan = {
        kind: 'fbt',
        reach,
        itemIds,
        itemTypes: fbt.itemTypes,
        limit: fbt.recordsMax,
      }
      requireReadable(asked, mayRead)
      const plan = applyPasses(asked, { scope, resource: fbt.resource })
      if (plan.kind !== 'fbt') throw new Error('a pass made something else of an fbt')
      const [rows = []] = await runStatements(deps, 'filter', [renderPairs(plan)], signal)
      return { data: rows.map(toRecord), ...(payload === undefined ? {} : { payload }) }
    })
