/**
 * What narrows a permission on one type: which rows it covers, as filters, and which fields, as sparse fieldsets name
 * them (docs/adr, "Restrictions of custom roles").
 *
 *   { "rows":   { "all": { "market_code_in": ["EU"] }, "update": { "status_in": ["placed", "approved"] } },
 *     "fields": { "read": ["number", "status", "market"], "update": ["metadata", "_archive"] } }
 */
import type { AppError } from '@merx/errors/app-error'
import type { Attribute } from './attributes.ts'
import type { ResourceDefinition } from './define-resource.ts'
import { isPlainObject } from './filter-values.ts'
import { limits } from './limits.ts'
import { joinListValues } from './list-values.ts'
import { parseFilters } from './parse-filters.ts'
import type { Filter } from './query.ts'
import type { Registry } from './registry.ts'

/** What rows may be restricted for; `all` holds for the row before and after a write, the others before it. */
export const ROW_KEYS = ['all', 'create', 'read', 'update', 'destroy'] as const
/** What fields may be restricted for. */
export const FIELD_KEYS = ['create', 'read', 'update'] as const

export type RowKey = (typeof ROW_KEYS)[number]
export type FieldKey = (typeof FIELD_KEYS)[number]

/** As a role or a permission table writes it: a filter's name, as inside `filter[q][…]`, and what it compares with. */
export type RowConditions = Readonly<Record<string, unknown>>

/** Understood against a definition. A key that is absent restricts nothing; an empty set of fields allows none. */
export interface Restrictions {
  /** Every filter of a key is required. */
  readonly rows: Readonly<Partial<Record<RowKey, readonly Filter[]>>>
  /** Names of attributes, triggers and relationships. An amount stands for its companions too. */
  readonly fields: Readonly<Partial<Record<FieldKey, ReadonlySet<string>>>>
}

export type ParsedRestrictions =
  | { readonly ok: true; readonly value: Restrictions }
  /** One sentence each, naming the place and what is allowed. */
  | { readonly ok: false; readonly violations: readonly string[] }

/**
 * Every violation at once; an empty object restricts nothing.
 *
 * @example parseRestrictions({ rows: { all: { status_eq: 'placed' } } }, orders, registry)
 */
export const parseRestrictions = (
  sent: unknown,
  definition: ResourceDefinition,
  registry: Registry,
): ParsedRestrictions => {
  const violations: string[] = []
  const { rows, fields } = objectOf(sent, 'restrictions', ['rows', 'fields'], violations)
  const value: Restrictions = {
    rows: parseRows(rows, definition, registry, violations),
    fields: parseFieldSets(fields, definition, violations),
  }
  return violations.length === 0 ? { ok: true, value } : { ok: false, violations }
}

/** Absent is empty; an unknown key is a violation. */
const objectOf = (
  sent: unknown,
  place: string,
  allowed: readonly string[],
  violations: string[],
): Readonly<Record<string, unknown>> => {
  if (sent === undefined) return {}
  if (!isPlainObject(sent)) {
    violations.push(`${place} must be an object with ${allowed.join(', ')}`)
    return {}
  }
  const unknown = Object.keys(sent).filter((key) => !allowed.includes(key))
  for (const key of unknown)
    violations.push(`${place} has no "${key.slice(0, 100)}"; allowed: ${allowed.join(', ')}`)
  return sent
}

const parseRows = (
  sent: unknown,
  definition: ResourceDefinition,
  registry: Registry,
  violations: string[],
): Restrictions['rows'] => {
  const byKey = objectOf(sent, 'rows', ROW_KEYS, violations)
  if (definition.isSingleton && Object.keys(byKey).length > 0) {
    violations.push(`rows of ${definition.type} cannot be restricted: there is one`)
    return {}
  }
  const rows: Partial<Record<RowKey, readonly Filter[]>> = {}
  for (const key of ROW_KEYS) {
    const conditions = byKey[key]
    if (conditions === undefined) continue
    if (isPlainObject(conditions))
      rows[key] = parseConditions(`rows.${key}`, conditions, definition, registry, violations)
    else violations.push(`rows.${key} must be an object of filters, such as {"code_in": ["a", "b"]}`)
  }
  return rows
}

const parseConditions = (
  place: string,
  conditions: RowConditions,
  definition: ResourceDefinition,
  registry: Registry,
  violations: string[],
): readonly Filter[] => {
  const entries = Object.entries(conditions)
  if (entries.length === 0) violations.push(`${place} has no filter; leave it out to restrict nothing`)
  const parameters = entries.flatMap(([key, value]) => {
    const text = toText(value)
    if (text === undefined) {
      violations.push(
        `${place}.${key.slice(0, 100)} must be a text, a number, true, false, an object, or a list of texts without commas and numbers`,
      )
      return []
    }
    return [{ name: `${place}.${key.slice(0, 100)}`, family: 'filter', segments: ['q', key], value: text }]
  })
  const report = (violation: AppError): void =>
    void violations.push(`${place}: ${violation.detail ?? violation.code}`)
  return parseFilters(parameters, definition, registry, report)
}

/** A condition's value as a query would write it. */
const toText = (value: unknown): string | undefined => {
  if (Array.isArray(value)) {
    const texts = value.map(toItem)
    return texts.length > 0 && texts.every((text) => text !== undefined) ? joinListValues(texts) : undefined
  }
  if (isPlainObject(value)) return JSON.stringify(value)
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' && !value.includes('\0') ? value : toItem(value)
}

const toItem = (value: unknown): string | undefined => {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' && !/[,\0]/.test(value) ? value : undefined
}

const parseFieldSets = (
  sent: unknown,
  definition: ResourceDefinition,
  violations: string[],
): Restrictions['fields'] => {
  const byKey = objectOf(sent, 'fields', FIELD_KEYS, violations)
  const fields: Partial<Record<FieldKey, ReadonlySet<string>>> = {}
  for (const key of FIELD_KEYS) {
    const names: unknown = byKey[key]
    if (names === undefined) continue
    if (!Array.isArray(names) || names.length > limits.parametersMax || !names.every(isText)) {
      violations.push(`fields.${key} must be a list of at most ${limits.parametersMax} names`)
      continue
    }
    const allowed = restrictableFields(definition, key)
    for (const name of names.filter((name) => !allowed.includes(name))) {
      const can = { create: 'sent when it is created', read: 'returned', update: 'sent when it is updated' }
      violations.push(
        `fields.${key}: "${name.slice(0, 100)}" is no field of ${definition.type} that is ${can[key]}; allowed: ${allowed.join(', ')}`,
      )
    }
    fields[key] = new Set(names)
  }
  return fields
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The names that `fields.<key>` may list: attributes, triggers and relationships that the key is about. */
export const restrictableFields = (definition: ResourceDefinition, key: FieldKey): readonly string[] => {
  const isOf = ({ write, show }: Pick<Attribute, 'write'> & Partial<Pick<Attribute, 'show'>>): boolean =>
    key === 'read' ? show !== 'never' : write === 'always' || write === key
  return [...Object.entries(definition.attributes), ...Object.entries(definition.relationships)].flatMap(
    ([name, declared]) => (isOf(declared) ? [name] : []),
  )
}
