/** Runs the statements of one query under its budget. */
import { AppError } from '@merx/errors/app-error'
import type { CountedRows, Engine, Row } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import { violationsError } from '../request/violations.ts'
import type { Statement } from '../sql/statement.ts'
import { timeAsyncStage } from '../telemetry.ts'

export interface RunDeps {
  readonly engine: Engine
  readonly budget: Budget
}

const TOO_LARGE = 'needs more groups, rows or memory than one query may use; narrow the dates or the filter'

const tooLong = ({ timeoutMs }: Budget): string =>
  `took longer than the ${timeoutMs / 1000} seconds that one query may take; narrow the dates or the filter`

const withinBudget = async <T>(budget: Budget, key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await timeAsyncStage('engine', work)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'metrics_query_too_large') {
      throw violationsError(error.code, [{ path: [key], message: TOO_LARGE }])
    }
    if (error.code === 'metrics_query_timeout') {
      throw violationsError(error.code, [{ path: [key], message: tooLong(budget) }])
    }
    throw error
  }
}

/**
 * `key` is the first-level key that a query beyond its budget is reported under. Throws AppError 422 for one that needs
 * too much memory, rows, groups or time, 503 for an engine that is unavailable.
 */
export const runStatements = (
  { engine, budget }: RunDeps,
  key: string,
  statements: readonly Statement[],
  signal: AbortSignal,
): Promise<readonly (readonly Row[])[]> =>
  withinBudget(budget, key, () =>
    Promise.all(statements.map((statement) => engine.run(statement, budget, signal))),
  )

/** Runs one statement with LIMIT, and counts the rows that it would have without. */
export const runCounted = (
  { engine, budget }: RunDeps,
  key: string,
  statement: Statement,
  signal: AbortSignal,
): Promise<CountedRows> => withinBudget(budget, key, () => engine.runCounted(statement, budget, signal))
