import { AppError, AppErrors } from './app-error.ts'
import type { ErrorCode } from './catalogue.ts'

/**
 * What was thrown, as the errors to answer with. Anything that is not ours becomes `internal` with the table's text
 * only; the thrown value stays reachable as `cause`, for the log.
 */
export const toAppErrors = (error: unknown, internal: ErrorCode): readonly AppError[] => {
  if (error instanceof AppErrors) return error.errors
  if (error instanceof AppError) return [error]
  return [new AppError(internal, { cause: error })]
}
