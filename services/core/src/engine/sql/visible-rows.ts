/** Which rows of a type a request sees: environment, scope and the restrictions of the caller's permissions. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parentVisibility } from './parent-visibility.ts'
import { rowsOfType } from './relations.ts'
import type { Build } from './relations.ts'
import { restrictedRows } from './restricted-rows.ts'

/** The conditions that a row of the type under `alias` meets when the request sees it. Every read starts from these. */
export const visibleRows = (
  definition: ResourceDefinition,
  alias: string,
  build: Build,
): readonly string[] => [
  ...rowsOfType(definition, alias, build),
  ...visibilityOf(definition.type, alias, build),
  ...restrictedRows(definition, alias, ['all', 'read'], build),
  ...parentVisibility(definition, alias, visibleRows, build),
]

/** The visibility that an area gives to a type; empty when rows are visible in all of their environment. */
export const visibilityOf = (type: string, alias: string, build: Build): readonly string[] =>
  build.registry.facts.visibility[type]?.(alias, build) ?? []
