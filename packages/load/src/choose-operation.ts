/** Operations in proportion to their weights, in an order that is the same in every run. */
import type { LoadOperation } from './scenario.ts'

/** 0 <= x < 1; a linear congruential generator (Numerical Recipes) is random enough to mix requests. */
const createFractions = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** @throws RangeError unless there is an operation, each with a weight above zero */
export const createChooser = (operations: readonly LoadOperation[], seed = 1): (() => LoadOperation) => {
  const last = operations.at(-1)
  if (last === undefined || operations.some(({ weight }) => !(weight > 0)))
    throw new RangeError('a mix has at least one operation, each with a weight above zero')
  const total = operations.reduce((sum, { weight }) => sum + weight, 0)
  const fraction = createFractions(seed)
  return () => {
    let rest = fraction() * total
    for (const operation of operations) {
      rest -= operation.weight
      if (rest < 0) return operation
    }
    return last
  }
}

/** The whole mix as what one connection sends, for a closed loop. */
export const mixOf =
  (operations: readonly LoadOperation[]) =>
  (connection: number): ReturnType<LoadOperation['callerOf']> => {
    const choose = createChooser(operations, connection + 1)
    const callers = new Map(operations.map((operation) => [operation, operation.callerOf(connection)]))
    let current = callers.get(choose())
    return {
      next: () => {
        current = callers.get(choose())
        if (current === undefined) throw new Error('an operation without a caller')
        return current.next()
      },
      onAnswer: (answer) => current?.onAnswer?.(answer),
    }
  }
