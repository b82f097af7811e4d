/** One metrics query from body to answer: parse, resolve, plan, render, run, present. Only `engine.run` does I/O. */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import { withSpan } from '@merx/telemetry/span'
import type { Resource } from './catalogue/attribute.ts'
import type { Engine, Row } from './engine/engine.ts'
import { buildPlan } from './plan/build-plan.ts'
import { applyPasses } from './plan/passes/index.ts'
import { present, type Presented } from './present/present.ts'
import type { CursorCodec } from './request/cursor.ts'
import { faultsError } from './request/faults.ts'
import type { Budget } from './request/limits.ts'
import { parse, type QueryDialect } from './request/parse.ts'
import type { Kind } from './request/query.ts'
import { resolve } from './request/resolve.ts'
import type { Scope } from './request/scope.ts'
import { render } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

export interface AnswerDeps {
  readonly engine: Engine
  readonly dialect: QueryDialect
  readonly cursors: CursorCodec
  readonly clock: Clock
  readonly budget: Budget
}

export interface Answered extends Presented {
  /** The request as sent, when it asked to have it repeated (vendor dialect). */
  readonly payload?: unknown
}

const TOO_LARGE = 'needs more groups, rows or memory than one query may use; narrow the dates or the filter'

const run = async (
  deps: AnswerDeps,
  kind: Kind,
  statements: readonly Statement[],
  signal: AbortSignal,
): Promise<readonly (readonly Row[])[]> => {
  try {
    return await Promise.all(statements.map((statement) => deps.engine.run(statement, deps.budget, signal)))
  } catch (error) {
    if (error instanceof AppError && error.code === 'metrics_query_too_large') {
      throw faultsError(error.code, [{ path: [kind], message: TOO_LARGE }])
    }
    throw error
  }
}

/** Throws AppError 400, 422, 503 or 504. `signal` ends the query when its caller went away. */
export const answer =
  (deps: AnswerDeps) =>
  async (
    kind: Kind,
    resource: Resource,
    body: unknown,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Answered> =>
    withSpan('metrics.answer', { 'merx.kind': kind, 'merx.resource': resource.name }, async () => {
      const { dialect, cursors, clock } = deps
      const raw = parse(kind, body, dialect)
      const query = resolve(kind, raw, scope, { resource, dialect, cursors, now: clock.now() })
      const plan = applyPasses(buildPlan(query), { scope, resource })
      const statements = render(plan)
      const rows = await run(deps, kind, statements, signal)
      const payload = raw.wantsPayload ? { payload: { filter: raw.filter, [kind]: raw.query } } : {}
      return { ...present(query, rows, cursors), ...payload }
    })
