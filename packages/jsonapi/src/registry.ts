/** All definitions together, checked once at load, found by type or path. */
import { checkDefinitions } from './check-definitions.ts'
import type { ResourceDefinition } from './define-resource.ts'
import type { PublicIds } from './public-id.ts'

export interface Registry {
  /** In the order they were given. */
  readonly definitions: readonly ResourceDefinition[]
  /** How the rows of these types are named on the wire. */
  readonly ids: PublicIds
  find(type: string): ResourceDefinition | undefined
  /** Throws a plain Error: a type that definitions name always exists. */
  require(type: string): ResourceDefinition
  findByPath(path: string): ResourceDefinition | undefined
  /** The concrete types a linkage to this type may name: itself, or the members of an abstract type. */
  concreteTypesOf(type: string): readonly string[]
}

/** What is wrong with a set of definitions; thrown at load, every violation named. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super(`resource definitions are not valid:\n  ${violations.join('\n  ')}`)
    this.violations = violations
  }
}

/**
 * Throws DefinitionError naming every violation: unknown targets, inverses that disagree, sorts on what is not stored.
 *
 * @example const registry = createRegistry([skus, prices, markets], { ids: createPublicIds({ secret }) })
 */
export const createRegistry = (
  definitions: readonly ResourceDefinition[],
  { ids }: { readonly ids: PublicIds },
): Registry => {
  const violations = checkDefinitions(definitions)
  if (violations.length > 0) throw new DefinitionError(violations)
  const byType = new Map(definitions.map((definition) => [definition.type, definition]))
  const byPath = new Map(definitions.map((definition) => [definition.path, definition]))
  const require = (type: string): ResourceDefinition => {
    const definition = byType.get(type)
    if (definition === undefined) throw new Error(`no resource of type ${type} is defined`)
    return definition
  }
  return Object.freeze({
    definitions: Object.freeze([...definitions]),
    ids,
    find: (type: string) => byType.get(type),
    require,
    findByPath: (path: string) => byPath.get(path),
    concreteTypesOf: (type: string) => require(type).abstract?.members ?? [type],
  })
}
