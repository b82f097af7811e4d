/**
 * Filters outside `q` (core-conventions.md 4.3): `filter[code]=a,b`, `filter[ids]`, `filter[market_id]`,
 * `filter[created_at_from]` and `_to`. Plurals of text and id filters (`codes`, `sku_ids`) mean the same.
 */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from './define-resource.ts'
import { findFilterField, valueKindOfField } from './filter-fields.ts'
import { toEqualityTest, toFilterTest } from './filter-tests.ts'
import type { Parsed } from './filter-values.ts'
import type { Predicate } from './predicates.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { FieldPath, Filter, FilterTest } from './query.ts'
import type { Registry } from './registry.ts'

const bound = (comparison: 'gteq' | 'lteq'): Predicate => ({
  name: comparison,
  meaning: { kind: 'compare', comparison },
  takes: 'one',
  quantifier: 'any',
  kinds: ['instant'],
})

const BOUNDS = [
  { suffix: '_from', predicate: bound('gteq') },
  { suffix: '_to', predicate: bound('lteq') },
] as const

/** Reports an unknown name or a value that cannot be read. */
export const parsePlainFilter = (
  parameter: QueryParameter,
  name: string,
  definition: ResourceDefinition,
  registry: Registry,
  report: Report,
): Filter | undefined => {
  const meaning = readName(name, parameter.value, definition, registry)
  if (meaning === undefined) {
    const detail = `${definition.type} cannot be filtered by "${name}"; allowed: ${plainNames(definition).join(', ')}`
    report(new AppError('filter_not_allowed', { detail, source: { parameter: parameter.name } }))
    return undefined
  }
  const { path, test } = meaning
  if (test.ok) return { parameter: parameter.name, combinator: 'and', tests: [{ path, test: test.value }] }
  const detail = `"${parameter.name}" needs ${test.expected}`
  report(new AppError('invalid_filter_value', { detail, source: { parameter: parameter.name } }))
  return undefined
}

interface Meaning {
  readonly path: FieldPath
  readonly test: Parsed<FilterTest>
}

const readName = (
  name: string,
  value: string,
  definition: ResourceDefinition,
  registry: Registry,
): Meaning | undefined => {
  const path = findPlainField(name, definition, registry)
  if (path !== undefined) return { path, test: toEqualityTest(path, value, registry) }
  for (const { suffix, predicate } of BOUNDS) {
    if (!name.endsWith(suffix)) continue
    const instant = findFilterField(name.slice(0, -suffix.length), definition, registry)
    if (instant === undefined || instant.steps.length > 0 || valueKindOfField(instant.field) !== 'instant')
      continue
    return { path: instant, test: toFilterTest(predicate, instant, value, registry) }
  }
  return undefined
}

/** Own attributes, `ids`, `<relationship>_id`, and their plurals. */
const findPlainField = (
  name: string,
  definition: ResourceDefinition,
  registry: Registry,
): FieldPath | undefined => {
  const exact = findOwn(name, definition, registry)
  if (exact !== undefined || !name.endsWith('s')) return exact
  const singular = findOwn(name.slice(0, -1), definition, registry)
  const kind = singular === undefined ? undefined : valueKindOfField(singular.field)
  return kind === 'text' || kind === 'id' ? singular : undefined
}

const findOwn = (name: string, definition: ResourceDefinition, registry: Registry): FieldPath | undefined => {
  const path = findFilterField(name, definition, registry)
  if (path === undefined || path.steps.length > 1) return undefined
  const crossed = path.steps[0]
  if (crossed === undefined) return path
  return name === `${crossed.name}_id` && path.field.kind === 'id' ? path : undefined
}

/** What `filter[<name>]` may name. */
export const plainNames = (definition: ResourceDefinition): readonly string[] => [
  'ids',
  ...Object.entries(definition.attributes).flatMap(([name, { filter, kind }]) => {
    if (!filter) return []
    return kind === 'instant' ? [name, `${name}_from`, `${name}_to`] : [name]
  }),
  ...Object.entries(definition.relationships).flatMap(([name, { filter }]) => (filter ? [`${name}_id`] : [])),
  'q',
]
