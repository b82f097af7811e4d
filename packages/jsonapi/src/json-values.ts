/** JSON that comes from outside: what a jsonb column cannot hold, or should not. */
import { limits } from './limits.ts'

/** Why a JSON value cannot be kept. */
export type JsonProblem = 'too_deep' | 'too_long' | 'not_storable'

/** jsonb holds no zero character and no lone surrogate, in keys as little as in values. */
const NOT_STORABLE = /\\u0000|\\ud[89a-f]/i

/** The first problem of a parsed JSON value. */
export const problemOfJson = (value: unknown): JsonProblem | undefined => {
  if (isDeeperThan(value, limits.jsonDepthMax)) return 'too_deep'
  const text = JSON.stringify(value)
  if (text.length > limits.jsonCharactersMax) return 'too_long'
  return NOT_STORABLE.test(text) ? 'not_storable' : undefined
}

/** Stops at the limit: a body may be nested deeper than the stack allows. */
const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1))
}
