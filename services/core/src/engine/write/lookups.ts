/** Reads what a write has to know about other rows, in its transaction. */
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { includeProblem } from '@merx/jsonapi/parse-include'
import type { Relationship } from '@merx/jsonapi/relationships'
import type { RowFinder } from '@merx/jsonapi/rules'
import type { Identifier } from '@merx/jsonapi/write-request'
import type { Reading } from '../read/read-includes.ts'
import { findCovered, findRecord } from '../read/read-one.ts'
import { createRowFinder } from '../read/row-finder.ts'
import { selectWhere } from '../sql/select-rows.ts'

export interface Lookups {
  readonly find: RowFinder
  /** The number of a resource that may be linked to, or undefined. */
  linkable(identifier: Identifier, relationship: Relationship): Promise<number | undefined>
  /** Rows with this value in a column; at least two when there are several. */
  having(definition: ResourceDefinition, column: string, value: unknown): Promise<readonly Row[]>
  /** Networks that may be called although they are not public. */
  readonly allowedNetworks: readonly string[]
  /** Why resources of the type cannot include the path, or undefined. */
  readonly includeProblem: (path: string, type: string) => string | undefined
  /** Encrypts what a sealed attribute is to hold. */
  readonly seal: (value: unknown) => string
}

/**
 * For one write: a statement per question. A sales channel can link only to what it may read and sees, a restricted
 * role only to what its permission covers.
 */
export const lookupsOf = (reading: Reading): Lookups => {
  const { registry, scope, run } = reading
  return {
    allowedNetworks: registry.allowedNetworks,
    seal: registry.seal,
    includeProblem: (path, type) => includeProblem(path, registry.require(type), registry),
    find: createRowFinder(registry, scope.environmentId, run),
    linkable: async ({ type, id, number: known }) => {
      const definition = registry.require(type)
      const number = known ?? registry.ids.decode(idTypeOf(definition), id)
      if (number === undefined) return undefined
      if (scope.salesChannel !== undefined && !reading.mayRead(type)) return undefined
      const find = scope.salesChannel === undefined ? findCovered : findRecord
      return (await find(definition, number, reading))?.number
    },
    having: (definition, column, value) =>
      run(selectWhere(definition, scope.environmentId, { [column]: value })),
  }
}
