import type { ErrorObject, SchemaObject } from 'ajv'
import { ajv } from './ajv.ts'
import { violationMessage } from './violation-message.ts'

/** One thing wrong. `pointer` is a JSON pointer (RFC 6901) to it, also when what is wrong is that it is missing. */
export interface Violation {
  readonly pointer: string
  readonly message: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A value of the expected shape, or all that is wrong with it. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly violations: readonly Violation[] }

const VIOLATIONS_MAX = 50

/** These keywords only say that a part failed; the part's own violations say why. */
const WRAPPERS: ReadonlySet<string> = new Set(['if', 'then', 'else', 'allOf'])

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Keywords about a key of an object name it in their params, under these names. */
const KEY_PARAMS = ['missingProperty', 'additionalProperty', 'propertyName'] as const

const pointerOf = ({ instancePath, params }: ErrorObject): string => {
  const given = params as Readonly<Record<string, unknown>>
  const name = KEY_PARAMS.find((param) => typeof given[param] === 'string')
  return name === undefined ? instancePath : `${instancePath}/${escapeKey(String(given[name]))}`
}

const toViolation = (error: ErrorObject): Violation => ({
  pointer: pointerOf(error),
  message: violationMessage(error),
  keyword: error.keyword,
  params: error.params as Readonly<Record<string, unknown>>,
})

const toViolations = (errors: readonly ErrorObject[]): readonly Violation[] => {
  const telling = errors.filter(({ keyword }) => !WRAPPERS.has(keyword))
  return (telling.length === 0 ? errors : telling).slice(0, VIOLATIONS_MAX).map(toViolation)
}

/**
 * A function from unknown to `T`, or at most 50 violations. Throws here, not per value, when the schema is not valid.
 *
 *     const parseBody = compile<{ name: string }>({ type: 'object', required: ['name'], properties: { … } })
 */
export const compile = <T>(schema: SchemaObject): ((value: unknown) => Result<T>) => {
  const validate = ajv.compile<T>(schema)
  return (value) =>
    validate(value) ? { ok: true, value } : { ok: false, violations: toViolations(validate.errors ?? []) }
}
