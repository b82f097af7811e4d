/** Regular expressions that merchants write: which are accepted, and whether a text matches. RE2 matches in linear time. */
import type { Rule } from '@merx/jsonapi/rules'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** Of patterns of SKU codes: a list of codes, one after the other, is one. */
export const SKU_CODE_PATTERN_MAX = 5000

const compiled = new LRUCache<string, RE2JS>({ max: 1000 })

/** Throws what RE2JS throws when it is no pattern. Merchants write `/^IT$/` as well as `^IT$`. */
const compile = (pattern: string): RE2JS => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const [, inner, flags = ''] = /^\/(.*)\/(i?)$/.exec(pattern) ?? [undefined, pattern]
  const made = RE2JS.compile(inner ?? pattern, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
  compiled.set(pattern, made)
  return made
}

/** Whether the pattern, one that the rule below accepted, is found in the text. */
export const isFoundIn = (pattern: string, text: string): boolean => compile(pattern).matcher(text).find()

/** Refuses what is no pattern of RE2, such as look-ahead and back references. */
export const patternsIn =
  (...attributes: readonly string[]): Rule =>
  ({ after, sent }) => {
    const violations = attributes
      .filter((attribute) => sent.has(attribute))
      .flatMap((attribute) => {
        const pattern = after[attribute]
        const problem = typeof pattern === 'string' ? patternProblem(pattern) : undefined
        if (problem === undefined) return []
        const message = `must be a regular expression of RE2 syntax (${problem})`
        return [{ at: { attribute }, error: 'invalid', message, value: pattern }]
      })
    return violations.length === 0 ? {} : { violations }
  }

/** Why it is no pattern of RE2, or undefined. */
export const patternProblem = (pattern: string): string | undefined => {
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'not valid'
  }
}
