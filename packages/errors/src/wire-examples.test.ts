/** The bodies that clients are known to compare, letter by letter, one per row of the facts. */
import { AppError, type AppErrorOptions } from './app-error.ts'
import type { ErrorCode } from './catalogue.ts'
import { encodeJsonApi } from './encode-json-api.ts'
import { encodeMetrics } from './encode-metrics.ts'
import { encodeOAuth } from './encode-oauth.ts'

interface Example {
  readonly name: string
  readonly code: ErrorCode
  readonly options?: AppErrorOptions
  readonly wire: object
}

const context = { requestId: 'trace' }

const validation = (attribute: string, message: string, place: string, meta: object): Example => {
  const detail = `${attribute} - ${message}`
  const source = { pointer: `/data/${place}/${attribute}` }
  return {
    name: `${attribute} ${message}`,
    code: 'validation_error',
    options: { title: message, detail, source, meta: { ...meta } },
    wire: { title: message, detail, code: 'VALIDATION_ERROR', source, status: '422', meta },
  }
}

/** core-conventions.md 9.1, "Exact known examples". */
const core: readonly Example[] = [
  {
    name: 'a token that is not valid',
    code: 'invalid_token',
    wire: {
      title: 'Invalid token',
      detail: 'The access token you provided is invalid.',
      code: 'INVALID_TOKEN',
      status: '401',
    },
  },
  {
    name: 'a missing permission',
    code: 'unauthorized',
    wire: {
      title: 'Access denied',
      detail: 'You are not authorized to perform this action on the requested resource.',
      code: 'UNAUTHORIZED',
      status: '401',
    },
  },
  {
    name: 'an unknown id',
    code: 'record_not_found',
    wire: {
      title: 'Record not found',
      detail: 'The requested resource was not found. Please double-check the resource id.',
      code: 'RECORD_NOT_FOUND',
      status: '404',
    },
  },
  {
    name: 'an id in the body that the URL has not',
    code: 'key_not_included_in_url',
    options: { detail: 'The URL does not support the key xYZ' },
    wire: {
      title: 'Key is not included in URL',
      detail: 'The URL does not support the key xYZ',
      code: 'KEY_NOT_INCLUDED_IN_URL',
      status: '400',
    },
  },
  validation('quantity', 'must be less than or equal to 10', 'attributes', {
    error: 'less_than_or_equal_to',
    value: 100,
    count: 10,
  }),
  validation('name', "can't be blank", 'attributes', { error: 'blank' }),
  validation('code', 'has already been taken', 'attributes', { error: 'taken', value: 'X' }),
  validation('shipping_category', "can't be blank", 'relationships', { error: 'blank' }),
  validation('coupon_code', "doesn't exist", 'attributes', { error: 'noent_coupon' }),
]

/** auth.md 3, "Known errors". */
const auth: readonly Example[] = [
  {
    name: 'an unknown client',
    code: 'invalid_client',
    wire: {
      title: 'invalid_client',
      detail:
        'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
      code: 'UNAUTHORIZED',
      status: 401,
    },
  },
  {
    name: 'a malformed assertion',
    code: 'invalid_assertion',
    wire: {
      title: 'invalid_assertion',
      detail: 'The provided assertion is invalid.',
      code: 'BAD_REQUEST',
      status: 400,
    },
  },
  {
    name: 'the token of another client',
    code: 'revocation_forbidden',
    wire: {
      title: 'unauthorized_client',
      detail: 'You are not authorized to revoke this token',
      code: 'FORBIDDEN',
      status: 403,
    },
  },
]

const violations = (...errors: object[]): AppErrorOptions => ({ meta: { errors } })
const inFilter = [
  { line_items: [{ 'options.name': ['not valid'] }] },
  { order: [{ gift_card_code: ['not valid'] }] },
]
const operator = {
  date_breakdown: [{ operator: ['not valid, valid values are: avg, max, min, sum, stats'] }],
}

/** contract.md, "Code strings and titles seen", with the words of metrics.md 9.2. */
const metrics: readonly Example[] = [
  {
    name: 'empty first-level keys',
    code: 'metrics_filter_blank',
    options: violations({ filter: ["can't be blank if defined"] }),
    wire: {
      title: 'filter is not valid',
      code: 'BAD_REQUEST',
      status: 400,
      meta: { errors: [{ filter: ["can't be blank if defined"] }], trace_id: 'trace' },
    },
  },
  {
    name: 'misspelled first-level keys',
    code: 'metrics_request_not_valid',
    options: violations({ filtr: ['not valid'] }, { brekdown: ['not valid'] }),
    wire: {
      title: 'request is not valid',
      code: 'BAD_REQUEST',
      status: 400,
      meta: { errors: [{ filtr: ['not valid'] }, { brekdown: ['not valid'] }], trace_id: 'trace' },
    },
  },
  {
    name: 'no token',
    code: 'metrics_unauthorized',
    wire: { title: 'the access token is not valid or expired', code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'GET',
    code: 'metrics_method_not_allowed',
    wire: {
      title: 'the method cannot be used, use POST',
      code: 'METHOD_NOT_ALLOWED',
      status: 405,
      meta: { trace_id: 'trace' },
    },
  },
  {
    name: 'wrong keys in the filter',
    code: 'metrics_filter_not_valid',
    options: violations(...inFilter),
    wire: {
      title: 'filter is not valid',
      code: 'UNPROCESSABLE_ENTITY',
      status: 422,
      meta: { errors: inFilter, trace_id: 'trace' },
    },
  },
  {
    name: 'a wrong operator in the query',
    code: 'metrics_query_not_valid',
    options: violations(operator),
    wire: {
      title: 'query is not valid',
      code: 'UNPROCESSABLE_ENTITY',
      status: 422,
      meta: { errors: [operator], trace_id: 'trace' },
    },
  },
]

describe('bodies that clients compare', () => {
  it.each(core)('of core: $name', ({ code, options, wire }) => {
    const { body } = encodeJsonApi([new AppError(code, options)], context)
    expect(JSON.stringify(body)).toBe(JSON.stringify({ errors: [wire] }))
  })

  it.each(auth)('of the authentication host: $name', ({ code, options, wire }) => {
    const { body } = encodeOAuth([new AppError(code, options)], context)
    expect(JSON.stringify((body as { errors: unknown }).errors)).toBe(JSON.stringify([wire]))
  })

  it.each(metrics)('of metrics: $name', ({ code, options, wire }) => {
    const { body } = encodeMetrics([new AppError(code, options)], context)
    expect(JSON.stringify(body)).toBe(JSON.stringify({ error: wire }))
  })
})
