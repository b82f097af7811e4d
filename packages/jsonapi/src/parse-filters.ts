/** `filter[q][…]` and plain `filter[…]` parameters → filters (core-conventions.md 4). */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from './define-resource.ts'
import { filterableNames, findFilterField, valueKindOfField } from './filter-fields.ts'
import { toFilterTest } from './filter-tests.ts'
import { limits } from './limits.ts'
import { parsePlainFilter } from './plain-filters.ts'
import { predicates, predicatesFor } from './predicates.ts'
import type { Predicate } from './predicates.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { FieldPath, Filter, Step } from './query.ts'
import type { Registry } from './registry.ts'

/** Reports every violation; the filters returned are those without one. */
export const parseFilters = (
  parameters: readonly QueryParameter[],
  definition: ResourceDefinition,
  registry: Registry,
  report: Report,
): readonly Filter[] => {
  if (parameters.length > limits.filtersMax) {
    const detail = `at most ${limits.filtersMax} filters are allowed, ${parameters.length} were given`
    report(new AppError('filter_not_allowed', { detail, source: { parameter: 'filter' } }))
    return []
  }
  return parameters.flatMap((parameter) => parseFilter(parameter, definition, registry, report) ?? [])
}

const parseFilter = (
  parameter: QueryParameter,
  definition: ResourceDefinition,
  registry: Registry,
  report: Report,
): Filter | undefined => {
  const [first, second, ...rest] = parameter.segments
  const isQuery = first === 'q' && second !== undefined && second !== '' && rest.length === 0
  const isPlain = first !== 'q' && first !== undefined && first !== '' && second === undefined
  if (isQuery) return parseQueryFilter(parameter, second, definition, registry, report)
  if (isPlain) return parsePlainFilter(parameter, first, definition, registry, report)
  report(
    new AppError('invalid_filters_syntax', {
      detail: `"${parameter.name}" is no filter; use filter[q][<attributes>_<predicate>] or filter[<name>]`,
      source: { parameter: parameter.name },
    }),
  )
  return undefined
}

const parseQueryFilter = (
  parameter: QueryParameter,
  key: string,
  definition: ResourceDefinition,
  registry: Registry,
  report: Report,
): Filter | undefined => {
  const found = readKey(key, definition, registry)
  if ('unknown' in found) {
    const detail = `${definition.type} cannot be filtered by "${key}": ${found.unknown}`
    report(new AppError('filter_not_allowed', { detail, source: { parameter: parameter.name } }))
    return undefined
  }
  const { predicate, paths, combinator } = found
  const tests = paths.flatMap((path) => {
    const test = toFilterTest(predicate, path, parameter.value, registry)
    if (test.ok) return [{ path, test: test.value }]
    const detail = `"${parameter.name}" needs ${test.expected}`
    report(new AppError('invalid_filter_value', { detail, source: { parameter: parameter.name } }))
    return []
  })
  return tests.length === paths.length ? { parameter: parameter.name, combinator, tests } : undefined
}

interface Key {
  readonly predicate: Predicate
  readonly paths: readonly FieldPath[]
  readonly combinator: 'or' | 'and'
}

/** A named filter, or else attributes with a predicate. */
const readKey = (
  key: string,
  definition: ResourceDefinition,
  registry: Registry,
): Key | { unknown: string } => {
  const named = Object.hasOwn(definition.namedFilters, key) ? definition.namedFilters[key] : undefined
  if (named === undefined) return readNames(key, definition, registry)
  const [first = '', rest] = named.split('.')
  if (rest === undefined) return readNames(first, definition, registry)
  const step = stepOver(first, definition, registry)
  const found = readNames(rest, step.to, registry)
  if ('unknown' in found) return found
  return { ...found, paths: found.paths.map((path) => ({ ...path, steps: [step, ...path.steps] })) }
}

const stepOver = (name: string, from: ResourceDefinition, registry: Registry): Step => {
  const relationship = from.relationships[name]
  if (relationship === undefined || relationship.kind === 'polymorphicToOne')
    throw new Error(`${from.type} has no relationship "${name}" that a named filter could cross`)
  return { name, from, relationship, to: registry.require(relationship.target) }
}

/** Tries the predicates a key may end in, longest first; the first that leaves known names wins. */
const readNames = (
  key: string,
  definition: ResourceDefinition,
  registry: Registry,
): Key | { unknown: string } => {
  const candidates = predicates.filter(({ name }) => key.endsWith(`_${name}`))
  let firstViolation: string | undefined
  for (const predicate of candidates) {
    const names = splitNames(key.slice(0, -(predicate.name.length + 1)), definition, registry)
    if ('unknown' in names) {
      firstViolation ??= names.unknown
      continue
    }
    const wrong = names.paths.find(({ field }) => !predicate.kinds.includes(valueKindOfField(field)))
    if (wrong === undefined) return { predicate, ...names }
    const kind = valueKindOfField(wrong.field)
    firstViolation ??= `${predicate.name} does not apply to ${wrong.field.name}; allowed: ${predicatesFor(kind).join(', ')}`
  }
  if (firstViolation !== undefined) return { unknown: firstViolation }
  return {
    unknown: `it ends in no known predicate; known are ${[...predicates.map(({ name }) => name)].sort().join(', ')}`,
  }
}

type Names = Omit<Key, 'predicate'>

/** `name_or_code` → the fields of both. `_or_` and `_and_` do not mix: neither would bind stronger. */
const splitNames = (
  text: string,
  definition: ResourceDefinition,
  registry: Registry,
): Names | { readonly unknown: string } => {
  const whole = findFilterField(text, definition, registry)
  if (whole !== undefined) return { paths: [whole], combinator: 'and' }
  const hasOr = text.includes('_or_')
  if (hasOr && text.includes('_and_')) return { unknown: '_or_ and _and_ cannot be mixed in one filter' }
  const paths: FieldPath[] = []
  for (const name of text.split(hasOr ? '_or_' : '_and_')) {
    const path = findFilterField(name, definition, registry)
    if (path === undefined) {
      return { unknown: `"${name}" is unknown; allowed: ${filterableNames(definition).join(', ')}` }
    }
    paths.push(path)
  }
  return { paths, combinator: hasOr ? 'or' : 'and' }
}
