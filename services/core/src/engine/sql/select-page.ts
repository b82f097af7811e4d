/**
 * A list query → one statement that gives a page and the exact count of all records, in one snapshot. Without rows
 * on the page there is still one row, with the count and nulls.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Filter, ListQuery, Page, Sort } from '@merx/jsonapi/query'
import type { ToMany } from '@merx/jsonapi/relationships'
import type { Visibility } from '../area.ts'
import { filterConditions } from './filters.ts'
import { columnOfField, identifier, qualified } from './identifiers.ts'
import type { Params, Statement } from './params.ts'
import { inverseKeyOf, linkOf } from './relations.ts'
import type { Build } from './relations.ts'
import { ROW_VERSION_COLUMN, selection } from './selection.ts'
import { preparedAs } from './statement-names.ts'
import { visibleRows } from './visible-rows.ts'

/** The column with the number of all records that match; no attribute can have this name. */
export const COUNT_COLUMN = '_record_count'

/** The collection of what one resource's relationship leads to. */
export interface Parent {
  readonly definition: ResourceDefinition
  readonly number: number
  readonly name: string
  readonly relationship: ToMany
  /** Of what it leads to, where neither a column nor SQL over both types says so. */
  readonly conditions?: Visibility
}

export interface PageRequest {
  readonly definition: ResourceDefinition
  readonly filters: readonly Filter[]
  readonly sorts: ListQuery['sorts']
  readonly page: Page
  readonly parent?: Parent
}

/** Rows are ordered by the sorts, then by id: the order is total, so no row is on two pages. */
export const selectPage = (request: PageRequest, build: Build): Statement => {
  const { sorts } = request
  const { params } = build
  const matching = matchingRows(request, build)
  const text = `SELECT counted.${COUNT_COLUMN}, page.* FROM (SELECT count(*) AS ${COUNT_COLUMN} ${matching}) AS counted
    LEFT JOIN (${rowsOfPage(request, matching, build)}) AS page ON true
    ORDER BY ${orderBy(sorts, 'page')}`
  return { text, values: params.values, ...(isFrequent(request) ? preparedAs(text) : {}) }
}

/** `FROM … WHERE …` of all rows of a list, as `t`. */
export const matchingRows = ({ definition, filters, parent }: PageRequest, build: Build): string => {
  const conditions = [...visibleRows(definition, 't', build), ...filterConditions(filters, 't', build)]
  if (parent !== undefined) conditions.push(parentCondition(parent, build))
  return `FROM ${identifier(definition.table)} AS t WHERE ${conditions.join(' AND ')}`
}

const rowsOfPage = ({ definition, sorts, page }: PageRequest, matching: string, build: Build): string => {
  const { params } = build
  const limit = params.add(page.size, 'bigint')
  const offset = params.add((page.number - 1) * page.size, 'bigint')
  return `SELECT ${selection(definition, 't', build)} ${matching} ORDER BY ${orderBy(sorts, 't')}
      LIMIT ${limit} OFFSET ${offset}`
}

/** Filters make as many statements as callers think of; those are not kept. */
const isFrequent = ({ filters, sorts }: PageRequest): boolean => filters.length === 0 && sorts.length <= 1

/**
 * Numbers ascend with creation, so ids sort in creation order. Nulls are the greatest values, as PostgreSQL has it, so
 * the reversed order is exactly the other way round.
 */
export const orderBy = (sorts: readonly Sort[], alias: string, isReversed = false): string => {
  const byColumn = (column: string, isDescending: boolean): string =>
    isDescending === isReversed ? column : `${column} DESC`
  const columns = sorts.map(({ field, isDescending }) =>
    byColumn(qualified(alias, columnOfField(field)), isDescending),
  )
  const isTotal = sorts.some(({ field }) => field.kind === 'id')
  return (isTotal ? columns : [...columns, byColumn(`${alias}.id`, false)]).join(', ')
}

const parentCondition = (parent: Parent, build: Build): string => {
  const { definition, number, name, relationship, conditions } = parent
  const { params, registry } = build
  if (conditions !== undefined) return conditions('t', build).join(' AND ')
  if (relationship.inverse !== undefined) {
    const key = inverseKeyOf(registry.require(relationship.target), relationship.inverse)
    const points = `${qualified('t', key.id)} = ${params.add(number, 'bigint')}`
    if (key.type === undefined) return points
    return `(${points} AND ${qualified('t', key.type)} = ${params.add(definition.type, 'text')})`
  }
  const link = linkOf(definition, name, relationship, { owner: 'owner', target: 't' }, build)
  const owner = [`owner.environment_id = ${params.environment}`, `owner.id = ${params.add(number, 'bigint')}`]
  const bridge = link.bridge === undefined ? '' : `, ${link.bridge.table} AS ${link.bridge.alias}`
  return `EXISTS (SELECT 1 FROM ${identifier(definition.table)} AS owner${bridge}
    WHERE ${[...owner, ...link.conditions].join(' AND ')})`
}

/** Rows by number, as far as the request sees them; with their version when they are to be changed. */
export const selectByNumbers = (
  definition: ResourceDefinition,
  numbers: readonly number[],
  build: Build,
  isToBeChanged = false,
): Statement => {
  const { params } = build
  const conditions = visibleRows(definition, 't', build)
  const among = numberCondition('t', numbers, params)
  const version = isToBeChanged ? `, t.xmin::text AS ${ROW_VERSION_COLUMN}` : ''
  const text = `SELECT ${selection(definition, 't', build)}${version} FROM ${identifier(definition.table)} AS t
    WHERE ${[...conditions, among].join(' AND ')}`
  return { text, values: params.values, ...preparedAs(text) }
}

const numberCondition = (alias: string, numbers: readonly number[], params: Params): string => {
  const [only, ...more] = numbers
  if (only !== undefined && more.length === 0) return `${alias}.id = ${params.add(only, 'bigint')}`
  return `${alias}.id = ANY(${params.add(numbers, 'bigint[]')})`
}
