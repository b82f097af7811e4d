/** One sentence a violation: what is allowed there, in words. */
import type { ErrorObject } from 'ajv'

const LISTED_MAX = 50

const list = (items: readonly unknown[]): string => {
  const shown = items
    .slice(0, LISTED_MAX)
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  return items.length > LISTED_MAX ? `${shown.join(', ')}, …` : shown.join(', ')
}

const allowedKeys = ({ parentSchema }: ErrorObject): string => {
  const { properties } = (parentSchema ?? {}) as { properties?: Record<string, unknown> }
  const names = Object.keys(properties ?? {})
  return names.length === 0 ? 'no key is' : list(names)
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'an ISO 8601 date and time with offset, such as 2026-01-31T10:00:00Z',
  date: 'an ISO 8601 date, such as 2026-01-31',
  email: 'an e-mail address',
  uri: 'an absolute URL',
  uuid: 'a UUID',
}

type Wording = (params: Readonly<Record<string, unknown>>, error: ErrorObject) => string

const count = (limit: unknown, noun: string): string => `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`

const wordings: Readonly<Record<string, Wording>> = {
  required: () => 'is required',
  dependencies: (params) => `is required with ${String(params.property)}`,
  additionalProperties: (_params, error) => `is not a known key; allowed: ${allowedKeys(error)}`,
  enum: (params) => `is not an allowed value; allowed: ${list(params.allowedValues as readonly unknown[])}`,
  const: (params) => `must be ${list([params.allowedValue])}`,
  type: (params) => `must be of type ${list([params.type].flat())}`,
  format: (params) => `must be ${FORMATS[String(params.format)] ?? `of the format ${String(params.format)}`}`,
  pattern: (params) => `must match ${String(params.pattern)}`,
  minLength: (params) => `must have at least ${count(params.limit, 'character')}`,
  maxLength: (params) => `must have at most ${count(params.limit, 'character')}`,
  minItems: (params) => `must have at least ${count(params.limit, 'item')}`,
  maxItems: (params) => `must have at most ${count(params.limit, 'item')}`,
  minProperties: (params) => `must have at least ${count(params.limit, 'key')}`,
  maxProperties: (params) => `must have at most ${count(params.limit, 'key')}`,
  uniqueItems: () => 'must not repeat an item',
  minimum: (params) => `must be ${String(params.limit)} or more`,
  maximum: (params) => `must be ${String(params.limit)} or less`,
  exclusiveMinimum: (params) => `must be more than ${String(params.limit)}`,
  exclusiveMaximum: (params) => `must be less than ${String(params.limit)}`,
  multipleOf: (params) => `must be a multiple of ${String(params.multipleOf)}`,
}

/** What is wrong with the value and what is allowed, without the value itself (it may be a secret). */
export const violationMessage = (error: ErrorObject): string =>
  wordings[error.keyword]?.(error.params, error) ?? error.message ?? 'is not valid'
