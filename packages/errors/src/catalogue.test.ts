import { STATUS_CODES } from 'node:http'
import { catalogue, entryOf, jsonApiErrors, metricsErrors, oauthErrors, type ErrorCode } from './catalogue.ts'

const codes = Object.keys(catalogue) as ErrorCode[]

/** Wire values that clients compare: core-conventions.md 9.1 to 9.3, auth.md 3, contract.md "Code strings and titles". */
const WIRE_VALUES: readonly [ErrorCode, number, string, string?][] = [
  ['invalid_token', 401, 'Invalid token', 'The access token you provided is invalid.'],
  [
    'unauthorized',
    401,
    'Access denied',
    'You are not authorized to perform this action on the requested resource.',
  ],
  [
    'record_not_found',
    404,
    'Record not found',
    'The requested resource was not found. Please double-check the resource id.',
  ],
  ['key_not_included_in_url', 400, 'Key is not included in URL'],
  ['invalid_resource', 400, 'Invalid resource'],
  ['invalid_field', 400, 'Invalid field'],
  ['invalid_field_format', 400, 'Invalid field format'],
  ['invalid_data_format', 400, 'Invalid data format'],
  ['invalid_links_object', 400, 'Invalid Links Object'],
  ['type_mismatch', 400, 'Type Mismatch'],
  ['param_missing', 400, 'Missing Parameter'],
  ['param_not_allowed', 400, 'Param not allowed'],
  ['key_order_mismatch', 400, 'A key is required'],
  ['invalid_include', 400, 'Invalid include'],
  ['invalid_sort_criteria', 400, 'Invalid sort criteria'],
  ['filter_not_allowed', 400, 'Filter not allowed'],
  ['invalid_filter_value', 400, 'Invalid filter value'],
  ['invalid_filters_syntax', 400, 'Invalid filters syntax'],
  ['invalid_page_object', 400, 'Invalid Page Object'],
  ['invalid_page_value', 400, 'Invalid page value'],
  ['bad_request', 400, 'Bad Request'],
  ['not_acceptable', 406, 'Not acceptable'],
  ['record_not_unique', 409, 'Record not unique'],
  ['unsupported_media_type', 415, 'Unsupported media type'],
  ['locked', 423, 'Locked resource'],
  ['internal_server_error', 500, 'Internal Server Error'],
  [
    'invalid_client',
    401,
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  ],
  ['invalid_assertion', 400, 'invalid_assertion', 'The provided assertion is invalid.'],
  ['revocation_forbidden', 403, 'unauthorized_client', 'You are not authorized to revoke this token'],
  ['invalid_request', 400, 'invalid_request'],
  ['invalid_grant', 400, 'invalid_grant'],
  ['unauthorized_client', 400, 'unauthorized_client'],
  ['unsupported_grant_type', 400, 'unsupported_grant_type'],
  ['invalid_scope', 400, 'invalid_scope'],
  ['metrics_request_not_valid', 400, 'request is not valid'],
  ['metrics_filter_blank', 400, 'filter is not valid'],
  ['metrics_unauthorized', 401, 'the access token is not valid or expired'],
  ['metrics_not_found', 404, 'resource not found'],
  ['metrics_method_not_allowed', 405, 'the method cannot be used, use POST'],
  ['metrics_version_not_supported', 406, 'the version is not supported, use v1'],
  ['metrics_accept_not_set', 406, 'the Accept header was not set to application/vnd.api.v<version>+json'],
  ['metrics_content_type_not_set', 415, 'the Content-type header was not set to application/vnd.api+json'],
  ['metrics_filter_not_valid', 422, 'filter is not valid'],
  ['metrics_query_not_valid', 422, 'query is not valid'],
  ['metrics_too_many_requests', 429, 'too many requests'],
  ['metrics_internal', 500, 'internal server error'],
  ['metrics_engine_unavailable', 503, 'analytics are unavailable, try again'],
  ['metrics_too_busy', 503, 'analytics are unavailable, try again'],
]

const WIRE = WIRE_VALUES.map(([code, status, title, detail]) => ({ code, status, title, detail }))

describe('the error catalogue', () => {
  it.each(codes)('%s has a real error status and a title', (code) => {
    const { status, title } = entryOf(code)
    expect(STATUS_CODES[status]).toBeDefined()
    expect(status).toBeGreaterThanOrEqual(400)
    expect(title.trim()).toBe(title)
    expect(title).not.toBe('')
  })

  it.each(codes)('%s is written in lower snake case', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  /** Refusals of load have a status of the server, and are no failure of it. */
  const REFUSALS: readonly ErrorCode[] = ['metrics_too_busy']

  it.each(codes)('%s is logged as an error only when it is a failure of ours', (code) => {
    const { status, level } = entryOf(code)
    expect(level === 'error').toBe(status >= 500 && !REFUSALS.includes(code))
  })

  it.each(WIRE)('$code is sent as $status "$title"', ({ code, status, title, detail }) => {
    expect(entryOf(code)).toMatchObject({ status, title })
    if (detail !== undefined) expect(entryOf(code).detail).toBe(detail)
  })

  it('has each code in one dialect only', () => {
    const all = [jsonApiErrors, oauthErrors, metricsErrors].flatMap((entries) => Object.keys(entries))
    expect(new Set(all).size).toBe(all.length)
    expect([...all].sort()).toEqual([...codes].sort())
  })

  it('marks metrics codes by their prefix', () => {
    expect(Object.keys(metricsErrors).filter((code) => !code.startsWith('metrics_'))).toEqual([])
    expect(codes.filter((code) => code.startsWith('metrics_'))).toEqual(Object.keys(metricsErrors))
  })

  it('titles the errors of the authentication host with names RFC 6749 5.2 can carry', () => {
    for (const { title } of Object.values(oauthErrors)) expect(title).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })
})
