/** JSON that comes from outside: what a jsonb column cannot hold, or should not. */
import { limits } from './limits.ts'
import { escape } from './writable-members.ts'

/** Why a JSON value cannot be kept. */
export type JsonProblem = 'too_deep' | 'too_long' | 'not_storable' | 'number_lost'

/** jsonb holds no zero character and no lone surrogate, in keys as little as in values. */
const NOT_STORABLE = /\\u0000|\\ud[89a-f]/i

/** The first problem of a parsed JSON value. */
export const problemOfJson = (value: unknown): JsonProblem | undefined => {
  if (isDeeperThan(value, limits.jsonDepthMax)) return 'too_deep'
  const text = JSON.stringify(value)
  if (text.length > limits.jsonCharactersMax) return 'too_long'
  if (NOT_STORABLE.test(text)) return 'not_storable'
  return findLostNumber(value) === undefined ? undefined : 'number_lost'
}

/** Stops at the limit: a body may be nested deeper than the stack allows. */
export const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1))
}

/**
 * The JSON pointer (RFC 6901) of the first number that is none any more, as `parseExactJson` leaves what it cannot
 * keep: '' for the value itself. The value is one that is not nested too deeply.
 */
export const findLostNumber = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const below = findLostNumber(item)
    if (below !== undefined) return `/${escape(key)}${below}`
  }
  return undefined
}

/** Ends a sentence about a number that is refused. */
export const NUMBERS_ALLOWED =
  `allowed are 0, sizes from ${Number.MIN_VALUE} to ${Number.MAX_VALUE}, and whole numbers beyond ` +
  `${Number.MAX_SAFE_INTEGER} only if double precision holds them exactly; a text keeps any digits`
