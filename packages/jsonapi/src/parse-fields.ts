/** `fields[skus]=code,name` → sparse fieldsets (core-conventions.md 7). */
import { AppError } from '@merx/errors/app-error'
import { companionsOf } from './attributes.ts'
import type { ResourceDefinition } from './define-resource.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { Fieldsets } from './query.ts'
import type { Registry } from './registry.ts'

/** `id` and `type` are accepted and change nothing: both are always there. */
export const parseFields = (
  parameters: readonly QueryParameter[],
  registry: Registry,
  report: Report,
): Fieldsets => {
  const fieldsets = new Map<string, ReadonlySet<string>>()
  for (const { name: parameter, segments, value } of parameters) {
    const [type, ...rest] = segments
    if (type === undefined || type === '' || rest.length > 0) {
      const detail = 'fields names a resource type: fields[<type>]=<name>,<name>'
      report(new AppError('invalid_field_format', { detail, source: { parameter } }))
      continue
    }
    const definition = registry.find(type)
    if (definition === undefined) {
      const detail = `there is no resource type "${type.slice(0, 100)}"`
      report(new AppError('invalid_resource', { detail, source: { parameter } }))
      continue
    }
    const names = value === '' ? [] : value.split(',')
    const known = fieldNames(definition)
    for (const name of names.filter((name) => !known.has(name))) {
      const detail = `${type} has no field "${name.slice(0, 100)}"; it has ${[...known].join(', ')}`
      report(new AppError('invalid_field', { detail, source: { parameter } }))
    }
    fieldsets.set(type, new Set(names))
  }
  return fieldsets
}

const cache = new WeakMap<ResourceDefinition, ReadonlySet<string>>()

/** Every name `fields[<type>]` accepts: attributes that are returned, money companions, relationships, id and type. */
export const fieldNames = (definition: ResourceDefinition): ReadonlySet<string> => {
  const known = cache.get(definition)
  if (known !== undefined) return known
  const names = new Set([
    'id',
    'type',
    ...Object.entries(definition.attributes).flatMap(([name, { kind, show }]) => {
      if (show === 'never') return []
      return kind === 'cents' ? [name, ...Object.values(companionsOf(name))] : [name]
    }),
    ...Object.keys(definition.relationships),
  ])
  cache.set(definition, names)
  return names
}
