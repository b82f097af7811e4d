/** Attribute values of a write → column values, or why they are refused (422, one violation per message). */
import type { Attribute } from './attributes.ts'
import { isStored } from './attributes.ts'
import { columnOf } from './columns.ts'
import type { ResourceDefinition } from './define-resource.ts'
import { isPlainObject, parseInstant } from './filter-values.ts'
import { findLostNumber, NUMBERS_ALLOWED, problemOfJson } from './json-values.ts'
import { limits } from './limits.ts'
import type { WriteViolation, WriteOperation } from './rules.ts'
import type { WriteRequest } from './write-request.ts'

/** Attributes that kept every rule, as column values. */
export interface ValidatedAttributes {
  /** Column → value: text, number, boolean, Date, or (for jsonb columns) a JSON value. */
  readonly columns: Readonly<Record<string, unknown>>
  readonly violations: readonly WriteViolation[]
}

/** At creation missing required attributes are violations and defaults are filled in. */
export const validateAttributes = (
  sent: WriteRequest['attributes'],
  definition: ResourceDefinition,
  operation: WriteOperation,
): ValidatedAttributes => {
  const columns: Record<string, unknown> = {}
  const violations: WriteViolation[] = []
  for (const { name, attribute, column } of storedAttributes(definition)) {
    const isSent = sent.has(name)
    // Most attributes of most rows: not sent, and nothing to be filled in or missed.
    if (!isSent && (operation === 'update' || !isFilledIn(attribute))) continue
    const value = sent.get(name) ?? attribute.default ?? null
    const problem = validateValue(value, attribute)
    if (problem !== undefined)
      violations.push({ at: { attribute: name }, ...withoutSecret(problem, attribute) })
    else if (isSent || value !== null) columns[column] = toColumn(value, attribute)
  }
  return { columns, violations }
}

const isFilledIn = ({ required, default: value }: Attribute): boolean =>
  required || (value !== undefined && value !== null)

interface StoredAttribute {
  readonly name: string
  readonly attribute: Attribute
  readonly column: string
}

const stored = new WeakMap<ResourceDefinition, readonly StoredAttribute[]>()

const storedAttributes = (definition: ResourceDefinition): readonly StoredAttribute[] => {
  const known = stored.get(definition)
  if (known !== undefined) return known
  const list = Object.entries(definition.attributes).flatMap(([name, attribute]) =>
    isStored(attribute) ? [{ name, attribute, column: columnOf(name, attribute) }] : [],
  )
  stored.set(definition, list)
  return list
}

type Problem = Omit<WriteViolation, 'at'>

/** What no answer shows is not sent back with its own error either: that ends in logs. */
const withoutSecret = (problem: Problem, { show, secret }: Attribute): Problem =>
  show === 'never' || secret ? { ...problem, value: undefined } : problem

/** The first problem of one value; null is fine unless it is required. */
export const validateValue = (value: unknown, attribute: Attribute): Problem | undefined => {
  if (isBlank(value)) {
    if (attribute.required) return { error: 'blank', message: "can't be blank" }
    if (value === null) return undefined
  }
  switch (attribute.kind) {
    case 'text':
      return validateText(value, attribute)
    case 'oneOf':
      return typeof value === 'string' && attribute.values?.includes(value)
        ? undefined
        : { error: 'inclusion', message: 'is not included in the list', value }
    case 'integer':
    case 'cents':
      return validateNumber(value, attribute, true)
    case 'float':
      return validateNumber(value, attribute, false)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : invalid(value, 'must be true or false')
    case 'instant':
      return typeof value === 'string' && parseInstant(value).ok
        ? undefined
        : invalid(value, 'must be an ISO 8601 time')
    case 'object':
      return isPlainObject(value) ? validateJson(value) : invalid(value, 'must be an object')
    case 'list':
      return validateList(value, attribute)
    case 'computed':
    case 'loaded':
    case 'trigger':
      return undefined
  }
}

const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')

const invalid = (value: unknown, message = 'is invalid'): Problem => ({ error: 'invalid', message, value })

const validateText = (value: unknown, { min, max, pattern }: Attribute): Problem | undefined => {
  if (typeof value !== 'string') return invalid(value, 'must be a string')
  // PostgreSQL stores no zero character
  if (value.includes('\0') || !value.isWellFormed()) return invalid(value)
  const count = max ?? limits.textCharactersMax
  if (value.length > count) {
    return { error: 'too_long', message: `is too long (maximum is ${count} characters)`, count }
  }
  if (min !== undefined && value.length < min) {
    return { error: 'too_short', message: `is too short (minimum is ${min} characters)`, value, count: min }
  }
  return pattern === undefined || pattern.test(value) ? undefined : invalid(value)
}

const SAFE = ` from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

const isFraction = (value: number): boolean => Number.isFinite(value) && !Number.isInteger(value)

const validateNumber = (value: unknown, { min, max }: Attribute, isWhole: boolean): Problem | undefined => {
  if (typeof value !== 'number') return { error: 'not_a_number', message: 'is not a number', value }
  if (isWhole && !Number.isSafeInteger(value)) {
    return { error: 'not_an_integer', message: `must be an integer${isFraction(value) ? '' : SAFE}`, value }
  }
  if (!Number.isFinite(value)) {
    return {
      error: 'not_a_number',
      message: `is a number that would not be kept as sent: ${NUMBERS_ALLOWED}`,
    }
  }
  if (min !== undefined && value < min) {
    const message = `must be greater than or equal to ${min}`
    return { error: 'greater_than_or_equal_to', message, value, count: min }
  }
  if (max !== undefined && value > max) {
    return {
      error: 'less_than_or_equal_to',
      message: `must be less than or equal to ${max}`,
      value,
      count: max,
    }
  }
  return undefined
}

const validateList = (value: unknown, { min, max }: Attribute): Problem | undefined => {
  if (!Array.isArray(value)) return invalid(value, 'must be a list')
  if (max !== undefined && value.length > max) {
    return { error: 'too_long', message: `is too long (maximum is ${max} items)`, count: max }
  }
  if (min !== undefined && value.length < min) {
    return { error: 'too_short', message: `is too short (minimum is ${min} items)`, count: min }
  }
  return validateJson(value)
}

const validateJson = (value: unknown): Problem | undefined => {
  const problem = problemOfJson(value)
  switch (problem) {
    case undefined:
      return undefined
    case 'too_deep':
      return invalid(undefined, `is nested too deeply (maximum is ${limits.jsonDepthMax} levels)`)
    case 'too_long': {
      const count = limits.jsonCharactersMax
      return { error: 'too_long', message: `is too long (maximum is ${count} characters as JSON)`, count }
    }
    case 'not_storable':
      return invalid(undefined, 'holds characters that cannot be stored')
    case 'number_lost':
      return invalid(
        undefined,
        `holds a number at ${findLostNumber(value)} that would not be kept as sent: ${NUMBERS_ALLOWED}`,
      )
  }
}

const toColumn = (value: unknown, { kind, normalize }: Attribute): unknown => {
  if (typeof value !== 'string') return value
  if (kind !== 'instant') return normalize?.(value) ?? value
  const instant = parseInstant(value)
  return instant.ok ? instant.value : null
}
