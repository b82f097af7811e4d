/** What of a resource a caller's permission lets it read: definitions narrowed to fields, for records to be made of. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import { restrictionsAt } from './restrictions.ts'
import type { CallerRestrictions } from './restrictions.ts'

/**
 * The definition of a record that was reached by the name of `door`: its own type, or the abstract one above it.
 * Without restrictions on fields, the very definition; the same one for the same restrictions, so that what is compiled
 * from definitions is compiled once.
 */
export const readableOf = (
  door: ResourceDefinition,
  definition: ResourceDefinition,
  restrictions: CallerRestrictions | undefined,
  registry: Registry,
): ResourceDefinition => {
  const sets = fieldSets([door, definition], restrictions, registry)
  if (restrictions === undefined || sets.length === 0 || narrowed.has(definition)) return definition
  const known = knownOf(restrictions)
  const key = `${door.type} ${definition.type}`
  const made = known.get(key) ?? narrow(definition, sets)
  known.set(key, made)
  return made
}

/** Of an abstract door only its own: what restricts other members is none of this record's business. */
const fieldSets = (
  definitions: readonly ResourceDefinition[],
  restrictions: CallerRestrictions | undefined,
  registry: Registry,
): readonly ReadonlySet<string>[] =>
  [...new Set(definitions.map(({ type }) => type))].flatMap((type) =>
    restrictionsAt({ type }, restrictions, registry).flatMap(({ fields }) => fields.read ?? []),
  )

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
