/** Tests that ask for the start of a code and nothing else, such as `filter[q][code_start]`. */
import type { FieldTest } from '@merx/jsonapi/query'

/** Codes are no longer than this, so a longer start is no start of any. */
const CHARACTERS_MAX = 255

/** The LIKE pattern of the test; undefined for tests of another kind or on another field. */
export const codeStartPattern = ({ path, test }: FieldTest): string | undefined => {
  if (path.field.kind !== 'attribute' || path.field.name !== 'code') return undefined
  if (test.kind !== 'like' || test.isNegated) return undefined
  const [pattern, ...more] = test.patterns
  if (pattern === undefined || more.length > 0) return undefined
  return literalStart(pattern) === undefined ? undefined : pattern
}

/** `AB\\_%` → `AB_`; undefined for a pattern that asks for anything else, also for `%` alone, which asks for nothing. */
export const literalStart = (pattern: string): string | undefined => {
  const literal = /^((?:[^\\%_]|\\.)+)%$/su.exec(pattern)?.[1]?.replaceAll(/\\(.)/gsu, '$1')
  return literal === undefined || literal.length > CHARACTERS_MAX ? undefined : literal
}
