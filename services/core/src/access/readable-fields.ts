/** Narrows definitions to the fields that a caller's permission lets it read. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import { restrictionsAt } from './restrictions.ts'
import type { CallerRestrictions } from './restrictions.ts'

/**
 * The definition of a record, as far as the caller may read it. Without restrictions on fields, the very definition;
 * the same one for the same restrictions, so that what is compiled from definitions is compiled once.
 */
export const readableOf = (
  definition: ResourceDefinition,
  restrictions: CallerRestrictions | undefined,
  registry: Registry,
): ResourceDefinition => {
  if (restrictions === undefined || narrowed.has(definition)) return definition
  const sets = restrictionsAt(definition, restrictions, registry).flatMap(({ fields }) => fields.read ?? [])
  if (sets.length === 0) return definition
  const known = knownOf(restrictions)
  const made = known.get(definition.type) ?? narrow(definition, sets)
  known.set(definition.type, made)
  return made
}

const narrow = (definition: ResourceDefinition, sets: readonly ReadonlySet<string>[]): ResourceDefinition => {
  const keep = <T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(members).filter(([name]) => sets.every((names) => names.has(name))))
  const made = {
    ...definition,
    attributes: keep(definition.attributes),
    relationships: keep(definition.relationships),
  }
  narrowed.add(made)
  return made
}

/** Definitions made here; narrowing one again would change nothing. */
const narrowed = new WeakSet<ResourceDefinition>()

const caches = new WeakMap<CallerRestrictions, Map<string, ResourceDefinition>>()

const knownOf = (restrictions: CallerRestrictions): Map<string, ResourceDefinition> => {
  const known = caches.get(restrictions) ?? new Map<string, ResourceDefinition>()
  caches.set(restrictions, known)
  return known
}
