/** Requests that are refused before their names are looked at, with the body of the refusal. */
import type { AskOptions } from '../support/test-app.ts'

export const dates = { date_from: '2021-01-01T00:00:00Z', date_to: '2021-12-31T23:59:59Z' }
export const stats = { field: 'order.id', operator: 'value_count' }
export const sums = { by: 'order.placed_at', field: 'order.total_amount', operator: 'sum' }
export const counts = { by: 'market.name', field: 'order.id', operator: 'value_count' }

export interface ErrorCase {
  readonly name: string
  readonly path?: string
  readonly body: unknown
  readonly options?: AskOptions
  readonly status: number
  readonly code: string
  readonly title: string
  /** Undefined: meta has the trace id only. */
  readonly errors?: unknown
}

const bad = (name: string, body: unknown, title: string, errors: unknown, kind = 'stats'): ErrorCase => ({
  name,
  path: `/metrics/orders/${kind}`,
  body,
  status: 400,
  code: 'BAD_REQUEST',
  title,
  errors,
})

const transport = (
  name: string,
  status: number,
  code: string,
  title: string,
  options: AskOptions,
  path = '/metrics/orders/stats',
): ErrorCase => ({
  name,
  path,
  body: options.method === 'GET' || options.method === 'HEAD' ? null : { stats },
  options,
  status,
  code,
  title,
})

const blank = "can't be blank if defined"
const accept = 'the Accept header was not set to application/vnd.api.v<version>+json'
const contentType = 'the Content-type header was not set to application/vnd.api+json'

export const requestCases: readonly ErrorCase[] = [
  bad(
    'names only the filter when filter and query are both empty',
    { breakdown: {}, filter: {} },
    'filter is not valid',
    [{ filter: [blank] }],
    'breakdown',
  ),
  bad('refuses a filter that is null', { stats, filter: null }, 'filter is not valid', [{ filter: [blank] }]),
  bad('refuses a filter that is no object', { stats, filter: [1] }, 'filter is not valid', [
    { filter: ['must be an object'] },
  ]),
  bad(
    'names every misspelt first-level key',
    { date_breakdwn: sums, filtr: {} },
    'request is not valid',
    [{ date_breakdwn: ['not valid'] }, { filtr: ['not valid'] }],
    'date_breakdown',
  ),
  bad(
    'refuses one extra first-level key',
    { stats, filter: { order: dates }, sort: 'desc' },
    'request is not valid',
    [{ sort: ['not valid'] }],
  ),
  bad(
    'refuses the vendor key meta in the strict dialect',
    { stats, meta: { payload: true } },
    'request is not valid',
    [{ meta: ['not valid'] }],
  ),
  bad('refuses the query key of another query type', { breakdown: counts }, 'request is not valid', [
    { breakdown: ['not valid'] },
  ]),
  bad('refuses a body that is no object', [1], 'request is not valid', [{ body: ['must be a JSON object'] }]),
  bad('says where malformed JSON ends', '{"stats": {', 'request is not valid', [
    { body: [expect.stringMatching(/not valid JSON/)] },
  ]),
  bad('refuses an absent query key', { filter: { order: dates } }, 'query is not valid', [
    { stats: ["can't be blank"] },
  ]),
  bad(
    'refuses an empty query object after a valid filter',
    { stats: {}, filter: { order: dates } },
    'query is not valid',
    [{ stats: ["can't be blank"] }],
  ),
  bad('refuses a query that is no object', { stats: 'order.id' }, 'query is not valid', [
    { stats: ['must be an object'] },
  ]),
  bad('refuses an empty body object', {}, 'query is not valid', [{ stats: ["can't be blank"] }]),
  bad('finds an empty filter before an absent query', { filter: {} }, 'filter is not valid', [
    { filter: [blank] },
  ]),
  transport('refuses GET', 405, 'METHOD_NOT_ALLOWED', 'the method cannot be used, use POST', {
    method: 'GET',
  }),
  transport('refuses PUT', 405, 'METHOD_NOT_ALLOWED', 'the method cannot be used, use POST', {
    method: 'PUT',
  }),
  transport('refuses another version', 406, 'NOT_ACCEPTABLE', 'the version is not supported, use v1', {
    headers: { Accept: 'application/vnd.api.v2+json' },
  }),
  transport(
    'refuses a version that is no number',
    406,
    'NOT_ACCEPTABLE',
    'the version is not supported, use v1',
    { headers: { Accept: 'application/vnd.api.vX+json' } },
  ),
  transport('refuses the Accept of core', 406, 'NOT_ACCEPTABLE', accept, {
    headers: { Accept: 'application/vnd.api+json' },
  }),
  transport('refuses an absent Accept', 406, 'NOT_ACCEPTABLE', accept, { headers: { Accept: null } }),
  transport('refuses a wildcard Accept', 406, 'NOT_ACCEPTABLE', accept, { headers: { Accept: '*/*' } }),
  transport('refuses another Content-Type', 415, 'UNSUPPORTED_MEDIA_TYPE', contentType, {
    headers: { 'Content-Type': 'application/json' },
  }),
  transport('refuses the versioned type as Content-Type', 415, 'UNSUPPORTED_MEDIA_TYPE', contentType, {
    headers: { 'Content-Type': 'application/vnd.api.v1+json' },
  }),
  transport(
    'does not know another query type',
    404,
    'NOT_FOUND',
    'resource not found',
    {},
    '/metrics/orders/breakdowns',
  ),
  transport(
    'does not know another resource',
    404,
    'NOT_FOUND',
    'resource not found',
    {},
    '/metrics/order/stats',
  ),
  transport(
    'does not know a longer path',
    404,
    'NOT_FOUND',
    'resource not found',
    {},
    '/metrics/orders/stats/more',
  ),
  transport('does not know the bare resource', 404, 'NOT_FOUND', 'resource not found', {}, '/metrics/orders'),
  transport(
    'does not know a property of objects as a resource',
    404,
    'NOT_FOUND',
    'resource not found',
    {},
    '/metrics/constructor/stats',
  ),
]
