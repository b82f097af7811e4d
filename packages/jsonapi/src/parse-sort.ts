/** `sort=code,-created_at` → sorts. */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from './define-resource.ts'
import { limits } from './limits.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { Field, Sort } from './query.ts'

/** In the order given; an empty parameter sorts by nothing. */
export const parseSort = (
  parameters: readonly QueryParameter[],
  definition: ResourceDefinition,
  report: Report,
): readonly Sort[] => {
  const parameter = parameters[0]
  if (parameter === undefined || (parameter.value === '' && parameter.segments.length === 0)) return []
  const violation = (detail: string) =>
    report(new AppError('invalid_sort_criteria', { detail, source: { parameter: parameter.name } }))
  if (parameters.length > 1 || parameter.segments.length > 0) {
    violation('sort takes no brackets; use sort=<field>,-<field>')
    return []
  }
  const texts = parameter.value.split(',')
  if (texts.length > limits.sortsMax) {
    violation(`at most ${limits.sortsMax} sort fields are allowed, ${texts.length} were given`)
    return []
  }
  return texts.flatMap((text) => {
    const isDescending = text.startsWith('-')
    const field = findSortField(isDescending ? text.slice(1) : text, definition)
    if (field !== undefined) return [{ field, isDescending }]
    violation(
      `${definition.type} cannot be sorted by "${text}"; allowed: ${sortableNames(definition).join(', ')}`,
    )
    return []
  })
}

/** The sortable member of that name: `id`, an attribute, or a to-one relationship (by its target's number). */
export const findSortField = (name: string, definition: ResourceDefinition): Field | undefined => {
  if (name === 'id') return { kind: 'id', name }
  const attribute = Object.hasOwn(definition.attributes, name) ? definition.attributes[name] : undefined
  if (attribute?.sort) return { kind: 'attribute', name, attribute }
  const relationship = Object.hasOwn(definition.relationships, name)
    ? definition.relationships[name]
    : undefined
  return relationship?.kind === 'toOne' && relationship.sort
    ? { kind: 'toOneKey', name, relationship }
    : undefined
}

/** What `sort` accepts on a resource. */
export const sortableNames = (definition: ResourceDefinition): readonly string[] => [
  'id',
  ...Object.entries(definition.attributes).flatMap(([name, { sort }]) => (sort ? [name] : [])),
  ...Object.entries(definition.relationships).flatMap(([name, { sort }]) => (sort ? [name] : [])),
]
