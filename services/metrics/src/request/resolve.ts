/** A parsed request → a query whose names, defaults and limits are settled. Filter first, then query; all violations at once. */
import type { Resource } from '../catalogue/attribute.ts'
import { fingerprintOf, type CursorCodec } from './cursor.ts'
import { isObject, type JsonObject } from './json-object.ts'
import type { QueryDialect, RawRequest } from './parse.ts'
import { bodyKeyOf, type Asked, type Filter, type Kind, type Query, type Search } from './query.ts'
import type { MayRead } from './readable-types.ts'
import {
  resolveBreakdown,
  resolveDateBreakdown,
  resolveStats,
  type QueryContext,
} from './resolve-breakdown.ts'
import { resolveFilter } from './resolve-filter.ts'
import { resolveExport, resolveSearch } from './resolve-search.ts'
import type { Scope } from './scope.ts'
import { violationsError, type Violation } from './violations.ts'

export interface ResolveOptions {
  readonly resource: Resource
  readonly dialect: QueryDialect
  readonly cursors: CursorCodec
  readonly now: Date
  /** What wildcards leave out. */
  readonly mayRead: MayRead
}

const requireQueryObject = (kind: Kind, query: unknown): JsonObject => {
  const isBlank =
    query === undefined || query === null || (isObject(query) && Object.keys(query).length === 0)
  const path = [bodyKeyOf(kind)]
  if (isBlank) throw violationsError('metrics_query_blank', [{ path, message: "can't be blank" }])
  if (!isObject(query)) throw violationsError('metrics_query_blank', [{ path, message: 'must be an object' }])
  return query
}

const signSearch = (
  context: QueryContext,
  raw: { readonly query: JsonObject; readonly filter: JsonObject },
  scope: Scope,
  cursors: CursorCodec,
): Search => {
  const { cursor, ...search } = resolveSearch(context, raw.query)
  const { organizationId, mode, marketIds, storeId } = scope
  const fingerprint = fingerprintOf({
    resource: context.resource.name,
    environment: [organizationId, mode, marketIds ?? null, storeId ?? null],
    filter: raw.filter,
    order: [search.sortBy.path, search.sort],
  })
  if (cursor === undefined) return { ...search, fingerprint }
  const after = cursors.decode(cursor, fingerprint)
  if (after === undefined) {
    const message = 'not valid, it must come from the previous page of this same filter, sort and sort_by'
    context.violations.push({ path: ['search', 'cursor'], message })
    return { ...search, fingerprint }
  }
  return { ...search, fingerprint, after }
}

const toAsked = (
  kind: Kind,
  context: QueryContext,
  raw: { readonly query: JsonObject; readonly filter: JsonObject },
  scope: Scope,
  cursors: CursorCodec,
): Asked | undefined => {
  switch (kind) {
    case 'breakdown': {
      const breakdown = resolveBreakdown(context, raw.query, [kind], 1)
      return breakdown && { kind, breakdown }
    }
    case 'date_breakdown': {
      const dateBreakdown = resolveDateBreakdown(context, raw.query, [kind])
      return dateBreakdown && { kind, dateBreakdown }
    }
    case 'stats': {
      const stats = resolveStats(context, raw.query, [kind])
      return stats && { kind, stats }
    }
    case 'search':
      return { kind, search: signSearch(context, raw, scope, cursors) }
    case 'export':
      return { kind, export: resolveExport(context, raw.query) }
  }
}

/** A next page keeps the date range of the first one. */
const keepRange = (filter: Filter, asked: Asked): Filter => {
  if (asked.kind !== 'search' || asked.search.after === undefined) return filter
  const { fromMs, toMs } = asked.search.after
  return { ...filter, range: { ...filter.range, from: new Date(fromMs), to: new Date(toMs) } }
}

/** Throws 422 with every violation of the filter, else 400 for a blank query, else 422 with every violation of the query. */
export const resolve = (kind: Kind, raw: RawRequest, scope: Scope, options: ResolveOptions): Query => {
  const { resource, dialect, cursors, now, mayRead } = options
  const filterRaw = raw.filter ?? {}
  const resolved = resolveFilter(resource, filterRaw, now)
  if (resolved.violations.length > 0) throw violationsError('metrics_filter_not_valid', resolved.violations)
  const query = requireQueryObject(kind, raw.query)
  const violations: Violation[] = []
  const context: QueryContext = { resource, dialect, mayRead, violations }
  const asked = toAsked(kind, context, { query, filter: filterRaw }, scope, cursors)
  if (violations.length > 0 || asked === undefined)
    throw violationsError('metrics_query_not_valid', violations)
  return { ...asked, resource, filter: keepRange(resolved.filter, asked) }
}
