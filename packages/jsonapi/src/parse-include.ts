/** `include=prices.price_list,shipping_category` → tree of relationships. */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from './define-resource.ts'
import { limits } from './limits.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { IncludeTree } from './query.ts'
import type { Registry } from './registry.ts'

interface MutableTree {
  [relationship: string]: MutableTree
}

/** Paths that share a beginning share its branch. */
export const parseInclude = (
  parameters: readonly QueryParameter[],
  definition: ResourceDefinition,
  registry: Registry,
  report: Report,
): IncludeTree => {
  const tree: MutableTree = {}
  const parameter = parameters[0]
  if (parameter === undefined || (parameter.value === '' && parameter.segments.length === 0)) return tree
  const violation = (detail: string) =>
    report(new AppError('invalid_include', { detail, source: { parameter: parameter.name } }))
  if (parameters.length > 1 || parameter.segments.length > 0) {
    violation('include takes no brackets; use include=<path>,<path>')
    return tree
  }
  const paths = parameter.value.split(',')
  if (paths.length > limits.includePathsMax) {
    violation(`at most ${limits.includePathsMax} include paths are allowed, ${paths.length} were given`)
    return tree
  }
  for (const path of paths) {
    const problem = addPath(path, tree, definition, registry)
    if (problem !== undefined) violation(problem)
  }
  return tree
}

/** Why resources of `definition` cannot include the path, naming what they can, or undefined. */
export const includeProblem = (
  path: string,
  definition: ResourceDefinition,
  registry: Registry,
): string | undefined => addPath(path, {}, definition, registry)

const addPath = (
  path: string,
  tree: MutableTree,
  definition: ResourceDefinition,
  registry: Registry,
): string | undefined => {
  const names = path.split('.')
  if (names.length > limits.includeDepthMax) {
    return `"${path.slice(0, 200)}" is ${names.length} relationships deep, at most ${limits.includeDepthMax} are allowed`
  }
  let branch = tree
  let owners: readonly ResourceDefinition[] = [definition]
  for (const name of names) {
    const targets = owners.flatMap((owner) => includeTargets(owner, name))
    if (targets.length === 0) {
      const types = owners.map(({ type }) => type).join(', ')
      const allowed = [...new Set(owners.flatMap(includableNames))]
      return `${types} cannot include "${name}" (of "${path.slice(0, 200)}"); allowed: ${allowed.join(', ') || 'nothing'}`
    }
    branch = branch[name] ??= {}
    owners = targets.map((type) => registry.require(type))
  }
  return undefined
}

const includeTargets = (owner: ResourceDefinition, name: string): readonly string[] => {
  const relationship = Object.hasOwn(owner.relationships, name) ? owner.relationships[name] : undefined
  if (relationship === undefined || !relationship.include) return []
  return relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
}

/** What `include` accepts on a resource. */
export const includableNames = (definition: ResourceDefinition): readonly string[] =>
  Object.entries(definition.relationships).flatMap(([name, { include }]) => (include ? [name] : []))
