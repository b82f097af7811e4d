/** Checks the shape of a body (400) and returns its first-level keys. Names inside them are resolved later. */
import { depthOf, isObject, valueAt, type JsonObject } from './json-object.ts'
import { limits } from './limits.ts'
import { violationsError, type Violation } from './violations.ts'

/** `strict`: contract.md to the letter. `vendor`: also the first-level key `meta` and per-field date operators. */
export type QueryDialect = 'strict' | 'vendor'

/** The query object is checked after the filter (contract, "Validation order"), so it is still unknown here. */
export interface RawRequest {
  readonly filter?: JsonObject
  readonly query: unknown
  /** Vendor dialect: repeat the request in `meta.payload`. */
  readonly wantsPayload: boolean
}

const notValid = (violations: readonly Violation[]) =>
  violationsError('metrics_request_not_valid', violations)

const parseMeta = (body: JsonObject): boolean => {
  const meta = valueAt(body, 'meta')
  if (meta === undefined) return false
  const payload =
    isObject(meta) && Object.keys(meta).every((key) => key === 'payload') ? meta.payload : undefined
  if (typeof payload !== 'boolean') {
    throw notValid([
      { path: ['meta'], message: 'not valid, it can only be {"payload": true} or {"payload": false}' },
    ])
  }
  return payload
}

const parseFilter = (body: JsonObject): JsonObject | undefined => {
  if (!Object.hasOwn(body, 'filter')) return undefined
  const { filter } = body
  const isBlank = filter === null || (isObject(filter) && Object.keys(filter).length === 0)
  if (isBlank) {
    throw violationsError('metrics_filter_blank', [
      { path: ['filter'], message: "can't be blank if defined" },
    ])
  }
  if (!isObject(filter)) {
    throw violationsError('metrics_filter_blank', [{ path: ['filter'], message: 'must be an object' }])
  }
  return filter
}

/** `key` holds the query. Throws 400 with every wrong first-level key, or a filter that is empty or no object. */
export const parse = (key: string, body: unknown, dialect: QueryDialect): RawRequest => {
  if (!isObject(body)) throw notValid([{ path: ['body'], message: 'must be a JSON object' }])
  const known = dialect === 'vendor' ? [key, 'filter', 'meta'] : [key, 'filter']
  const wrong = Object.keys(body).filter((name) => !known.includes(name))
  if (wrong.length > 0) throw notValid(wrong.map((name) => ({ path: [name], message: 'not valid' })))
  if (depthOf(body, limits.depthMax) > limits.depthMax) {
    throw notValid([{ path: ['body'], message: `must be at most ${limits.depthMax} levels deep` }])
  }
  const filter = parseFilter(body)
  const wantsPayload = parseMeta(body)
  return { ...(filter === undefined ? {} : { filter }), query: valueAt(body, key), wantsPayload }
}
