/** The rows that a to-many relationship leads to from many owners at once → one statement. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ToMany, ToOne } from '@merx/jsonapi/relationships'
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'
import { inverseKeyOf, linkOf } from './relations.ts'
import type { Build } from './relations.ts'
import { selection } from './selection.ts'
import { statementName } from './statement-names.ts'
import { visibleRows } from './visible-rows.ts'

/** The column with the number of the owner that a row belongs to. */
export const OWNER_COLUMN = '_owner'

export interface RelatedRequest {
  readonly owner: ResourceDefinition
  readonly numbers: readonly number[]
  readonly name: string
  readonly relationship: ToMany | ToOne
  readonly rowsMax: number
}

/** Ordered by id, so that linkage has the order of the related collection. */
export const selectRelated = (request: RelatedRequest, build: Build): Statement => {
  const { relationship, rowsMax } = request
  const { params, registry } = build
  const target = registry.require(relationship.target)
  const source = sourceOf(request, target, build)
  const conditions = [...visibleRows(target, 't', build), ...source.conditions]
  const text = `SELECT ${source.owner} AS ${OWNER_COLUMN}, ${selection(target, 't', build)}
    FROM ${[`${identifier(target.table)} AS t`, ...source.tables].join(', ')}
    WHERE ${conditions.join(' AND ')} ORDER BY t.id LIMIT ${params.add(rowsMax, 'bigint')}`
  return { text, values: params.values, name: statementName(text) }
}

interface Source {
  readonly tables: readonly string[]
  readonly owner: string
  readonly conditions: readonly string[]
}

const sourceOf = (request: RelatedRequest, target: ResourceDefinition, build: Build): Source => {
  const { owner, numbers, name, relationship } = request
  const among = build.params.add(numbers, 'bigint[]')
  if (relationship.kind === 'toMany' && relationship.inverse !== undefined) {
    const key = inverseKeyOf(target, relationship.inverse)
    const id = qualified('t', key.id)
    const type =
      key.type === undefined ? [] : [`${qualified('t', key.type)} = ${build.params.add(owner.type, 'text')}`]
    return { tables: [], owner: id, conditions: [`${id} = ANY(${among})`, ...type] }
  }
  const link = linkOf(owner, name, relationship, { owner: 'owner', target: 't' }, build)
  const bridge = link.bridge === undefined ? [] : [`${link.bridge.table} AS ${link.bridge.alias}`]
  const ownerRows = [`owner.environment_id = ${build.params.environment}`, `owner.id = ANY(${among})`]
  return {
    tables: [`${identifier(owner.table)} AS owner`, ...bridge],
    owner: 'owner.id',
    conditions: [...ownerRows, ...link.conditions],
  }
}
