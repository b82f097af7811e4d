/**
 * Requires that the caller may read everything that a query uses: types behind includes and filters, fields that it filters,
 * sorts by or requests. Returns all violations at once.
 */
import type { Caller } from '@merx/access-token/caller'
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { FieldPath, Filter, IncludeTree, RetrieveQuery, Sort, Step } from '@merx/jsonapi/query'
import type { Registry } from '@merx/jsonapi/registry'
import { isSalesChannel } from './caller-kinds.ts'
import { may, mayFollow } from './permissions.ts'
import { restrictionsAt, restrictionsOf } from './restrictions.ts'

/** Of a collection all four, of a single resource no filters and no sorts. */
export type ReachingQuery = RetrieveQuery & {
  readonly filters?: readonly Filter[]
  readonly sorts?: readonly Sort[]
}

/** Throws AppErrors of `unauthorized`, each with the parameter that reaches too far. */
export const requireReadable = (
  query: ReachingQuery,
  definition: ResourceDefinition,
  caller: Caller,
  registry: Registry,
): void => {
  const reader: Reader = {
    caller,
    registry,
    hides: (on, name) =>
      restrictionsAt(on, restrictionsOf(caller), registry).some(
        ({ fields }) => fields.read?.has(name) === false,
      ),
    leavesOut: isSalesChannel(caller),
  }
  refuse([
    ...(query.filters ?? []).flatMap((filter) => filterViolations(filter, reader)),
    ...(query.sorts ?? []).flatMap((sort) => sortViolations(sort, definition, reader)),
    ...includeFaults(query.include, definition, reader),
    ...fieldViolations(query, reader),
  ])
}

/** For the address of a relationship. Throws AppErrors of `unauthorized`. */
export const requireReadableField = (
  name: string,
  definition: ResourceDefinition,
  caller: Caller,
  registry: Registry,
): void => {
  const restricted = restrictionsAt(definition, restrictionsOf(caller), registry)
  if (restricted.some(({ fields }) => fields.read?.has(name) === false))
    throw new AppError('unauthorized', { detail: hidden(`${definition.type}.${name}`) })
}

interface Reader {
  readonly caller: Caller
  readonly registry: Registry
  /** Whether the caller's permission leaves this field of the type out; `id` is never left out. */
  readonly hides: (on: ResourceDefinition, name: string) => boolean
  /**
   * Whether documents leave out what is hidden without a word: storefronts include more than a guest is shown, and one
   * that is refused shows nothing. Filters and sorts by it are refused all the same.
   */
  readonly leavesOut: boolean
}

const refuse = (violations: readonly AppError[]): void => {
  const [only, ...more] = violations
  if (only === undefined) return
  throw more.length === 0 ? only : new AppErrors(violations)
}

/** The id of a to-one's target is a fact about the row itself and needs no permission on the target. */
const filterViolations = ({ parameter, tests }: Filter, reader: Reader): readonly AppError[] =>
  tests.flatMap(({ path }) => {
    const isOwnId = path.field.kind === 'id' && isOwnKey(path.steps)
    const types = isOwnId ? [] : path.steps.filter((step) => !mayStep(step, reader))
    const fields = hiddenOf(path, reader)
    return [...types.map(({ to }) => to.type), ...fields].map((what) => unauthorized(what, parameter))
  })

const mayStep = ({ from, relationship, to }: Step, { caller }: Reader): boolean =>
  may(caller, to.type, 'related') && mayFollow(caller, from, relationship, to)

const isOwnKey = (steps: readonly Step[]): boolean =>
  steps.length === 1 && steps[0]?.relationship.kind === 'toOne'

const hiddenOf = ({ steps, on, field }: FieldPath, { hides }: Reader): readonly string[] => [
  ...steps.filter(({ from, name }) => hides(from, name)).map(({ from, name }) => `${from.type}.${name}`),
  ...(field.kind !== 'id' && hides(on, field.name) ? [`${on.type}.${field.name}`] : []),
]

const sortViolations = (
  { field }: Sort,
  definition: ResourceDefinition,
  { hides }: Reader,
): readonly AppError[] =>
  field.kind !== 'id' && hides(definition, field.name)
    ? [unauthorized(`${definition.type}.${field.name}`, 'sort')]
    : []

/** Of a polymorphic relationship one readable type is enough; the others are then null. */
const includeFaults = (
  tree: IncludeTree,
  definition: ResourceDefinition,
  reader: Reader,
): readonly AppError[] =>
  Object.entries(tree).flatMap(([name, below]) => {
    const relationship = definition.relationships[name]
    if (relationship === undefined) return []
    if (reader.hides(definition, name))
      return reader.leavesOut ? [] : [unauthorized(`${definition.type}.${name}`, 'include')]
    const types = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
    const readable = types.filter(
      (type) =>
        may(reader.caller, type, 'related') &&
        mayFollow(reader.caller, definition, relationship, reader.registry.require(type)),
    )
    if (readable.length === 0) return [unauthorized(types.join(', '), 'include')]
    return readable.flatMap((type) => includeFaults(below, reader.registry.require(type), reader))
  })

/** Companions of an amount (`formatted_…`, `…_float`) are hidden with it: documents leave them out. */
const fieldViolations = (
  { fields }: RetrieveQuery,
  { registry, hides, leavesOut }: Reader,
): readonly AppError[] => {
  if (leavesOut) return []
  return [...fields].flatMap(([type, names]) => {
    const definition = registry.require(type)
    return [...names]
      .filter((name) => isField(name, definition) && hides(definition, name))
      .map((name) => unauthorized(`${type}.${name}`, `fields[${type}]`))
  })
}

const isField = (name: string, { attributes, relationships }: ResourceDefinition): boolean =>
  Object.hasOwn(attributes, name) || Object.hasOwn(relationships, name)

const hidden = (what: string): string => `You are not authorized to read ${what}.`

const unauthorized = (what: string, parameter: string): AppError =>
  new AppError('unauthorized', { detail: hidden(what), source: { parameter } })
