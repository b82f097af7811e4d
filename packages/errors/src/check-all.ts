/** Runs several checks of one request and reports all their errors together. */
import { AppError, AppErrors } from './app-error.ts'

type Results<Checks extends readonly (() => unknown)[]> = {
  [Index in keyof Checks]: ReturnType<Checks[Index]>
}

/**
 * Runs every check and returns their results in order. Throws the violations of all checks as AppErrors, or the
 * AppError itself when there is only one. Any other error is internal and thrown at once.
 *
 * @example const [query, document] = checkAll(() => parseQuery(req.url), () => parseDocument(req.body))
 */
export const checkAll = <const Checks extends readonly (() => unknown)[]>(
  ...checks: Checks
): Results<Checks> => {
  const violations: AppError[] = []
  const results = checks.map((check) => {
    try {
      return check()
    } catch (error) {
      violations.push(...violationsOf(error))
      return undefined
    }
  })
  const [only, ...more] = violations
  if (only !== undefined) throw more.length === 0 ? only : new AppErrors(violations)
  return results as Results<Checks> // no check failed, so each has its result
}

/**
 * Returns the result of a check, or adds its violations to `violations` and returns undefined. For checks that run one
 * after the other and report their violations together.
 */
export const gather = async <T>(
  violations: AppError[],
  check: () => T | Promise<T>,
): Promise<T | undefined> => {
  try {
    return await check()
  } catch (error) {
    violations.push(...violationsOf(error))
    return undefined
  }
}

const violationsOf = (error: unknown): readonly AppError[] => {
  if (error instanceof AppErrors) return error.errors
  if (error instanceof AppError) return [error]
  throw error
}
