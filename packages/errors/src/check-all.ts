/** Runs several checks of one request and reports all their errors together. */
import { AppError, AppErrors } from './app-error.ts'

type Results<Checks extends readonly (() => unknown)[]> = {
  [Index in keyof Checks]: ReturnType<Checks[Index]>
}

/**
 * Runs every check, whatever the others found, and gives what they return, in their order. Throws AppErrors with the
 * faults of all of them; the fault itself when there is only one. What is neither AppError nor AppErrors is a fault of
 * ours and thrown at once.
 *
 * @example const [query, document] = checkAll(() => parseQuery(req.url), () => parseDocument(req.body))
 */
export const checkAll = <const Checks extends readonly (() => unknown)[]>(
  ...checks: Checks
): Results<Checks> => {
  const faults: AppError[] = []
  const results = checks.map((check) => {
    try {
      return check()
    } catch (error) {
      faults.push(...faultsOf(error))
      return undefined
    }
  })
  const [only, ...more] = faults
  if (only !== undefined) throw more.length === 0 ? only : new AppErrors(faults)
  return results as Results<Checks> // no check failed, so each has its result
}

/**
 * What a check gives, or undefined after its faults were added to `faults`. For checks that come one after the other,
 * when what one found shall be told with what the next one finds.
 */
export const gather = async <T>(faults: AppError[], check: () => T | Promise<T>): Promise<T | undefined> => {
  try {
    return await check()
  } catch (error) {
    faults.push(...faultsOf(error))
    return undefined
  }
}

const faultsOf = (error: unknown): readonly AppError[] => {
  if (error instanceof AppErrors) return error.errors
  if (error instanceof AppError) return [error]
  throw error
}
