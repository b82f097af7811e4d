/** The raw `search` object → fields, order and page, collecting every violation. */
import { sortDirections, type Attribute, type Resource, type SortDirection } from '../catalogue/attribute.ts'
import { valueAt, type JsonObject } from './json-object.ts'
import { limits } from './limits.ts'
import type { Export, Search } from './query.ts'
import { refuseUnknownKeys, resolveChoice, resolveLimit, type QueryContext } from './resolve-breakdown.ts'
import { allowed } from './violations.ts'

const SEARCH_KEYS = ['fields', 'limit', 'sort', 'sort_by', 'cursor']
const EXPORT_KEYS = ['fields', 'sort', 'sort_by', 'escape_formulas']

type Use = (attribute: Attribute) => boolean

const isSearchable: Use = (attribute) => attribute.isSearchable
const isExportable: Use = (attribute) => attribute.isExportable

/** The attributes directly of one entity: `line_items.*` leaves `line_items.options.*` out. */
const attributesOf = (resource: Resource, entity: string, use: Use): readonly Attribute[] =>
  [...resource.attributes.values()].filter(
    (attribute) => use(attribute) && attribute.path.slice(0, attribute.path.lastIndexOf('.')) === entity,
  )

const expand = (resource: Resource, field: unknown, use: Use): readonly Attribute[] => {
  if (typeof field !== 'string') return []
  const entity = field.endsWith('.*') ? field.slice(0, -2) : undefined
  if (entity !== undefined) {
    return resource.wildcards.includes(field) ? attributesOf(resource, entity, use) : []
  }
  const attribute = resource.attributes.get(field)
  return attribute !== undefined && use(attribute) ? [attribute] : []
}

const QUOTED_MAX = 5

const quote = (fields: readonly unknown[]): string =>
  fields
    .slice(0, QUOTED_MAX)
    .map((field) => JSON.stringify(field).slice(0, 80))
    .join(', ')

const resolveFields = (context: QueryContext, value: unknown, use: Use): readonly Attribute[] => {
  const path = ['search', 'fields']
  const isBlank = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  if (isBlank) {
    context.violations.push({ path, message: "can't be blank" })
    return []
  }
  if (!Array.isArray(value) || value.length > limits.fieldsMax) {
    context.violations.push({
      path,
      message: `not valid, must be an array of 1 to ${limits.fieldsMax} attributes`,
    })
    return []
  }
  const { resource } = context
  const unknown = value.filter((field) => expand(resource, field, use).length === 0)
  if (unknown.length > 0) {
    const known = resource.wildcards.filter((field) => expand(resource, field, use).length > 0).join(', ')
    context.violations.push({
      path,
      message: `not valid: ${quote(unknown)}; valid are attributes as in ${resource.record}.id, and the wildcards ${known}`,
    })
  }
  return [...new Set(value.flatMap((field) => leaveOut(context, expand(resource, field, use))))]
}

/** A wildcard stands for what the caller may read, unless that is nothing: then it is refused, as an attribute is. */
const leaveOut = ({ mayRead }: QueryContext, expanded: readonly Attribute[]): readonly Attribute[] => {
  const readable = expanded.filter(({ types }) => types.every(mayRead))
  return readable.length === 0 ? expanded : readable
}

/** A date of the record; the default is its latest status change. */
const resolveSortBy = (context: QueryContext, value: unknown): Attribute => {
  const { resource } = context
  if (value === undefined) return resource.sortByDefault
  const sortable = [...resource.attributes.values()].filter(({ isSortable }) => isSortable)
  const found = sortable.find(({ path }) => path === value)
  if (found !== undefined) return found
  const message = allowed(sortable.map(({ path }) => path))
  context.violations.push({ path: ['search', 'sort_by'], message })
  return resource.sortByDefault
}

/** The cursor as sent; `null` and absence both mean the first page (metrics.md 4.4). */
const resolveCursor = (context: QueryContext, value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  context.violations.push({ path: ['search', 'cursor'], message: 'not valid, must be a cursor or null' })
  return undefined
}

export type UnsignedSearch = Omit<Search, 'after' | 'fingerprint'> & { readonly cursor: string | undefined }

const resolveSort = (context: QueryContext, value: unknown): SortDirection =>
  resolveChoice<SortDirection>(context, value, sortDirections, ['search', 'sort'], 'desc')

/** Everything of a search but the position that its cursor stands for. */
export const resolveSearch = (context: QueryContext, raw: JsonObject): UnsignedSearch => {
  refuseUnknownKeys(context, raw, SEARCH_KEYS, ['search'])
  const limitPath = ['search', 'limit']
  return {
    fields: resolveFields(context, valueAt(raw, 'fields'), isSearchable),
    limit: resolveLimit(context, valueAt(raw, 'limit'), limitPath, limits.searchDefault, limits.searchMax),
    sort: resolveSort(context, valueAt(raw, 'sort')),
    sortBy: resolveSortBy(context, valueAt(raw, 'sort_by')),
    cursor: resolveCursor(context, valueAt(raw, 'cursor')),
  }
}

const resolveEscape = (context: QueryContext, value: unknown): boolean => {
  if (value === undefined || typeof value === 'boolean') return value ?? true
  context.violations.push({
    path: ['search', 'escape_formulas'],
    message: 'not valid, must be true or false',
  })
  return true
}

/** An export is a search without pages, of what a table can show (metrics.md 4.5). */
export const resolveExport = (context: QueryContext, raw: JsonObject): Export => {
  refuseUnknownKeys(context, raw, EXPORT_KEYS, ['search'])
  return {
    fields: resolveFields(context, valueAt(raw, 'fields'), isExportable),
    escapesFormulas: resolveEscape(context, valueAt(raw, 'escape_formulas')),
    sort: resolveSort(context, valueAt(raw, 'sort')),
    sortBy: resolveSortBy(context, valueAt(raw, 'sort_by')),
  }
}
