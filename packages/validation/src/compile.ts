import type { ErrorObject, SchemaObject } from 'ajv'
import { ajv } from './ajv.ts'
import { faultMessage } from './fault-message.ts'

/** One thing wrong. `pointer` is a JSON pointer (RFC 6901) to it, also when what is wrong is that it is missing. */
export interface Fault {
  readonly pointer: string
  readonly message: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A value of the expected shape, or all that is wrong with it. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] }

const FAULTS_MAX = 50

/** These keywords only say that a part failed; the part's own faults say why. */
const WRAPPERS: ReadonlySet<string> = new Set(['if', 'then', 'else', 'allOf'])

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Keywords about a key of an object name it in their params, under these names. */
const KEY_PARAMS = ['missingProperty', 'additionalProperty', 'propertyName'] as const

const pointerOf = ({ instancePath, params }: ErrorObject): string => {
  const given = params as Readonly<Record<string, unknown>>
  const name = KEY_PARAMS.find((param) => typeof given[param] === 'string')
  return name === undefined ? instancePath : `${instancePath}/${escapeKey(String(given[name]))}`
}

const toFault = (error: ErrorObject): Fault => ({
  pointer: pointerOf(error),
  message: faultMessage(error),
  keyword: error.keyword,
  params: error.params as Readonly<Record<string, unknown>>,
})

const toFaults = (errors: readonly ErrorObject[]): readonly Fault[] => {
  const telling = errors.filter(({ keyword }) => !WRAPPERS.has(keyword))
  return (telling.length === 0 ? errors : telling).slice(0, FAULTS_MAX).map(toFault)
}

/**
 * A function from unknown to `T`, or at most 50 faults. Throws here, not per value, when the schema is not valid.
 *
 *     const parseBody = compile<{ name: string }>({ type: 'object', required: ['name'], properties: { … } })
 */
export const compile = <T>(schema: SchemaObject): ((value: unknown) => Result<T>) => {
  const validate = ajv.compile<T>(schema)
  return (value) =>
    validate(value) ? { ok: true, value } : { ok: false, faults: toFaults(validate.errors ?? []) }
}
