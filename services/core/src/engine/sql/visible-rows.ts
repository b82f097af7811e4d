/** Which rows of a type a request sees: environment, scope and the restrictions of the caller's permissions. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { ownersSeen } from './parent-visibility.ts'
import { rowsOfType } from './relations.ts'
import type { Build } from './relations.ts'
import { restrictedRows } from './restricted-rows.ts'
import { visibilityOf } from './visibility.ts'

/** What a row of the type under `alias` must satisfy to be seen at all. Every read starts from these. */
export const rowsSeen = (definition: ResourceDefinition, alias: string, build: Build): readonly string[] => [
  ...rowsOfType(definition, alias, build),
  ...visibilityOf(definition.type, alias, build.scope, build.params),
  ...restrictedRows(definition, alias, ['all', 'read'], build),
  ...ownersSeen(definition, alias, rowsSeen, build),
]
