/**
 * Rows → records, and the second check of tenancy and restrictions: a row of another environment, or one that the
 * caller's permission does not cover, is a bug and never leaves (style B13).
 */
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Linked, ResourceRecord } from '@merx/jsonapi/record'
import { readableOf } from '../../access/readable-fields.ts'
import type { CallerRestrictions } from '../../access/restrictions.ts'
import type { Registry } from '../registry.ts'
import { COVERED_COLUMN } from '../sql/selection.ts'

/** A record whose linkage is still being filled in. */
export interface OpenRecord extends ResourceRecord {
  row: Row
  readonly number: number
  readonly linked: Map<string, Linked>
  readonly loaded: Map<string, unknown>
}

export interface Records {
  /** The record of a row; the same row gives the same record throughout a document, so that it is rendered once. */
  of(definition: ResourceDefinition, row: Row): OpenRecord
  /** Those of a type so far. */
  ofType(type: string): readonly OpenRecord[]
}

/** One per document. With restrictions, records have the fields that the caller may read and no others. */
export const createRecords = (
  registry: Registry,
  environmentId: number,
  restrictions?: CallerRestrictions,
): Records => {
  const known = new Map<string, OpenRecord>()
  return {
    of: (definition, row) => {
      const number = row['id']
      if (typeof number !== 'number') throw new TypeError(`a row of ${definition.type} has no number`)
      if (row['environment_id'] !== environmentId) {
        throw new Error(`row ${number} of ${definition.type} is of another environment`)
      }
      if (row[COVERED_COLUMN] === false) {
        throw new Error(`row ${number} of ${definition.type} is not covered by the caller's permission`)
      }
      const concrete = readableOf(concreteOf(definition, row, registry), restrictions, registry)
      const idType = idTypeOf(concrete)
      const key = `${idType}/${number}`
      const record = known.get(key) ?? {
        definition: concrete,
        id: registry.ids.encode(idType, number),
        number,
        row,
        linked: new Map<string, Linked>(),
        loaded: new Map<string, unknown>(),
      }
      known.set(key, record)
      return record
    },
    ofType: (type) => [...known.values()].filter(({ definition }) => definition.type === type),
  }
}

const concreteOf = (definition: ResourceDefinition, row: Row, registry: Registry): ResourceDefinition => {
  if (definition.abstract === undefined) return definition
  const type = row[definition.abstract.typeColumn]
  if (typeof type !== 'string') throw new TypeError(`a row of ${definition.type} has no type`)
  return registry.require(type)
}
