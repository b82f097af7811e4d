/** Which rows of a type a request sees: environment, scope and the restrictions of the caller's permissions. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { identifier, qualified } from './identifiers.ts'
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

/** For the visibility of a type: its rows are seen with the row of another type that `column` leads to. */
export const visibleThrough = (
  type: string,
  column: string,
  alias: string,
  build: Build,
): readonly string[] => {
  const its = `its_${type}`
  const ofOther = visibilityOf(type, its, build)
  if (ofOther.length === 0) return []
  const { table } = build.registry.require(type)
  return [
    `EXISTS (SELECT 1 FROM ${identifier(table)} AS ${its}
      WHERE ${its}.environment_id = ${build.params.environment} AND ${its}.id = ${qualified(alias, column)}
        AND ${ofOther.join(' AND ')})`,
  ]
}

/** The visibility that an area gives to a type; empty when rows are visible in all of their environment. */
export const visibilityOf = (type: string, alias: string, build: Build): readonly string[] =>
  build.registry.facts.visibility[type]?.(alias, build) ?? []
