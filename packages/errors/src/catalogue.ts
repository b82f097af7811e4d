/**
 * Every error Merx can answer with, as data: status, log level and public text are chosen here and nowhere else.
 * Status and titles: spec core-conventions.md 9, auth.md 3, metrics.md 9; OAuth names: RFC 6749 5.2, RFC 7009 2.2.1.
 */

/** How loudly an error is logged: `info` is the caller's doing, `warn` deserves a look, `error` is ours. */
export type ErrorLevel = 'info' | 'warn' | 'error'

/** One row of the table. `title` and `detail` are public texts; `detail` is what a throw without one says. */
export interface ErrorEntry {
  readonly status: number
  readonly level: ErrorLevel
  readonly title: string
  readonly detail?: string
  /** Response headers of every answer with this error, unless the throw gives others of the same name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** RFC 6750 3.1: the token is valid, and its rights do not reach this far. authenticate() has the other challenges. */
const INSUFFICIENT_SCOPE = { 'WWW-Authenticate': 'Bearer realm="merx", error="insufficient_scope"' }

/** Core and every internal interface; the code on the wire is the key in upper case. */
export const jsonApiErrors = {
  bad_request: {
    status: 400,
    level: 'info',
    title: 'Bad Request',
    detail: 'The request could not be understood.',
  },
  invalid_data_format: { status: 400, level: 'info', title: 'Invalid data format' },
  invalid_field: { status: 400, level: 'info', title: 'Invalid field' },
  invalid_field_format: { status: 400, level: 'info', title: 'Invalid field format' },
  invalid_field_value: { status: 400, level: 'info', title: 'Invalid field value' },
  invalid_filter_value: { status: 400, level: 'info', title: 'Invalid filter value' },
  invalid_filters_syntax: { status: 400, level: 'info', title: 'Invalid filters syntax' },
  invalid_include: { status: 400, level: 'info', title: 'Invalid include' },
  invalid_links_object: { status: 400, level: 'info', title: 'Invalid Links Object' },
  invalid_page_object: { status: 400, level: 'info', title: 'Invalid Page Object' },
  invalid_page_value: { status: 400, level: 'info', title: 'Invalid page value' },
  invalid_resource: { status: 400, level: 'info', title: 'Invalid resource' },
  invalid_sort_criteria: { status: 400, level: 'info', title: 'Invalid sort criteria' },
  filter_not_allowed: { status: 400, level: 'info', title: 'Filter not allowed' },
  key_not_included_in_url: { status: 400, level: 'info', title: 'Key is not included in URL' },
  key_order_mismatch: { status: 400, level: 'info', title: 'A key is required' },
  param_missing: { status: 400, level: 'info', title: 'Missing Parameter' },
  param_not_allowed: { status: 400, level: 'info', title: 'Param not allowed' },
  type_mismatch: { status: 400, level: 'info', title: 'Type Mismatch' },
  entity_tag_not_valid: { status: 400, level: 'info', title: 'Entity tag not valid' },
  last_event_id_not_valid: { status: 400, level: 'info', title: 'Last event id not valid' },
  idempotency_key_not_valid: { status: 400, level: 'info', title: 'Idempotency key not valid' },
  invalid_token: {
    status: 401,
    level: 'info',
    title: 'Invalid token',
    detail: 'The access token you provided is invalid.',
  },
  unauthorized: {
    status: 401,
    level: 'info',
    title: 'Access denied',
    detail: 'You are not authorized to perform this action on the requested resource.',
    headers: INSUFFICIENT_SCOPE,
  },
  service_key_not_valid: {
    status: 401,
    level: 'warn',
    title: 'Service key not valid',
    detail: 'Internal calls need the header Authorization: Bearer <SERVICE_KEY>.',
  },
  record_not_found: {
    status: 404,
    level: 'info',
    title: 'Record not found',
    detail: 'The requested resource was not found. Please double-check the resource id.',
  },
  not_found: { status: 404, level: 'info', title: 'Not found', detail: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, level: 'info', title: 'Method not allowed' },
  not_acceptable: { status: 406, level: 'info', title: 'Not acceptable' },
  request_timeout: {
    status: 408,
    level: 'info',
    title: 'Request timeout',
    detail: 'The request was not received completely in time.',
  },
  record_not_unique: { status: 409, level: 'info', title: 'Record not unique' },
  idempotency_key_in_use: {
    status: 409,
    level: 'info',
    title: 'Idempotency key in use',
    detail: 'A request with this Idempotency-Key is being processed; try again in a moment.',
    headers: { 'Retry-After': '1' },
  },
  precondition_failed: { status: 412, level: 'info', title: 'Precondition failed' },
  payload_too_large: { status: 413, level: 'info', title: 'Payload too large' },
  uri_too_long: { status: 414, level: 'info', title: 'URI too long' },
  unsupported_media_type: { status: 415, level: 'info', title: 'Unsupported media type' },
  validation_error: { status: 422, level: 'info', title: 'is not valid' },
  idempotency_key_reused: {
    status: 422,
    level: 'info',
    title: 'Idempotency key reused',
    detail:
      'This Idempotency-Key was sent before with another method, address, token scope or body; send a new key.',
  },
  locked: { status: 423, level: 'info', title: 'Locked resource' },
  too_many_requests: {
    status: 429,
    level: 'info',
    title: 'Too many requests',
    detail: 'The rate limit was hit; wait as long as the Retry-After header says.',
  },
  headers_too_large: {
    status: 431,
    level: 'info',
    title: 'Request header fields too large',
    detail: 'The request line and headers together exceed what the server accepts.',
  },
  internal_server_error: { status: 500, level: 'error', title: 'Internal Server Error' },
  service_unavailable: {
    status: 503,
    level: 'error',
    title: 'Service unavailable',
    detail: 'A part this request needs cannot be reached right now; try again.',
  },
} as const satisfies Record<string, ErrorEntry>

/** The authentication host; the title is the OAuth error name and is sent verbatim. */
export const oauthErrors = {
  invalid_request: {
    status: 400,
    level: 'info',
    title: 'invalid_request',
    detail: 'The request is missing a required parameter or is otherwise malformed.',
  },
  invalid_client: {
    status: 401,
    level: 'info',
    title: 'invalid_client',
    detail:
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  },
  invalid_grant: {
    status: 400,
    level: 'info',
    title: 'invalid_grant',
    detail: 'The provided grant is invalid, expired, revoked, or was issued to another client.',
  },
  unauthorized_client: {
    status: 400,
    level: 'info',
    title: 'unauthorized_client',
    detail: 'The client is not authorized to use this grant type.',
  },
  unsupported_grant_type: {
    status: 400,
    level: 'info',
    title: 'unsupported_grant_type',
    detail: 'The grant type is not supported.',
  },
  unsupported_response_type: {
    status: 400,
    level: 'info',
    title: 'unsupported_response_type',
    detail: 'The response type is not supported; allowed: code.',
  },
  access_denied: {
    status: 400,
    level: 'info',
    title: 'access_denied',
    detail: 'The resource owner denied the request.',
  },
  invalid_scope: {
    status: 400,
    level: 'info',
    title: 'invalid_scope',
    detail: 'The requested scope is invalid, unknown, or malformed.',
  },
  invalid_assertion: {
    status: 400,
    level: 'info',
    title: 'invalid_assertion',
    detail: 'The provided assertion is invalid.',
  },
  revocation_forbidden: {
    status: 403,
    level: 'info',
    title: 'unauthorized_client',
    detail: 'You are not authorized to revoke this token',
  },
  oauth_form_refused: {
    status: 403,
    level: 'info',
    title: 'form_refused',
    detail:
      'The form was open for too long, was sent from elsewhere, or the browser keeps no cookies. Nothing was done.',
  },
  oauth_not_found: {
    status: 404,
    level: 'info',
    title: 'not_found',
    detail: 'There is nothing at this path.',
  },
  oauth_method_not_allowed: { status: 405, level: 'info', title: 'method_not_allowed' },
  oauth_request_timeout: {
    status: 408,
    level: 'info',
    title: 'request_timeout',
    detail: 'The request was not received completely in time.',
  },
  oauth_payload_too_large: { status: 413, level: 'info', title: 'payload_too_large' },
  oauth_unsupported_media_type: { status: 415, level: 'info', title: 'unsupported_media_type' },
  oauth_too_many_requests: {
    status: 429,
    level: 'info',
    title: 'too_many_requests',
    detail: 'The rate limit was hit; wait as long as the Retry-After header says.',
  },
  oauth_headers_too_large: {
    status: 431,
    level: 'info',
    title: 'headers_too_large',
    detail: 'The request line and headers together exceed what the server accepts.',
  },
  oauth_internal: { status: 500, level: 'error', title: 'server_error' },
  oauth_unavailable: {
    status: 503,
    level: 'error',
    title: 'temporarily_unavailable',
    detail: 'A part this request needs cannot be reached right now; try again.',
  },
} as const satisfies Record<string, ErrorEntry>

/** Metrics; the code on the wire is the name of the status, the title is what clients compare. */
export const metricsErrors = {
  metrics_request_not_valid: { status: 400, level: 'info', title: 'request is not valid' },
  metrics_filter_blank: { status: 400, level: 'info', title: 'filter is not valid' },
  metrics_query_blank: { status: 400, level: 'info', title: 'query is not valid' },
  metrics_unauthorized: {
    status: 401,
    level: 'info',
    title: 'the access token is not valid or expired',
    headers: INSUFFICIENT_SCOPE,
  },
  metrics_not_found: { status: 404, level: 'info', title: 'resource not found' },
  metrics_method_not_allowed: { status: 405, level: 'info', title: 'the method cannot be used, use POST' },
  metrics_version_not_supported: {
    status: 406,
    level: 'info',
    title: 'the version is not supported, use v1',
  },
  metrics_accept_not_set: {
    status: 406,
    level: 'info',
    title: 'the Accept header was not set to application/vnd.api.v<version>+json',
  },
  metrics_request_timeout: { status: 408, level: 'info', title: 'the request was not received in time' },
  metrics_payload_too_large: { status: 413, level: 'info', title: 'the request body is too large' },
  metrics_content_type_not_set: {
    status: 415,
    level: 'info',
    title: 'the Content-type header was not set to application/vnd.api+json',
  },
  metrics_filter_not_valid: { status: 422, level: 'info', title: 'filter is not valid' },
  metrics_query_not_valid: { status: 422, level: 'info', title: 'query is not valid' },
  metrics_query_too_large: { status: 422, level: 'warn', title: 'query is not valid' },
  metrics_query_timeout: { status: 422, level: 'warn', title: 'query is not valid' },
  metrics_too_many_requests: { status: 429, level: 'info', title: 'too many requests' },
  metrics_headers_too_large: { status: 431, level: 'info', title: 'the request headers are too large' },
  metrics_internal: { status: 500, level: 'error', title: 'internal server error' },
  metrics_engine_unavailable: { status: 503, level: 'error', title: 'analytics are unavailable, try again' },
  // the waiting room is full: the load of callers, not a failure
  metrics_too_busy: { status: 503, level: 'info', title: 'analytics are unavailable, try again' },
} as const satisfies Record<string, ErrorEntry>

/** The one table of all services. */
export const catalogue = { ...jsonApiErrors, ...oauthErrors, ...metricsErrors } as const

/** A key of the table, so an unknown code does not compile. */
export type ErrorCode = keyof typeof catalogue

/** The row of a code, with its optional columns visible to the type checker. */
export const entryOf = (code: ErrorCode): ErrorEntry => catalogue[code]
