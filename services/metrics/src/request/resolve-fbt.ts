/** The body of `POST /metrics/analysis/fbt` → the items that orders must hold. It has a filter and no query. */
import type { Fbt } from '../catalogue/attribute.ts'
import { isObject } from './json-object.ts'
import { parse, type QueryDialect } from './parse.ts'
import { resolveSections } from './resolve-filter.ts'
import { violationsError } from './violations.ts'

const KEY = 'fbt'

/** An empty object `fbt` is tolerated (metrics.md 3.1); anything in it is not. */
const checkQuery = (query: unknown): void => {
  if (query === undefined || (isObject(query) && Object.keys(query).length === 0)) return
  throw violationsError('metrics_request_not_valid', [
    { path: [KEY], message: 'not valid, it takes no query' },
  ])
}

export interface AskedFbt {
  /** Each once. */
  readonly itemIds: readonly string[]
  /** The request as sent, when it asked to have it repeated (vendor dialect). */
  readonly payload?: unknown
}

/** Throws AppError 400 without a filter, 422 with every violation in it. */
export const resolveFbt = (body: unknown, fbt: Fbt, dialect: QueryDialect): AskedFbt => {
  const raw = parse(KEY, body, dialect)
  checkQuery(raw.query)
  if (raw.filter === undefined) {
    throw violationsError('metrics_filter_blank', [{ path: ['filter'], message: "can't be blank" }])
  }
  const { violations, predicates } = resolveSections(fbt.filters, raw.filter)
  if (violations.length > 0) throw violationsError('metrics_filter_not_valid', violations)
  const ids = predicates.flatMap((predicate) => (predicate.op === 'in' ? predicate.values : []))
  if (ids.length === 0) {
    const path = ['line_items', 'item_ids']
    throw violationsError('metrics_filter_not_valid', [{ path, message: "can't be blank" }])
  }
  return { itemIds: ids, ...(raw.wantsPayload ? { payload: { filter: raw.filter } } : {}) }
}
