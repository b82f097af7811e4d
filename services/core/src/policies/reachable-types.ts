/** Includes and filters reach other types; a caller must be permitted to read each of them. */
import type { Caller } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Filter, IncludeTree, Step } from '@merx/jsonapi/query'
import type { Registry } from '@merx/jsonapi/registry'
import { may } from './permissions.ts'

/**
 * Throws AppError `unauthorized` naming the parameter. Of a polymorphic relationship one readable type is enough; the
 * others are then null.
 */
export const requireIncludable = (
  tree: IncludeTree,
  definition: ResourceDefinition,
  caller: Caller,
  registry: Registry,
): void => {
  for (const [name, below] of Object.entries(tree)) {
    const relationship = definition.relationships[name]
    if (relationship === undefined) continue
    const types = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
    const readable = types.filter((type) => may(caller, type, 'related'))
    if (readable.length === 0) throw refusal(types, 'include')
    for (const type of readable) requireIncludable(below, registry.require(type), caller, registry)
  }
}

/** The id of a to-one's target is a fact about the row itself and needs no permission on the target. */
export const requireFilterable = (filters: readonly Filter[], caller: Caller): void => {
  for (const { parameter, tests } of filters) {
    for (const { path } of tests) {
      if (path.field.kind === 'id' && isOwnKey(path.steps)) continue
      const hidden = path.steps.filter(({ to }) => !may(caller, to.type, 'related'))
      if (hidden.length > 0)
        throw refusal(
          hidden.map(({ to }) => to.type),
          parameter,
        )
    }
  }
}

const isOwnKey = (steps: readonly Step[]): boolean =>
  steps.length === 1 && steps[0]?.relationship.kind === 'toOne'

const refusal = (types: readonly string[], parameter: string): AppError =>
  new AppError('unauthorized', {
    detail: `You are not authorized to read ${types.join(', ')}.`,
    source: { parameter },
  })
